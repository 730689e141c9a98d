#include <kaon/dataset/ColumnArray.h>

#include <cstring>
#include <utility>

namespace kaon::detail {
namespace {

LargeArray<std::byte> joined(Pieces<std::byte> pieces) {
  LargeArray<std::byte> all(pieces.size());
  std::byte* to = all.data();
  pieces.consume([&](std::span<const std::byte> piece) {
    std::memcpy(to, piece.data(), piece.size());
    to += piece.size();
  });
  return all;
}

/// Where lists of these sizes begin, and where the last one ends.
LargeArray<std::int64_t> offsetsOf(Pieces<std::uint32_t> sizes) {
  LargeArray<std::int64_t> all(sizes.size() + 1);
  std::int64_t* to = all.data();
  std::int64_t offset = *to = 0;
  sizes.consume([&](std::span<const std::uint32_t> piece) {
    for (const std::uint32_t size : piece)
      *++to = offset += size;
  });
  return all;
}

} // namespace

void GatheredArray::add(std::size_t, std::span<const ArgumentValues> arguments) {
  const ColumnValues& column = arguments[0].column;
  if (const std::size_t bytes = column.size * sizeOf(m_type.scalar); bytes > 0)
    std::memcpy(m_values.grow(bytes), column.values, bytes);
  if (m_mayBeMissing && column.size > 0)
    std::memcpy(m_present.grow(column.size), arguments[1].column.values, column.size);
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
  for (std::size_t level = 0; level < m_sizes.size(); ++level)
    m_sizes[level].append(std::move(next.m_sizes[level]));
}

ColumnArray GatheredArray::result() && {
  ColumnArray array = {m_type, joined(std::move(m_values)), {}, {}};
  if (m_mayBeMissing)
    array.present = joined(std::move(m_present));
  for (Pieces<std::uint32_t>& sizes : m_sizes)
    array.offsets.push_back(offsetsOf(std::move(sizes)));
  return array;
}

} // namespace kaon::detail
