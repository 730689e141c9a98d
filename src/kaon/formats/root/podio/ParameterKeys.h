#pragma once

#include <kaon/batch/Source.h>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kaon::root::podio {

/// Parameters of one type in a category: each becomes a table.
inline constexpr std::size_t mostKeys = 10'000;

/// Numbers for the keys of parameters. Entries mostly have the same keys in the same order, so that
/// a key is first compared with the one that the last entry had in its place. For one thread.
class KeyNumbers {
public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  KeyNumbers() = default;
  explicit KeyNumbers(const std::vector<std::string>& names);
  KeyNumbers(KeyNumbers&&) = default;
  KeyNumbers& operator=(KeyNumbers&&) = default;

  /// The number of a key, which is in this place among those of its entry; `none` if it has none.
  [[nodiscard]] std::uint32_t find(std::size_t place, std::string_view key);
  /// The number of a key that may be new.
  std::uint32_t add(std::size_t place, std::string_view key);
  [[nodiscard]] std::vector<std::string> names() const { return {m_names.begin(), m_names.end()}; }

private:
  std::deque<std::string> m_names; // stay where they are
  std::unordered_map<std::string_view, std::uint32_t> m_numbers;
  std::vector<std::uint32_t> m_last; // by place
};

/// All keys that a table of strings, with this table of their text, has in any entry, in the order
/// in which they come. They are not known without reading the whole column, once: some 60 ns a key
/// and entry, decompression included. Throws Error(version) if there are more than `mostKeys`.
[[nodiscard]] std::vector<std::string> parameterKeys(const Source& stored, std::uint32_t keys,
                                                     std::uint32_t text);

} // namespace kaon::root::podio
