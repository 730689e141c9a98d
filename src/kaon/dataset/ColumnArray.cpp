#include <kaon/detail/dataset/ColumnArray.h>

#include <cstring>
#include <utility>

namespace kaon::detail {
namespace {

LargeArray<std::byte> joined(ChunkedValues<std::byte> pieces) {
  LargeArray<std::byte> all(pieces.size());
  std::byte* to = all.data();
  pieces.consume([&](std::span<const std::byte> piece) {
    std::memcpy(to, piece.data(), piece.size());
    to += piece.size();
  });
  return all;
}

/// Returns the offsets of lists of these lengths, then the end of the last list.
LargeArray<std::int64_t> offsetsOf(ChunkedValues<std::uint32_t> sizes) {
  LargeArray<std::int64_t> all(sizes.size() + 1);
  std::int64_t* to = all.data();
  std::int64_t offset = *to = 0;
  sizes.consume([&](std::span<const std::uint32_t> piece) {
    for (const std::uint32_t size : piece)
      *++to = offset += size;
  });
  return all;
}

void gather(const ColumnValues& bools, ChunkedValues<std::byte>& all) {
  if (bools.size > 0)
    std::memcpy(all.grow(bools.size), bools.values, bools.size);
}

} // namespace

void GatheredArray::add(std::size_t, std::span<const ArgumentValues> arguments) {
  const ColumnValues& column = arguments[0].column;
  if (const std::size_t bytes = column.size * sizeOf(m_type.scalar); bytes > 0)
    std::memcpy(m_values.grow(bytes), column.values, bytes);
  arguments = arguments.subspan(1);
  if (m_missing.values) {
    gather(arguments.front().column, m_present);
    arguments = arguments.subspan(1);
  }
  if (m_missing.lists)
    gather(arguments.front().column, m_presentLists);
  for (std::size_t level = 0; level < m_sizes.size(); ++level) {
    const std::span<const std::uint32_t> offsets = column.offsets[level];
    std::uint32_t* const sizes = m_sizes[level].grow(offsets.size() - 1);
    for (std::size_t list = 0; list + 1 < offsets.size(); ++list)
      sizes[list] = offsets[list + 1] - offsets[list];
  }
}

void GatheredArray::merge(GatheredArray&& next) {
  m_values.append(std::move(next.m_values));
  m_present.append(std::move(next.m_present));
  m_presentLists.append(std::move(next.m_presentLists));
  for (std::size_t level = 0; level < m_sizes.size(); ++level)
    m_sizes[level].append(std::move(next.m_sizes[level]));
}

ColumnArray GatheredArray::result() && {
  ColumnArray array = {m_type, joined(std::move(m_values)), {}, {}, {}};
  if (m_missing.values)
    array.present = joined(std::move(m_present));
  if (m_missing.lists)
    array.presentLists = {*m_missing.lists, joined(std::move(m_presentLists))};
  for (ChunkedValues<std::uint32_t>& sizes : m_sizes)
    array.offsets.push_back(offsetsOf(std::move(sizes)));
  return array;
}

} // namespace kaon::detail
