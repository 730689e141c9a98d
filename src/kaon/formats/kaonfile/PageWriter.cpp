#include <kaon/formats/kaonfile/PageWriter.h>

#include <kaon/base/Hash.h>
#include <kaon/codec/PageEncoding.h>
#include <kaon/codec/RoundTo.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/detail/batch/StridedCopy.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <ranges>
#include <set>

namespace kaon::kaonfile {
namespace {

/// Returns the rows of a table in these entries.
detail::RowRange rowsInEntries(const Batch& batch, TableNumber table, detail::RowRange entries) {
  const Table info = batch.schema().table(table);
  const detail::RowRange parents =
      info.isRoot() ? entries : rowsInEntries(batch, info.parent, entries);
  if (!info.isCounted())
    return parents;
  const auto offsets = batch.table(table).offsets;
  return {offsets[parents.first], offsets[parents.last]};
}

/// Returns the values of a column in these entries, counted in the batch.
detail::RowRange valuesInEntries(const Batch& batch, const Column& column,
                                 detail::RowRange entries) {
  const Table info = batch.schema().table(column.table);
  switch (column.role) {
  case ColumnRole::presence:
    return entries;
  case ColumnRole::counts:
    return info.isRoot() ? entries : rowsInEntries(batch, info.parent, entries);
  default:
    return rowsInEntries(batch, column.table, entries);
  }
}

/// Returns whether the values of a column are in an array as the file stores them.
bool liesInArray(const Batch& batch, const Column& column) {
  if (column.role != ColumnRole::member)
    return false;
  const Member member = batch.schema().table(column.table).members[column.member];
  return member.precision.kind == Precision::Kind::exact &&
         batch.table(column.table).members[column.member].stride == member.size();
}

/// Returns values from the beginning, the middle and the end of a large page.
Buffer sampleOf(const codec::BytesAt& bytes, std::size_t size, std::size_t elementSize) {
  constexpr std::size_t runs = 3;
  const std::size_t run = codec::partBytes / elementSize * elementSize;
  Buffer sample;
  for (std::size_t i = 0; i < runs; ++i)
    sample.append(bytes((size - run) / elementSize * i / (runs - 1) * elementSize, run));
  return sample;
}

/// A large page at the end of a temporary file. It is written in blocks.
class SpilledPage final : public codec::PartOutput {
public:
  explicit SpilledPage(io::SpillFile& file) : m_file(file), m_begin(file.size()) {}

  [[nodiscard]] std::uint64_t size() const noexcept override {
    return m_file.size() + m_block.size() - m_begin;
  }
  void append(std::span<const std::byte> bytes) override {
    m_block.append(bytes);
    if (m_block.size() >= codec::partBytes)
      flush();
  }
  void rewrite(std::uint64_t position, std::span<const std::byte> bytes) override {
    flush();
    m_file.rewrite(m_begin + position, bytes);
  }
  void shrink(std::uint64_t size) override {
    flush();
    m_file.shrink(m_begin + size);
  }
  /// Fills the file up to an aligned position, where the page begins. Call it for an empty page.
  void align() {
    static constexpr std::array<std::byte, alignment> zeros{};
    m_file.append(std::span(zeros).first(aligned(m_begin) - m_begin));
    m_begin = m_file.size();
  }
  /// States the size of the page, and its place in the cluster and checksum, or its bytes.
  void describe(PageEntry& page) {
    page.size = size();
    flush();
    if (page.size <= shortPage) {
      page.isShort = true;
      m_file.read(m_begin, std::span(page.bytes).first(static_cast<std::size_t>(page.size)));
      return m_file.shrink(m_begin);
    }
    ChecksumOfParts sum;
    for (std::uint64_t at = m_begin; at < m_file.size(); at += m_block.size()) {
      m_file.read(at,
                  m_block.assign(std::min<std::uint64_t>(codec::partBytes, m_file.size() - at)));
      sum.add(m_block.bytes());
    }
    page.position = m_begin;
    page.checksum = static_cast<std::uint32_t>(sum.value());
  }

private:
  void flush() {
    if (!m_block.empty())
      m_file.append(m_block.bytes());
    m_block.clear();
  }

