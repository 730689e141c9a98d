#pragma once

#include <kaon/batch/Source.h>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace kaon::detail {

/// Decorations that some of the joined files lack, although other files have them for each object.
/// There, they have their default values, and nothing shows afterwards that they were missing. A
/// file lacks decorations only if it has their collection.
class MissingDecorations {
public:
  /// Adds a file with this source. A source without entries lacks nothing.
  void add(const Source& source);
  /// Warns if some of the files lack the decoration of this name.
  void warnOf(std::string_view name) const;

private:
  struct Decoration {
    std::string collection;
    std::size_t files; // files that have it
    std::string firstWithout;
  };
  struct Files {
    std::size_t count = 0;
    std::string first;
  };
  std::map<std::string, Decoration, std::less<>> m_decorations;
  std::map<std::string, Files, std::less<>> m_filesWith; // by collection
};

} // namespace kaon::detail
