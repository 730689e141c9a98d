#include <kaon/formats/root/ntuple/ClusterEncoder.h>

#include <kaon/base/Hash.h>
#include <kaon/batch/MemberValues.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/formats/root/container/Blocks.h>
#include <kaon/formats/root/ntuple/ElementEncoding.h>
#include <kaon/formats/root/ntuple/Elements.h>

#include <algorithm>
#include <cstring>

namespace kaon::root {
namespace {

constexpr std::size_t mostPageBytes = std::size_t{64} << 20;
/// In pages of 1 MiB, ROOT's size, the planes of bytes are long enough for codecs to adapt to each.
/// Pages of 64 KiB, kaon's size, would make files larger by a tenth.
constexpr std::size_t timesPageBytes = 16;

} // namespace

ElementForm elementFormOf(const Schema& schema, std::uint32_t number) noexcept {
  const Column& column = schema.columns()[number];
  if (column.role != ColumnRole::member)
    return {column.elementSize, 1};
  const Member member = schema.table(column.table).members[column.member];
  return {sizeOf(member.type), member.extent};
}

ClusterEncoder::ClusterEncoder(Compression codec, std::size_t pageBytes, bool hasWideEnds)
    : m_codec(codec),
      m_pageBytes(timesPageBytes *
                  std::clamp<std::size_t>(pageBytes, 1, mostPageBytes / timesPageBytes)),
      m_hasWideEnds(hasWideEnds) {}

NTupleColumnType ClusterEncoder::typeOf(const Schema& schema, const Column& column) const noexcept {
  const bool isCompressed = m_codec.codec != Codec::none;
  if (column.role == ColumnRole::counts)
    return indexTypeFor(isCompressed, m_hasWideEnds);
  if (column.role == ColumnRole::presence)
    return NTupleColumnType::Bit;
  return columnTypeFor(schema.table(column.table).members[column.member].type, isCompressed);
}

/// Returns the rows of each table in the batch.
std::vector<ClusterEncoder::RowRange> ClusterEncoder::rowsOf(const Schema& schema,
                                                             const Batch& batch) {
  std::vector<RowRange> ranges;
  for (std::uint32_t number = 0; number < schema.size(); ++number) {
    const Table table = schema.table(number);
    const RowRange above = table.isRoot() ? RowRange{0, batch.entries()} : ranges[table.parent];
    const auto offsets = batch.table(number).offsets;
    ranges.push_back(table.isCounted() ? RowRange{offsets[above.first], offsets[above.last]}
                                       : above);
  }
  return ranges;
}

/// Returns slightly more memory than all values need. Growing a buffer later would copy it into new
/// memory from the system.
std::size_t ClusterEncoder::roomFor(const Schema& schema, std::span<const RowRange> ranges) const {
  std::size_t bytes = 0;
  for (std::uint32_t number = 0; number < schema.columns().size(); ++number) {
    const ElementForm form = elementFormOf(schema, number);
    bytes += ranges[schema.columns()[number].table].size() * form.size * form.perRow;
  }
  return bytes + bytes / 64 + 2 * std::min(m_pageBytes, bytes);
}

void ClusterEncoder::encode(const Schema& schema, const Batch& batch,
                            EncodedNTupleCluster& cluster) {
  const std::vector<RowRange> ranges = rowsOf(schema, batch);
  cluster.pages.reserve(roomFor(schema, ranges));
  cluster.entries = batch.entries();
  for (const RowRange& range : ranges)
    cluster.rows.push_back(range.size());
  for (std::uint32_t number = 0; number < schema.columns().size(); ++number) {
    const Column& column = schema.columns()[number];
    const Table info = schema.table(column.table);
    const TableView& table = batch.table(column.table);
    const RowRange entries{0, batch.entries()};
    const RowRange above = info.isRoot() ? entries : ranges[info.parent];
    const auto encodeRows = [&](RowRange rows, auto collect) {
      cluster.columns[number] = encodePages(
          schema, number, rows.size(), cluster.pages, [&](std::size_t first, std::size_t last) {
            return collect(RowRange{rows.first + first, rows.first + last});
          });
    };
    if (column.role == ColumnRole::counts) {
      encodeRows(above, [&](RowRange rows) { return collectEnds(table, rows); });
    } else if (column.role == ColumnRole::member) {
      const Member member = info.members[column.member];
      encodeRows(ranges[column.table], [&](RowRange rows) {
        return valuesInOrder(member, table.members[column.member], rows.first, rows.size(),
                             m_values);
      });
    } else if (std::ranges::find(table.present, std::byte{0}) != table.present.end()) {
      encodeRows(entries, [&](RowRange rows) { return table.present.data() + rows.first; });
    }
  }
}

std::vector<EncodedPage> ClusterEncoder::encodeMissing(const Schema& schema, std::uint32_t number,
                                                       std::uint64_t rows, std::byte presence,
                                                       Buffer& pages) {
  const Column& column = schema.columns()[number];
  const ElementForm form = elementFormOf(schema, number);
  std::uint64_t bits = 0; // of each value
  if (column.role == ColumnRole::presence)
    bits = std::to_integer<std::uint64_t>(presence);
  else if (column.role == ColumnRole::member)
    bits = schema.table(column.table).members[column.member].missing;
  return encodePages(schema, number, static_cast<std::size_t>(rows), pages,
                     [&](std::size_t first, std::size_t last) {
                       const std::size_t elements = (last - first) * form.perRow;
                       const auto values = m_values.assign(elements * form.size);
                       for (std::size_t i = 0; i < elements; ++i)
                         std::memcpy(values.data() + i * form.size, &bits, form.size);
                       return static_cast<const std::byte*>(values.data());
                     });
}

/// Encodes rows in pages. `collect` returns a pointer to the contiguous values of some rows.
template <class Collect>
std::vector<EncodedPage> ClusterEncoder::encodePages(const Schema& schema, std::uint32_t column,
                                                     std::size_t rows, Buffer& pages,
                                                     Collect collect) {
  const ElementForm form = elementFormOf(schema, column);
  const std::size_t rowBytes = std::size_t{form.size} * form.perRow;
  const std::size_t each = std::max<std::size_t>(m_pageBytes / rowBytes, 1);
  std::vector<EncodedPage> encoded;
  for (std::size_t first = 0; first < rows; first += each) {
    const std::size_t last = std::min(first + each, rows);
    encoded.push_back(
        encodePage(schema, column, collect(first, last), (last - first) * form.perRow, pages));
  }
  return encoded;
}

EncodedPage ClusterEncoder::encodePage(const Schema& schema, std::uint32_t number,
                                       const std::byte* values, std::size_t elements,
                                       Buffer& pages) {
  const Column& column = schema.columns()[number];
  const NTupleColumnType type = typeOf(schema, column);
  const StoredColumn stored{.type = type, .bits = bitsOf(type)};
  const auto size = static_cast<std::size_t>(pageBytes(stored, elements));
  const auto scratch = m_scratch.assign(
      elements * std::max<std::size_t>(elementFormOf(schema, number).size, stored.bits / 8));
  const auto out = m_elements.assign(size);
  encodeElements(type, values, elements, scratch.data(), out.data());
  EncodedPage page{pages.size(), 0, static_cast<std::uint32_t>(elements)};
  const bool hasPlanes = isSplit(type) || stored.bits == 8;
  if (!compressBlocks(m_codec, out, pages, hasPlanes ? elements : 0))
    pages.append(out);
  const auto bytes = pages.bytes().subspan(static_cast<std::size_t>(page.position));
  page.bytes = static_cast<std::uint32_t>(bytes.size());
  const std::uint64_t sum = checksum(bytes);
  pages.append(std::as_bytes(std::span(&sum, 1)));
  return page;
}

/// Collects the ends of the rows below each of these rows, counted from the first row of the batch.
const std::byte* ClusterEncoder::collectEnds(const TableView& table, RowRange parents) {
  const auto out = m_values.assign(parents.size() * sizeof(std::uint32_t));
  auto* const ends = detail::valuesAt<std::uint32_t>(out.data());
  const std::uint32_t begin = table.offsets[0];
  for (std::size_t i = parents.first; i < parents.last; ++i)
    ends[i - parents.first] = table.offsets[i + 1] - begin;
  return out.data();
}

} // namespace kaon::root
