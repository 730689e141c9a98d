#pragma once

#include <kaon/batch/Source.h>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kaon::root::podio {

/// The most parameters of one type in a category. Each of them becomes a table.
inline constexpr std::size_t mostKeys = 10'000;

/// Numbers for the keys of parameters. Most entries have the same keys in the same order. A key is
/// therefore first compared with the last key at its place. For one thread.
class KeyNumbers {
public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  KeyNumbers() = default;
  explicit KeyNumbers(const std::vector<std::string>& names);
  KeyNumbers(KeyNumbers&&) = default;
  KeyNumbers& operator=(KeyNumbers&&) = default;

  /// Returns the number of a key, or `none` if it has none. `place` is its position among the keys
  /// of its entry.
  [[nodiscard]] std::uint32_t find(std::size_t place, std::string_view key);
  /// Returns the number of a key, which may be new.
  std::uint32_t add(std::size_t place, std::string_view key);
  [[nodiscard]] std::vector<std::string> names() const { return {m_names.begin(), m_names.end()}; }

private:
  std::deque<std::string> m_names; // a deque, so that pointers stay valid
  std::unordered_map<std::string_view, std::uint32_t> m_numbers;
  std::vector<std::uint32_t> m_last; // by place
};

/// Returns all keys of a table of strings, in order of first occurrence. `text` is the table of
/// their characters. This reads the whole column once: about 60 ns per key and entry, with
/// decompression. Throws Error(version) for more than `mostKeys` keys.
[[nodiscard]] std::vector<std::string> parameterKeys(const Source& stored, std::uint32_t keys,
                                                     std::uint32_t text);

} // namespace kaon::root::podio
