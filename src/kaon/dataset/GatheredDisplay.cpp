#include <kaon/dataset/GatheredDisplay.h>

#include <kaon/base/Utf8.h>
#include <kaon/base/Wording.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/detail/reading/EntryValue.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>
#include <utility>

namespace kaon {
namespace {

template <class T>
std::string textOf(T number) {
  char text[32];
  const auto end = std::to_chars(std::begin(text), std::end(text), number).ptr;
  return {text, end};
}

/// Returns a text on one line, cut after 40 characters. Control characters are escaped, and bytes
/// that are not UTF-8 are shown as \xNN.
std::string shownText(std::string_view text) {
  constexpr std::size_t most = 40; // characters
  constexpr std::string_view digits = "0123456789abcdef";
  std::string shown;
  for (std::size_t count = 0; !text.empty(); ++count) {
    if (count == most)
      return shown + "...";
    std::size_t size = 1; // of a character in UTF-8
    while (size < 4 && size < text.size() && !isUtf8(text.substr(0, size)))
      ++size;
    if (const std::string_view character = text.substr(0, size); isUtf8(character)) {
      shown += escapeControls(character);
    } else {
      const auto byte = static_cast<unsigned char>(text.front());
      shown += {'\\', 'x', digits[byte / 16], digits[byte % 16]};
      size = 1;
    }
    text.remove_prefix(size);
  }
  return shown;
}

/// Tells which values, and which lists of one level, exist. Null: all exist.
struct Presence {
  const std::byte* values = nullptr;
  const std::byte* lists = nullptr;
  unsigned level = 0; ///< of the lists

  [[nodiscard]] bool isMissing(unsigned at, unsigned depth, std::size_t row) const {
    return (at == depth && values && values[row] == std::byte{0}) ||
           (at == level && lists && lists[row] == std::byte{0});
  }
};

/// Returns a value, or a list in brackets, cut if it is long.
std::string textOf(const detail::ColumnValues& column, detail::ColumnType type, unsigned level,
                   std::size_t row, const Presence& present) {
  if (present.isMissing(level, type.depth, row))
    return "None";
  if (level == type.lists() && type.isText) {
    detail::EntryValue<std::string_view> texts;
    texts.values = detail::valuesAt<char>(column.values);
    texts.offsets = column.offsets[level].data();
    const std::string text = shownText(texts[row]);
    return level == 0 ? text : "'" + text + "'";
  }
  if (level == type.depth && type.scalar == Scalar::Bool)
    return column.values[row] != std::byte{0} ? "true" : "false";
  if (level == type.depth)
    return withScalar(type.scalar,
                      [&](auto value) { return textOf(column.as<decltype(value)>()[row]); });
  constexpr std::uint32_t most = 6;
  const std::uint32_t first = column.offsets[level][row], last = column.offsets[level][row + 1];
  const bool isCut = last - first > most;
  std::string text = "[";
  for (std::uint32_t i = first; i < (isCut ? first + most - 1 : last); ++i)
    text += (i > first ? ", " : "") + textOf(column, type, level + 1, i, present);
  return text + (isCut ? ", ...]" : "]");
}

} // namespace

namespace detail {

void GatheredDisplay::add(std::size_t entries, std::span<const ArgumentValues> arguments) {
  for (std::size_t i = 0; i < entries && !isFull(); ++i) {
    std::vector<std::string>& row = m_display.rows.emplace_back();
    std::size_t argument = 0;
    for (const Column& column : m_columns) {
      const auto& [values, which] = arguments[argument++];
      Presence present;
      if (column.missing.values)
        present.values = arguments[argument++].column.values;
      if (column.missing.lists) {
        present.lists = arguments[argument++].column.values;
        present.level = *column.missing.lists;
      }
      row.push_back(textOf(values, column.type, 0, which ? which[i] : i, present));
    }
  }
}

void GatheredDisplay::merge(GatheredDisplay&& next) {
  const auto missing = static_cast<std::ptrdiff_t>(
      std::min(m_wanted - m_display.rows.size(), next.m_display.rows.size()));
  std::move(next.m_display.rows.begin(), next.m_display.rows.begin() + missing,
            std::back_inserter(m_display.rows));
}

} // namespace detail

} // namespace kaon