  io::SpillFile& m_file;
  std::uint64_t m_begin;
  Buffer m_block;
};

/// A table of a group, and the bytes of a row that count for cutting pages.
struct TableWidth {
  TableNumber table;
  std::size_t width;
  std::size_t firstRow; // the first row of the page
};

/// Returns whether pages of all columns alternate, for each run of entries.
bool isInterleaved(const Schema& schema, TableNumber group) {
  return schema.table(group).layout != Layout::split;
}

/// Returns whether all columns of a page together, not only the widest, must be small. These pages
/// are for reading whole events.
bool isCutByEvent(const Schema& schema, TableNumber group) {
  return schema.table(group).layout == Layout::row;
}

/// Returns the bytes of a row in the widest column, or in all columns.
std::size_t widthOf(const Schema& schema, TableNumber table, bool ofAll) {
  std::size_t sum = 0, widest = 0;
  for (const ColumnNumber column : schema.columnsOf(table)) {
    sum += schema.columns()[column].elementSize;
    widest = std::max<std::size_t>(widest, schema.columns()[column].elementSize);
  }
  return ofAll ? sum : widest;
}

std::vector<TableWidth> widthsOf(const Schema& schema, TableNumber group) {
  std::vector<TableWidth> tables;
  for (const TableNumber root : schema.rootsOf(group))
    for (const TableNumber table : schema.tablesUnder(root))
      tables.push_back({table, widthOf(schema, table, isCutByEvent(schema, group)), 0});
  return tables;
}

/// Returns the page ends of tables with one row per entry, without counting rows.
std::vector<std::uint32_t> equalPages(std::size_t entries, std::size_t width,
                                      std::size_t pageBytes) {
  const std::size_t each = std::max<std::size_t>(pageBytes / std::max<std::size_t>(width, 4), 1);
  std::vector<std::uint32_t> ends;
  for (std::size_t end = each; end < entries; end += each)
    ends.push_back(static_cast<std::uint32_t>(end));
  ends.push_back(static_cast<std::uint32_t>(entries));
  return ends;
}

/// Returns whether rows in memory equal rows in the file: whole rows, no padding and no rounding.
bool liesAsInFile(const Table& info, const TableView& table) {
  std::uint32_t end = 0;
  for (MemberNumber i = 0; i < info.members.size(); ++i) {
    const Member member = info.members[i];
    if (member.offset != end || member.precision.kind != Precision::Kind::exact ||
        table.members[i].stride != info.rowSize ||
        table.members[i].base != table.members[0].base + member.offset)
      return false;
    end += member.size();
  }
  return end == info.rowSize;
}

/// Returns whether all entries lack the table.
bool isNeverThere(const Batch& batch, TableNumber root) {
  const auto present = batch.table(root).present;
  return !present.empty() && std::ranges::find(present, std::byte{1}) == present.end();
}

/// Returns whether all entries have the table.
bool isAlwaysThere(const Batch& batch, TableNumber table) {
  const auto present = batch.table(table).present;
  return std::ranges::find(present, std::byte{0}) == present.end();
}

/// Returns whether a column of an existing table must be stored. Columns without values are left
/// out, and so is the presence of a table that all entries have.
bool isNeeded(const Batch& batch, ColumnNumber column) {
  const Schema& schema = batch.schema();
  const Column& info = schema.columns()[column];
  if (info.role == ColumnRole::presence)
    return !isAlwaysThere(batch, info.table);
  const Table table = schema.table(info.table);
  const detail::RowRange all{0, batch.entries()};
  if (info.role == ColumnRole::counts)
    return table.isRoot() || rowsInEntries(batch, table.parent, all).last > 0;
  return rowsInEntries(batch, info.table, all).last > 0;
}

} // namespace

void PageWriter::encode(const Batch& batch, Which which) {
  const Schema& schema = batch.schema();
  begin(batch);
  const auto encodeGroups = [&](bool tags) {
    for (TableNumber table = 0; table < schema.size(); ++table)
      if (schema.groupOf(table) == table && has(schema.table(table).use, TableUse::tag) == tags)
        encodeGroup(batch, table);
  };
  encodeGroups(true); // Tags come first, so that they are read with the meta bytes.
  if (which == Which::all)
    encodeGroups(false);
  m_gathered.clear();
  ClusterMetaWriter meta(schema, m_buffers.meta);
  for (const auto& [column, pages] : m_columns)
    meta.add(column, pages);
  meta.finish();
}

void PageWriter::encodeFrom(const Batch& batch, TableNumber firstTable,
                            const KnownEnds& knownEnds) {
  const Schema& schema = batch.schema();
  begin(batch);
  std::set<std::uint32_t> groups;
  for (TableNumber table = firstTable; table < schema.size(); ++table)
    groups.insert(schema.groupOf(table));
  for (const TableNumber group : groups)
    encodeGroup(batch, group, firstTable, knownEnds(group));
  m_gathered.clear();
}

void PageWriter::begin(const Batch& batch) {
  addChoosers(batch.schema());
  m_columns.clear();
  m_gathered.clear();
  m_buffers.pages.clear();
  m_buffers.before.reset();
  // Clusters of several entries have at most half of the writer's memory.
  m_isHuge =
      !m_directory.empty() && detail::bytesOf(batch, 0, batch.entries()) > 4 * m_options.spareBytes;
}

void PageWriter::addChoosers(const Schema& schema) {
  for (std::uint32_t i = static_cast<std::uint32_t>(m_choosers.size()); i < schema.columns().size();
       ++i) {
    const Column& column = schema.columns()[i];
    std::optional<codec::Scheme> forced;
    if (!m_options.encodings.empty()) {
      const auto option = m_options.encodings.find(nameOf(schema, column));
      if (option != m_options.encodings.end() && column.role != ColumnRole::presence)
        forced = option->second;
    }
    m_choosers.emplace_back(elementOf(schema, column), m_options.codec, forced, m_options.goal,
                            m_similar.get());
  }
}

/// Returns the page ends: whole entries until a column reaches the page size, or all columns in row
/// layout.
std::vector<std::uint32_t> PageWriter::boundaries(const Batch& batch, TableNumber group) const {
  std::vector<TableWidth> tables = widthsOf(batch.schema(), group);
  const bool together = isCutByEvent(batch.schema(), group);
  if (std::ranges::none_of(
          tables, [&](const TableWidth& m) { return batch.schema().table(m.table).isCounted(); })) {
    std::size_t width = 0;
    for (const TableWidth& m : tables)
      width = together ? width + m.width : std::max(width, m.width);
    return equalPages(batch.entries(), width, m_options.pageBytes);
  }
  const auto isFull = [&](std::size_t entry) {
    std::size_t bytes = 0;
    for (const TableWidth& m : tables) {
      const std::size_t rows = rowsInEntries(batch, m.table, {0, entry}).last - m.firstRow;
      bytes = together ? bytes + rows * m.width : std::max(bytes, rows * m.width);
    }
    return bytes >= m_options.pageBytes;
  };
  const std::size_t mostEntries = std::max<std::size_t>((m_options.pageBytes + 3) / 4, 1);
  std::vector<std::uint32_t> ends;
  for (std::size_t first = 0; first < batch.entries();) {
    for (TableWidth& m : tables)
      m.firstRow = rowsInEntries(batch, m.table, {0, first}).last;
    const std::size_t last = std::min(batch.entries(), first + mostEntries);
    const auto later = std::views::iota(first + 1, last);
    const auto full = std::ranges::partition_point(later, std::not_fn(isFull));
    first += 1 + static_cast<std::size_t>(full - later.begin());
    ends.push_back(static_cast<std::uint32_t>(first));
  }
  return ends;
}

/// Encodes the tables of a group from `firstTable`. Known page ends are kept.
void PageWriter::encodeGroup(const Batch& batch, TableNumber group, TableNumber firstTable,
                             std::span<const std::uint32_t> knownEnds) {
  const Schema& schema = batch.schema();
  std::vector<std::uint32_t> columns;
  for (const TableNumber root : schema.rootsOf(group)) {
    if (root < firstTable || isNeverThere(batch, root))
      continue;
    for (const TableNumber table : schema.tablesUnder(root)) {
      for (const ColumnNumber column : schema.columnsOf(table))
        if (isNeeded(batch, column))
          columns.push_back(column);
    }
  }
  if (columns.empty())
    return;
  std::vector<std::uint32_t> ends(knownEnds.begin(), knownEnds.end());
  if (ends.empty()) {
    ends = boundaries(batch, group);
    m_columns[*std::ranges::min_element(columns)].ends = ends;
  }
  const auto encodePages = [&](ColumnNumber column, std::size_t page) {
    encodePage(batch, column, {page > 0 ? ends[page - 1] : 0, ends[page]});
  };
  if (isInterleaved(schema, group)) {
    for (std::size_t page = 0; page < ends.size(); ++page)
      for (const ColumnNumber column : columns)
        encodePages(column, page);
  } else {
    for (const ColumnNumber column : columns)
      for (std::size_t page = 0; page < ends.size(); ++page)
        encodePages(column, page);
  }
}

void PageWriter::encodePage(const Batch& batch, ColumnNumber column, detail::RowRange entries) {
  if (m_isHuge && encodeLargePage(batch, column, entries))
    return;
  const Column& info = batch.schema().columns()[column];
  const auto values = collect(batch, info, entries);
  ColumnPages& pages = m_columns[column];
  pages.pages.push_back(writePage(values, info.elementSize, m_choosers[column]));
  const auto [first, last] = membersIn(batch.schema(), info);
  for (MemberNumber member = first; member < last; ++member)
    pages.bounds.push_back(boundsOf(batch, info, member, entries, values));
  if (m_isHuge && m_buffers.pages.size() > codec::mostAtOnce)
    spill();
}

/// Encodes a page in parts if it is large. Returns false if it must be encoded at once.
bool PageWriter::encodeLargePage(const Batch& batch, ColumnNumber column,
                                 detail::RowRange entries) {
  const Column& info = batch.schema().columns()[column];
  const codec::Element element = elementOf(batch.schema(), info);
  const detail::RowRange values = valuesInEntries(batch, info, entries);
  const std::size_t size = values.size() * info.elementSize;
  if (size <= codec::mostAtOnce || element.size > codec::partBytes ||
      (info.elementSize > codec::partBytes && !liesInArray(batch, info)))
    return false;
  const codec::BytesAt bytes = bytesAt(batch, info, values);
  const auto scheme =
      m_choosers[column].chooseForParts(sampleOf(bytes, size, element.size).bytes());
  if (!scheme)
    return false;
  spill();
  SpilledPage out(*m_buffers.before);
  PageEntry page;
  page.values = static_cast<std::uint32_t>(values.size());
  const auto encode = [&](const codec::Scheme& how, Compression codec) {
    page.encoding = how.encoding;
    page.codec = codec::isNamedWithCodec(how.encoding) ? static_cast<std::uint8_t>(codec.codec) : 0;
    if (codec::encodeInParts(how, element, size, bytes, codec, out) &&
        isPlausible(out.size(), size))
      return true;
    out.shrink(0);
    return false;
  };
  const Compression codec = m_options.codec;
  if (!encode(Encoding::constant, codec) && !encode(*scheme, codec) &&
      (codec.codec == Codec::none || *scheme == Encoding::raw ||
       !encode(Encoding::compressed, lz4()))) {
    page.encoding = Encoding::raw;
    page.codec = 0;
    out.align();
    for (std::size_t first = 0; first < size; first += codec::partBytes)
      out.append(bytes(first, std::min(codec::partBytes, size - first)));
  }
  out.describe(page);
  ColumnPages& pages = m_columns[column];
  pages.pages.push_back(page);
  const auto [first, last] = membersIn(batch.schema(), info);
  for (MemberNumber member = first; member < last; ++member)
    pages.bounds.push_back(boundsInParts(batch, info, member, values));
  return true;
}

/// Returns the function that makes the bytes of a page: the values of a column from
/// `values.first` on.
codec::BytesAt PageWriter::bytesAt(const Batch& batch, const Column& column,
                                   detail::RowRange values) {
  return [&, values](std::size_t first, std::size_t count) {
    const std::size_t size = column.elementSize;
    const std::size_t firstValue = first / size;
    const std::size_t lastValue = (first + count + size - 1) / size;
    return collectValues(batch, column, {values.first + firstValue, values.first + lastValue})
        .subspan(first - firstValue * size, count);
  };
}

/// Returns the bounds of a member of a large page, which are found a few values at a time.
PageBounds PageWriter::boundsInParts(const Batch& batch, const Column& column, MemberNumber number,
                                     detail::RowRange values) {
  const Member member = batch.schema().table(column.table).members[number];
  const std::size_t most = std::max<std::size_t>(codec::partBytes / column.elementSize, 1);
  PageBounds all;
  for (std::size_t first = values.first; first < values.last; first += most) {
    const auto part = collectValues(batch, column, {first, std::min(first + most, values.last)});
    all.add(column.role == ColumnRole::member ? kaonfile::boundsOf(member.type, part)
                                              : boundsInRows(member, column.elementSize, part),
            member.type);
  }
  return all;
}

/// Moves the pages in memory to the temporary file.
void PageWriter::spill() {
  if (!m_buffers.before)
    m_buffers.before = std::make_unique<io::SpillFile>(m_directory);
  if (!m_buffers.pages.empty())
    m_buffers.before->append(m_buffers.pages.bytes());
  m_buffers.pages.clear();
}

/// Returns the bounds of a member, in a page of its own or in a page of rows.
PageBounds PageWriter::boundsOf(const Batch& batch, const Column& column, std::uint32_t number,
                                detail::RowRange entries, std::span<const std::byte> page) const {
  const Member member = batch.schema().table(column.table).members[number];
  if (column.role == ColumnRole::member)
    return kaonfile::boundsOf(member.type, page);
  // Contiguous values are faster.
  const ColumnView& values = batch.table(column.table).members[number];
  if (values.stride == member.size() && member.precision.kind == Precision::Kind::exact) {
    const auto [first, last] = rowsInEntries(batch, column.table, entries);
    return kaonfile::boundsOf(member.type, {values.at(first), (last - first) * values.stride});
  }
  return boundsInRows(member, column.elementSize, page);
}

PageBounds PageWriter::bounds(const Schema& schema, ColumnNumber column) const {
  PageBounds all;
  const Column& info = schema.columns()[column];
  for (const PageBounds& each : m_columns.at(column).bounds)
    all.add(each, schema.table(info.table).members[info.member].type);
  return all;
}

/// Returns the contiguous values of a page, in place or in a buffer.
std::span<const std::byte> PageWriter::collect(const Batch& batch, const Column& column,
                                               detail::RowRange entries) {
  const detail::RowRange values = valuesInEntries(batch, column, entries);
  if (column.role == ColumnRole::member &&
      !isInterleaved(batch.schema(), batch.schema().groupOf(column.table)))
    if (const auto all = m_gathered.values(batch, column.table, column.member))
      return all->subspan(values.first * column.elementSize, values.size() * column.elementSize);
  return collectValues(batch, column, values);
}

/// Returns these values of a column in the batch, in place or in a buffer.
std::span<const std::byte> PageWriter::collectValues(const Batch& batch, const Column& column,
                                                     detail::RowRange values) {
  const Table info = batch.schema().table(column.table);
  const TableView& table = batch.table(column.table);
  switch (column.role) {
  case ColumnRole::presence:
    return table.present.subspan(values.first, values.size());
  case ColumnRole::counts:
    return collectCounts(table, values);
  case ColumnRole::rows:
    return collectRows(info, table, values);
  case ColumnRole::member:
    break;
  }
  return collectMember(info.members[column.member], table.members[column.member], values);
}

/// Returns a member's values, rounded to its precision.
std::span<const std::byte> PageWriter::collectMember(const Member& member, const ColumnView& values,
                                                     detail::RowRange rows) {
  const std::size_t size = member.size();
  const std::size_t count = rows.last - rows.first;
  const bool isExact = member.precision.kind == Precision::Kind::exact;
  if (values.stride == size && isExact)
    return {values.at(rows.first), count * size};
  const auto out = m_buffers.values.assign(count * size);
  detail::copyStrided(out.data(), size, values.at(rows.first), values.stride, count, size);
  if (!isExact)
    codec::roundTo(member.precision, detail::elementOf(member), out, out);
  return out;
}

std::span<const std::byte> PageWriter::collectCounts(const TableView& table,
                                                     detail::RowRange parents) {
  const auto out = m_buffers.values.assign((parents.last - parents.first) * sizeof(std::uint32_t));
  auto* const counts = detail::valuesAt<std::uint32_t>(out.data());
  for (std::size_t i = parents.first; i < parents.last; ++i)
    counts[i - parents.first] = table.offsets[i + 1] - table.offsets[i];
  return out;
}

std::span<const std::byte> PageWriter::collectRows(const Table& info, const TableView& table,
                                                   detail::RowRange rows) {
  const std::size_t count = rows.last - rows.first;
  if (liesAsInFile(info, table))
    return {table.members[0].at(rows.first) - info.members[0].offset, count * info.rowSize};
  const auto out = m_buffers.rows.assign(count * info.rowSize);
  // Padding must not contain bytes of earlier data.
  std::ranges::fill(out, std::byte{0});
  m_copies.clear();
  for (std::size_t i = 0; i < info.members.size(); ++i) {
    const Member member = info.members[i];
    std::byte* const to = out.data() + member.offset;
    const std::size_t size = member.size();
    const ColumnView& values = table.members[i];
    if (member.precision.kind == Precision::Kind::exact)
      m_copies.push_back({to, info.rowSize, values.at(rows.first), values.stride, size});
    else
      detail::copyStrided(to, info.rowSize, collectMember(member, values, rows).data(), size, count,
                          size);
  }
  detail::copyTogether(m_copies, count);
  return out;
}

PageEntry PageWriter::writePage(std::span<const std::byte> values, std::size_t elementSize,
                                codec::EncodingChooser& chooser) {
  PageEntry entry;
  entry.values = static_cast<std::uint32_t>(values.size() / elementSize);
  const std::size_t before = m_buffers.pages.size();
  Codec codec = m_options.codec.codec;
  entry.encoding = chooser.shrink(values, m_buffers.pages);
  if (entry.encoding != Encoding::raw &&
      !isPlausible(m_buffers.pages.size() - before, values.size())) {
    m_buffers.pages.shrink(before);
    entry.encoding = writeBelievable(values, codec);
  }
  if (entry.encoding == Encoding::raw) {
    if (values.size() > shortPage)
      writeRaw(values);
    else
      m_buffers.pages.append(values);
  }
  entry.size = entry.encoding == Encoding::raw ? values.size() : m_buffers.pages.size() - before;
  if (codec::isNamedWithCodec(entry.encoding))
    entry.codec = static_cast<std::uint8_t>(codec);
  const std::size_t position = m_buffers.pages.size() - static_cast<std::size_t>(entry.size);
  const auto stored = m_buffers.pages.bytes().subspan(position);
  if (stored.size() <= shortPage) {
    entry.isShort = true;
    std::ranges::copy(stored, entry.bytes.begin());
    m_buffers.pages.shrink(before);
    return entry;
  }
  entry.position = bytesBefore() + position;
  entry.checksum = pageChecksum(stored);
  return entry;
}

/// Encodes values that were compressed too much for readers to accept. Uses LZ4, which shrinks at
/// most 255 times. Returns raw if that fails, or if no codec is wanted.
Encoding PageWriter::writeBelievable(std::span<const std::byte> values, Codec& codec) {
  if (codec == Codec::none ||
      !codec::encode(Encoding::compressed, {}, values, lz4(), m_buffers.pages))
    return Encoding::raw;
  codec = Codec::lz4;
  return Encoding::compressed;
}

/// Writes an aligned page, so that it can be used in place in a mapped file.
void PageWriter::writeRaw(std::span<const std::byte> values) {
  static constexpr std::array<std::byte, alignment> zeros{};
  const std::size_t step = values.size() < alignment ? shortAlignment : alignment;
  const std::size_t end = static_cast<std::size_t>(bytesBefore() % step) + m_buffers.pages.size();
  m_buffers.pages.append(std::span(zeros).first((step - end % step) % step));
  m_buffers.pages.append(values);
}

} // namespace kaon::kaonfile
