#pragma once

#include <kaon/batch/Window.h>
#include <kaon/event/Parameters.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// The parameters that the entries of a file have. A program that goes through a file mostly asks
/// for the same ones in the same order in each entry: then none is looked for. Always of the same
/// source; for one thread at a time.
class StoredParameters {
public:
  /// What parameterType() says of the values in a table of a file: of a parameter, or of a value,
  /// which is a parameter that every entry has one of. "" if it holds what no parameter of a frame
  /// can.
  [[nodiscard]] static std::string typeOf(const Schema& schema, std::uint32_t table);

  /// The values of an entry by this name, nothing if it has none of this type. Throws Error(type)
  /// for what no parameter of a frame holds.
  [[nodiscard]] std::optional<ParameterValues> values(Window& window, std::uint64_t entry,
                                                      std::string_view name, std::string_view type);
  /// The first of them, nothing if there is none. T is of the types of values.
  template <class T>
  [[nodiscard]] std::optional<T> first(Window& window, std::uint64_t entry, std::string_view name);

private:
  [[nodiscard]] std::uint32_t find(const Source& source, std::string_view name,
                                   std::string_view type);

  struct Known {
    std::string name;
    std::string type;
    std::uint32_t table;
  };
  std::vector<Known> m_known; // in the order in which they were first asked for
  std::size_t m_next = 0;     // after the one that was asked for last
};

} // namespace kaon
