#pragma once

#include <kaon/batch/Source.h>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace kaon::detail {

/// What some of the files that are joined lack although it is there in each entry or object of a
/// file: values, and decorations of collections that they have. Nothing says afterwards that it was
/// lacking, as it does of collections and parameters, which are absent.
class MissingValues {
public:
  /// Adds a file with this source. One without entries lacks nothing.
  void add(const Source& source);
  /// Warns if some of the files lack the value or decoration of this name.
  void warnOf(std::string_view name) const;

private:
  struct Value {
    std::string above; // the collection that it lies under; none for values of entries
    std::size_t files; // that have it
    std::string firstWithout;
  };
  struct Files {
    std::size_t count = 0;
    std::string first;
  };
  std::map<std::string, Value, std::less<>> m_values;
  std::map<std::string, Files, std::less<>> m_filesWith; // a collection; with entries: ""
};

} // namespace kaon::detail
