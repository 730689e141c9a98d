#pragma once

#include <kaon/model/Storage.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

struct WriterOptions;

/// How a writer lays out what it is given; what is not set lies as its model or file says.
struct Arrangement {
  Storage all = {}; ///< of all collections; layout and group
  std::map<std::string, Storage, std::less<>> storage = {}; ///< of single ones, by name
  std::map<std::string, TableUse, std::less<>> uses = {}; ///< of parameters with one value an event
  bool keepsOrigin = false; ///< of frames from files: see WriterOptions

  /// Lets the tables of one collection, parameter or value lie so.
  void arrange(std::vector<TableDefinition>& tables) const;
  [[nodiscard]] TableUse useOf(std::string_view parameter) const;
};

/// What a writer's options say.
[[nodiscard]] Arrangement arrangementOf(const WriterOptions& options);

} // namespace kaon
