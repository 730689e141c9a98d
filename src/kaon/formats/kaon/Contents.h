#pragma once

#include <kaon/formats/kaon/ClusterIdentity.h>
#include <kaon/formats/kaon/Format.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::store {

/// What a file's index says of one category.
struct CategoryContents {
  std::uint32_t number = 0; ///< in the order of the categories
  std::string name;
  Schema schema;
  std::uint64_t entries = 0;
  std::vector<IndexCluster> clusters;
  std::vector<IndexCluster> tags;
  /// Of each cluster, of each key; none if they are not known.
  std::vector<Bounds> keyBounds;

  [[nodiscard]] std::vector<std::uint32_t> keyTables() const;
};

/// Where a document is.
struct DocumentPlace : IndexDocument {
  std::optional<std::string> knownText; ///< short ones stand in the index too
};

/// What a file's index says; or, for a file that was not finished or was cut, what its records say.
struct FileContents {
  FileIdentity file;
  std::vector<CategoryContents> categories;
  std::map<std::string, DocumentPlace, std::less<>> documents; ///< by name
  std::vector<IndexOther> others;
  std::uint64_t end = 0;    ///< of the last record; a further one may follow
  std::string warning;      ///< "", or that and why only a part of the file is read
  std::string indexMistake; ///< "", or what is wrong with the index of a file that is complete
  bool isDamaged = false;   ///< more is wrong with the file than that its end is missing

  [[nodiscard]] bool hasCategory(std::string_view name) const;
  /// "12 of 'events', 1 of 'runs'", for messages.
  [[nodiscard]] std::string entriesText() const;
};

} // namespace kaon::store
