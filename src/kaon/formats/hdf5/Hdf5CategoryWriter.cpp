#include <kaon/formats/hdf5/Hdf5CategoryWriter.h>

#include <kaon/base/Error.h>
#include <kaon/base/Tasks.h>
#include <kaon/batch/MemberValues.h>
#include <kaon/detail/batch/BatchRows.h>
#include <kaon/formats/hdf5/Attributes.h>
#include <kaon/model/KnownTables.h>
#include <kaon/model/SchemaDocument.h>

#include <algorithm>
#include <cstring>

namespace kaon::hdf5 {
namespace {

Buffer copyOf(std::span<const std::byte> bytes) {
  Buffer copy;
  copy.append(bytes);
  return copy;
}

GatheredBatch::Rows rowsOfTable(const Table& info, const TableView& view, detail::RowRange rows,
                                detail::RowRange parents) {
  GatheredBatch::Rows gathered;
  gathered.count = rows.size();
  if (info.isCounted())
    gathered.offsets =
        copyOf(std::as_bytes(view.offsets.subspan(parents.first, parents.size() + 1)));
  if (std::ranges::find(view.present, std::byte{0}) != view.present.end())
    gathered.present = copyOf(view.present);
  for (MemberNumber number = 0; number < info.members.size(); ++number) {
    const Member member = info.members[number];
    Buffer& values = gathered.members.emplace_back();
    if (rows.size() == 0)
      continue;
    const std::byte* const from =
        valuesInOrder(member, view.members[number], rows.first, rows.size(), values);
    if (values.empty())
      values.append({from, rows.size() * member.size()});
  }
  return gathered;
}

/// Adds rows of the same value in small parts, because all of them may not fit into memory.
void repeat(hid_t file, DatasetWriter& dataset, std::uint64_t value, std::uint64_t rows,
            const std::string& where) {
  constexpr std::size_t partBytes = std::size_t{1} << 20;
  const std::uint64_t most = std::max<std::uint64_t>(1, partBytes / dataset.rowBytes());
  while (rows > 0) {
    const std::uint64_t part = std::min(rows, most);
    dataset.appendRepeated(value, static_cast<std::size_t>(part));
    rows -= part;
    if (rows == 0)
      return;
    dataset.encode();
    const LibraryLock lock;
    dataset.write(file, where);
  }
}

/// Throws for names that HDF5 cannot store.
void checkNames(const TablePath& path, const std::string& file) {
  const auto check = [&](std::string_view name) {
    if (name.size() > mostNameBytes)
      fail(ErrorKind::usage, file, ": the name '", name.substr(0, 80), "...' has ", name.size(),
           " bytes; names of groups and datasets of HDF5 have at most ", mostNameBytes);
  };
  check(std::string_view(path.group).substr(path.group.rfind('/') + 1));
  for (const std::string& member : path.members)
    check(member);
}

Hdf5Handle openGroup(hid_t file, const std::string& path, const std::string& where) {
  const Hdf5Handle names(H5Pcreate(H5P_LINK_CREATE));
  (void)H5Pset_char_encoding(names.get(), H5T_CSET_UTF8);
  (void)H5Pset_create_intermediate_group(names.get(), 1);
  Hdf5Handle group(H5Lexists(file, path.c_str(), H5P_DEFAULT) > 0
                       ? H5Gopen2(file, path.c_str(), H5P_DEFAULT)
                       : H5Gcreate2(file, path.c_str(), names.get(), H5P_DEFAULT, H5P_DEFAULT));
  if (!group.isOpen())
    failWriting(where, "cannot create the group '" + path + "'");
  return group;
}

} // namespace

std::size_t GatheredBatch::bytes() const noexcept {
  std::size_t sum = 0;
  for (const Rows& table : tables) {
    sum += table.offsets.capacity() + table.present.capacity();
    for (const Buffer& member : table.members)
      sum += member.capacity();
  }
  return sum;
}

std::unique_ptr<GatheredBatch> gather(std::string_view category, const Batch& batch,
                                      const Schema& split) {
  auto gathered = std::make_unique<GatheredBatch>();
  gathered->category = category;
  gathered->schema = split;
  gathered->entries = batch.entries();
  const std::vector<detail::RowRange> rows = detail::rowsOf(batch, 0, batch.entries());
  for (std::uint32_t number = 0; number < split.size(); ++number) {
    const Table info = split.table(number);
    const detail::RowRange parents =
        info.isRoot() ? detail::RowRange{0, batch.entries()} : rows[info.parent];
    gathered->tables.push_back(rowsOfTable(info, batch.table(number), rows[number], parents));
  }
  return gathered;
}

void Hdf5CategoryWriter::addTables(const Schema& split, const std::string& file) {
  checkKnownTables(split, m_schema, file, m_name);
  const std::uint32_t known = m_schema.size();
  if (split.size() <= known)
    return;
  checkRowBytes(split, known, file);
  Schema schema = m_schema;
  for (TableNumber table = known; table < split.size(); ++table)
    schema.add(split.table(table).definition());
  std::vector<TablePath> paths = tablePaths(schema);
  for (TableNumber table = known; table < schema.size(); ++table)
    checkNames(paths[table], file);
  m_schema = std::move(schema);
  m_paths = std::move(paths);
}

std::uint64_t Hdf5CategoryWriter::rowsAbove(TableNumber table) const {
  const Table info = m_schema.table(table);
  return info.isRoot() ? m_entries : m_tables[info.parent].rows;
}

DatasetWriter Hdf5CategoryWriter::writerOf(TableNumber table, std::string_view dataset,
                                           const MemberDefinition& member) const {
  const Table info = m_schema.table(table);
  const bool isDescribed = !member.description.empty() || info.isCounted();
  return {{'/' + m_name + m_paths[table].group + '/' + std::string(dataset), member.type,
           member.extent, member.unit,
           isDescribed ? member.description : std::string(info.description)},
          m_chunkBytes,
          m_level};
}

/// Begins the next table, and adds rows for earlier entries.
void Hdf5CategoryWriter::beginTable(hid_t file, const std::string& where) {
  const auto number = static_cast<std::uint32_t>(m_tables.size());
  const Table info = m_schema.table(number);
  TableWriter& table = m_tables.emplace_back();
  if (info.isCounted()) {
    table.offsets = std::make_unique<DatasetWriter>(
        writerOf(number, offsetsName, {.name = "", .type = Scalar::UInt64}));
    table.offsets->appendRepeated(0, 1);
  }
  for (MemberNumber member = 0; member < info.members.size(); ++member)
    table.members.push_back(
        writerOf(number, m_paths[number].members[member], info.members[member].definition()));
  if (const std::uint64_t above = rowsAbove(number); above > 0)
    appendMissing(file, number, above, 0, where);
}

/// Begins to record which entries have a table, once the first entry lacks it.
void Hdf5CategoryWriter::ensurePresence(hid_t file, TableNumber number, std::uint64_t entriesBefore,
                                        const std::string& where) {
  TableWriter& table = m_tables[number];
  if (table.present)
    return;
  table.present = std::make_unique<DatasetWriter>(
      writerOf(number, presentName, {.name = "", .type = Scalar::Bool}));
  repeat(file, *table.present, 1, entriesBefore, where);
}

void Hdf5CategoryWriter::appendMissing(hid_t file, TableNumber number, std::uint64_t above,
                                       std::uint64_t entriesBefore, const std::string& where) {
  const Table info = m_schema.table(number);
  TableWriter& table = m_tables[number];
  if (info.canBeAbsent()) {
    ensurePresence(file, number, entriesBefore, where);
    repeat(file, *table.present, 0, above, where);
  }
  if (info.isCounted())
    return repeat(file, *table.offsets, table.rows, above, where);
  for (MemberNumber member = 0; member < info.members.size(); ++member)
    repeat(file, table.members[member], info.members[member].missing, above, where);
  table.rows += above;
}

void Hdf5CategoryWriter::appendRows(TableNumber number, const GatheredBatch::Rows& rows) {
  TableWriter& table = m_tables[number];
  if (table.offsets) {
    const auto offsets = rows.offsets.bytes();
    const std::size_t count = offsets.size() / sizeof(std::uint32_t);
    std::uint32_t first = 0, each = 0;
    std::memcpy(&first, offsets.data(), sizeof(first));
    std::vector<std::uint64_t> ends(count - 1);
    for (std::size_t i = 1; i < count; ++i) {
      std::memcpy(&each, offsets.data() + i * sizeof(each), sizeof(each));
      ends[i - 1] = table.rows + (each - first);
    }
    table.offsets->append(std::as_bytes(std::span(ends)));
  }
  for (std::size_t member = 0; member < table.members.size(); ++member)
    table.members[member].append(rows.members[member].bytes());
  table.rows += rows.count;
}

void Hdf5CategoryWriter::append(hid_t file, const GatheredBatch& batch, const std::string& where) {
  while (m_tables.size() < m_schema.size())
    beginTable(file, where);
  std::vector<std::uint64_t> before;
  for (const TableWriter& table : m_tables)
    before.push_back(table.rows);
  for (std::uint32_t number = 0; number < m_tables.size(); ++number) {
    const Table info = m_schema.table(number);
    if (number < batch.tables.size()) {
      const GatheredBatch::Rows& rows = batch.tables[number];
      if (!rows.present.empty())
        ensurePresence(file, number, m_entries, where);
      appendRows(number, rows);
      if (!rows.present.empty())
        m_tables[number].present->append(rows.present.bytes());
      else if (m_tables[number].present)
        repeat(file, *m_tables[number].present, 1, batch.entries, where);
    } else {
      const std::uint64_t above =
          info.isRoot() ? batch.entries : m_tables[info.parent].rows - before[info.parent];
      appendMissing(file, number, above, m_entries, where);
    }
  }
  m_entries += batch.entries;
  const std::vector<DatasetWriter*> all = datasets();
  forEach(all.size(), [&](std::size_t i) { all[i]->encode(); });
  const LibraryLock lock;
  for (DatasetWriter* const dataset : all)
    dataset->write(file, where);
}

std::vector<DatasetWriter*> Hdf5CategoryWriter::datasets() {
  std::vector<DatasetWriter*> all;
  for (TableWriter& table : m_tables) {
    for (DatasetWriter* const dataset : {table.offsets.get(), table.present.get()})
      if (dataset)
        all.push_back(dataset);
    for (DatasetWriter& member : table.members)
      all.push_back(&member);
  }
  return all;
}

void Hdf5CategoryWriter::finish(hid_t file, const std::string& where) {
  while (m_tables.size() < m_schema.size())
    beginTable(file, where);
  for (DatasetWriter* const dataset : datasets())
    dataset->finish(file, where);
}

void Hdf5CategoryWriter::describe(hid_t file, std::uint64_t ownNumber,
                                  const std::string& where) const {
  const std::string path = '/' + m_name;
  const Hdf5Handle category = openGroup(file, path, where);
  std::vector<std::string> names;
  for (TableNumber number = 0; number < m_schema.size(); ++number) {
    const Table info = m_schema.table(number);
    names.emplace_back(info.name);
    if (!info.isCounted())
      continue;
    const Hdf5Handle group = openGroup(file, path + m_paths[number].group, where);
    if (!info.type.empty())
      putAttribute(group.get(), "type", info.type, where);
    if (!info.description.empty())
      putAttribute(group.get(), "description", info.description, where);
  }
  putAttribute(category.get(), "entries", m_entries, where);
  putAttribute(category.get(), "number", ownNumber, where);
  putAttribute(category.get(), "tables", names, where);
}

std::string Hdf5CategoryWriter::schemaDocument() const {
  SchemaDocument document{m_schema, {}};
  for (std::uint32_t number = 0; number < m_tables.size(); ++number)
    if (m_tables[number].present)
      document.absent.push_back(number);
  return toJson(document);
}

} // namespace kaon::hdf5
