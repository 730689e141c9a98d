#include <kaon/formats/root/ntuple/NTupleWriter.h>

#include <kaon/formats/root/ntuple/DescriptorWriter.h>
#include <kaon/formats/root/ntuple/FieldPlan.h>
#include <kaon/model/KnownTables.h>
#include <kaon/model/SchemaDocument.h>
#include <kaon/model/SplitSchema.h>

#include <algorithm>
#include <utility>

namespace kaon::root {
namespace {

constexpr std::size_t mostBlobBytes = std::size_t{512} << 20;

/// Writes pages as records of several pages each. Sets the positions of the pages in the file.
void writePages(ContainerWriter& file, std::span<const std::byte> bytes,
                std::span<EncodedPage*> pages) {
  std::size_t first = 0;
  while (first < pages.size()) {
    const std::uint64_t begin = pages[first]->position;
    std::uint64_t end = begin;
    std::size_t last = first;
    for (; last < pages.size(); ++last) {
      const std::uint64_t next = pages[last]->position + pages[last]->bytes + pageChecksumBytes;
      if (last > first && next - begin > mostBlobBytes)
        break;
      end = next;
    }
    const std::uint64_t position = file.writeBlob(
        bytes.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
    for (; first < last; ++first)
      pages[first]->position += position - begin;
  }
}

} // namespace

void NTupleWriter::addTables(const Schema& schema, const std::string& file) {
  const Schema split = splitSchema(schema);
  const std::uint32_t known = m_schema.size();
  checkKnownTables(split, m_schema, file, m_name);
  checkRowBytes(split, known, file);
  for (std::uint32_t table = known; table < split.size(); ++table)
    m_schema.add(split.table(table).definition());
}

std::unique_ptr<EncodedEntries> NTupleWriter::encode(const Schema& schema, const Batch& batch,
                                                     Buffer pages) const {
  auto cluster = std::make_unique<EncodedNTupleCluster>();
  cluster->pages = std::move(pages);
  ClusterEncoder(m_codec, m_pageBytes, m_hasWideEnds).encode(schema, batch, *cluster);
  return cluster;
}

void NTupleWriter::write(ContainerWriter& file, EncodedEntries& encoded) {
  auto& cluster = dynamic_cast<EncodedNTupleCluster&>(encoded);
  std::vector<EncodedPage*> pages;
  for (auto& [column, ofColumn] : cluster.columns)
    for (EncodedPage& page : ofColumn)
      pages.push_back(&page);
  writePages(file, cluster.pages.bytes(), pages);
  const auto tables = static_cast<std::uint32_t>(cluster.rows.size());
  m_clusters.push_back(
      {cluster.entries, tables, std::move(cluster.rows), std::move(cluster.columns)});
}

/// Returns the tables that some entries lack, including tables that came later.
std::vector<std::uint32_t> NTupleWriter::absentTables() const {
  std::vector<std::uint32_t> absent;
  for (std::uint32_t table = 0; table < m_schema.size(); ++table) {
    if (!m_schema.table(table).canBeAbsent())
      continue;
    const std::uint32_t presence = m_schema.presenceColumn(table);
    if (std::ranges::any_of(m_clusters, [&](const WrittenCluster& cluster) {
          return table >= cluster.tables || cluster.columns.contains(presence);
        }))
      absent.push_back(table);
  }
  return absent;
}

/// Returns the rows of a table in a cluster. Works for tables that came later, too.
std::uint64_t NTupleWriter::rowsOf(const WrittenCluster& cluster, std::uint32_t table) const {
  if (table < cluster.tables)
    return cluster.rows[table];
  const Table info = m_schema.table(table);
  if (info.isCounted())
    return 0;
  return info.isRoot() ? cluster.entries : rowsOf(cluster, info.parent);
}

/// Returns the number of rows for which a column has values.
std::uint64_t NTupleWriter::valuesIn(const WrittenCluster& cluster, std::uint32_t number) const {
  const Column& column = m_schema.columns()[number];
  const Table info = m_schema.table(column.table);
  if (column.role == ColumnRole::member)
    return rowsOf(cluster, column.table);
  return info.isRoot() ? cluster.entries : rowsOf(cluster, info.parent);
}

void NTupleWriter::fillMissing(ContainerWriter& file, WrittenCluster& cluster,
                               const std::vector<std::uint32_t>& columns) {
  Buffer bytes;
  ClusterEncoder encoder(m_codec, m_pageBytes, m_hasWideEnds);
  std::vector<std::uint32_t> filled;
  for (const std::uint32_t column : columns)
    if (!cluster.columns.contains(column)) {
      const std::byte isThere{m_schema.columns()[column].table < cluster.tables};
      cluster.columns[column] =
          encoder.encodeMissing(m_schema, column, valuesIn(cluster, column), isThere, bytes);
      filled.push_back(column);
    }
  std::vector<EncodedPage*> pages;
  for (const std::uint32_t column : filled)
    for (EncodedPage& page : cluster.columns[column])
      pages.push_back(&page);
  writePages(file, bytes.bytes(), pages);
}

std::string NTupleWriter::finish(ContainerWriter& file) {
  const std::vector<std::uint32_t> absent = absentTables();
  describe(file, planFields(m_schema, absent, m_codec.codec != Codec::none,
                            {.hasWideEnds = m_hasWideEnds}));
  return toJson({m_schema, absent});
}

void NTupleWriter::finish(ContainerWriter& file, FieldForm form) {
  form.hasWideEnds = m_hasWideEnds;
  describe(file, planFields(m_schema, {}, m_codec.codec != Codec::none, form));
}

void NTupleWriter::describe(ContainerWriter& file, const FieldPlan& plan) {
  DescriptorWriter descriptor(file, m_name, m_codec);
  descriptor.writeHeader(plan);
  for (WrittenCluster& cluster : m_clusters) {
    fillMissing(file, cluster, plan.sources);
    std::vector<std::span<const EncodedPage>> columns;
    for (const std::uint32_t source : plan.sources)
      columns.push_back(cluster.columns[source]);
    descriptor.addCluster(cluster.entries, columns);
    cluster = {};
  }
  descriptor.finish();
}

} // namespace kaon::root
