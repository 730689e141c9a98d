#pragma once

#include <kaon/batch/Source.h>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace kaon::detail {

/// Values and decorations that some of the joined files lack, although other files have them in
/// each entry or object. Missing collections and parameters read as absent. For missing values and
/// decorations, nothing shows afterwards that they were missing. A file lacks decorations only if
/// it has their collection.
class MissingValues {
public:
  /// Adds a file with this source. A source without entries lacks nothing.
  void add(const Source& source);
  /// Warns if some of the files lack the value or decoration of this name.
  void warnOf(std::string_view name) const;

private:
  struct Value {
    std::string above; // the collection above it; "" for values
    std::size_t files; // files that have it
    std::string firstWithout;
  };
  struct Files {
    std::size_t count = 0;
    std::string first;
  };
  std::map<std::string, Value, std::less<>> m_values;
  std::map<std::string, Files, std::less<>> m_filesWith; // with a collection; "": with entries
};

} // namespace kaon::detail
