#pragma once

#include <kaon/detail/event/Parameters.h>
#include <kaon/detail/reading/Window.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// The parameters of a file's entries. Most programs request the same parameters in the same order
/// in each entry; no name is then looked up. Always use it with the same source; for one thread at
/// a time.
class StoredParameters {
public:
  /// Returns parameterType() of the values in a table of a file. The table is a parameter, or a
  /// value, which is a parameter that each entry has once. Returns "" if no parameter of a frame
  /// can hold them.
  [[nodiscard]] static std::string typeOf(const Schema& schema, TableNumber table);

  /// Returns the values of an entry by this name, or nothing if it has none of this type. Throws
  /// Error(type) if no parameter of a frame can hold them.
  [[nodiscard]] std::optional<detail::ParameterValues>
  values(detail::Window& window, std::uint64_t entry, std::string_view name, std::string_view type);
  /// Returns the first of the values, or nothing. T is an element type of ParameterValues.
  template <class T>
  [[nodiscard]] std::optional<T> first(detail::Window& window, std::uint64_t entry,
                                       std::string_view name);

private:
  [[nodiscard]] TableNumber find(const Source& source, std::string_view name,
                                 std::string_view type);

  struct Known {
    std::string name;
    std::string type;
    TableNumber table;
  };
  std::vector<Known> m_known; // in the order in which they were first requested
  std::size_t m_next = 0;     // after the parameter that was requested last
};

} // namespace kaon
