#include <kaon/detail/dataset/ColumnBuffer.h>

#include <kaon/base/ShortRuns.h>
#include <kaon/detail/base/Memory.h>

namespace kaon::detail {
namespace {

/// Copies pieces of elements of `width` bytes, [begin, end) each, one after another; `size`
/// elements in total.
void copyPieces(std::span<const std::byte> from, std::span<const std::uint32_t> pieces,
                std::size_t width, std::size_t size, Buffer& to) {
  std::byte* out = to.assign(size * width + shortRunRoom).data();
  for (std::size_t i = 0; i < pieces.size(); i += 2)
    out = appendRun(from, pieces[i] * width, pieces[i + 1] * width, out);
}

template <class Value>
void takeValues(const std::byte* from, std::span<const std::uint32_t> entries, Buffer& to) {
  const auto* const in = detail::valuesAt<Value>(from);
  auto* const out = detail::valuesAt<Value>(to.assign(entries.size() * sizeof(Value)).data());
  for (std::size_t i = 0; i < entries.size(); ++i)
    out[i] = in[entries[i]];
}

} // namespace

const ColumnValues& ColumnBuffer::take(const ColumnValues& column, Scalar type,
                                       std::span<const std::uint32_t> entries, Scalar as) {
  withScalar(type,
             [&](auto value) { takeValues<decltype(value)>(column.values, entries, m_taken); });
  m_column = {.values = m_taken.data(), .size = entries.size()};
  if (as != type)
    convertValues(m_taken.data(), m_column.size, type, as);
  return m_column;
}

const ColumnValues& ColumnBuffer::take(const ColumnValues& column, Scalar type,
                                       const SelectedLists& lists, Scalar as) {
  m_column = {};
  for (unsigned level = 0; level < lists.depth(); ++level)
    m_column.offsets[level] = lists.offsets(level);
  m_column.size = lists.offsets(lists.depth() - 1).back();
  if (!column.values) // Only the lists are requested.
    return m_column;
  const std::uint32_t width = sizeOf(type);
  copyPieces({column.values, column.size * width}, lists.pieces(), width, m_column.size, m_taken);
  m_column.values = m_taken.data();
  if (as != type)
    convertValues(m_taken.data(), m_column.size, type, as);
  return m_column;
}

const ColumnValues& ColumnBuffer::convert(const ColumnValues& column, Scalar type, Scalar as) {
  m_column = column;
  convertValues(column.values, column.size, type, as);
  return m_column;
}

void ColumnBuffer::convertValues(const std::byte* values, std::size_t size, Scalar from,
                                 Scalar as) {
  withScalar(from, [&](auto in) {
    withScalar(as, [&](auto out) {
      using In = decltype(in);
      using Out = decltype(out);
      const auto* const read = detail::valuesAt<In>(values);
      auto* const written = detail::valuesAt<Out>(m_values.assign(size * sizeof(Out)).data());
      for (std::size_t i = 0; i < size; ++i)
        written[i] = static_cast<Out>(read[i]);
    });
  });
  m_column.values = m_values.data();
}

} // namespace kaon::detail
