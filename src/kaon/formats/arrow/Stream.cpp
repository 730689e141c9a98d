#include <kaon/formats/arrow/Stream.h>

#include <kaon/base/Error.h>
#include <kaon/formats/arrow/ColumnMemory.h>
#include <kaon/formats/arrow/EntryColumns.h>
#include <kaon/formats/arrow/FieldArray.h>
#include <kaon/formats/arrow/FieldSchema.h>
#include <kaon/formats/arrow/MarkedType.h>
#include <kaon/formats/arrow/StreamArrays.h>
#include <kaon/formats/arrow/StreamRows.h>
#include <kaon/formats/arrow/StreamTables.h>
#include <kaon/reading/ColumnReader.h>
#include <kaon/reading/NamedMembers.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace kaon::arrow {
namespace {

/// Reads the entries of a category, some at a time.
class CategoryArrays final : public ArraySource {
public:
  CategoryArrays(std::shared_ptr<const File> file, const Source& source,
                 const std::vector<WantedColumn>& columns, ArrowField entry,
                 const StreamOptions& options)
      : m_file(std::move(file)), m_source(&source),
        m_wanted(wantedMembers(source.schema(), columns)), m_entry(std::move(entry)),
        m_names(source.schema()), m_clusters(source.clusters()),
        m_last(std::min<std::uint64_t>(options.entries.last, source.entries())),
        m_next(std::min(options.entries.first, m_last)), m_mostBytes(options.mostBytes) {
    for (const auto& [table, members] : m_wanted)
      m_tables.push_back(table);
  }

  [[nodiscard]] ArrowSchema schema() const override { return schemaOf(m_entry); }

  [[nodiscard]] ArrowArray next() override {
    if (m_next == m_last)
      return {};
    const ColumnMemory columns = read();
    const ArrowArray array = arrayOf(m_entry, columns, m_names, m_source->name());
    m_next += columns.entries;
    return array;
  }

private:
  [[nodiscard]] EntryRange wholeClusters() const;
  [[nodiscard]] ColumnMemory read() const;

  std::shared_ptr<const File> m_file;
  const Source* m_source;
  WantedMembers m_wanted;
  std::vector<std::uint32_t> m_tables;
  ArrowField m_entry;
  CollectionNames m_names;
  std::vector<EntryRange> m_clusters;
  std::uint64_t m_last;
  std::uint64_t m_next;
  std::size_t m_mostBytes;
};

/// Returns the rest of the current cluster, and further clusters if it is small.
EntryRange CategoryArrays::wholeClusters() const {
  constexpr std::uint64_t few = 4096; // fewer entries make arrays that consumers handle slowly
  auto cluster = std::ranges::upper_bound(m_clusters, m_next, {}, &EntryRange::last);
  std::uint64_t last = m_next;
  for (; cluster != m_clusters.end() && last < m_last && last - m_next < few; ++cluster)
    last = std::min(cluster->last, m_last);
  return {m_next, last > m_next ? last : m_last};
}

ColumnMemory CategoryArrays::read() const {
  EntryRange range = wholeClusters();
  if (m_tables.empty())
    return {static_cast<std::size_t>(range.size())};
  while (true) {
    ColumnReader reader(*m_source, m_tables, range, m_file);
    const double bytes = bytesOf(reader, m_source->schema(), m_wanted);
    const auto most = static_cast<double>(m_mostBytes);
    if (bytes <= most || range.size() == 1)
      return readColumns(reader, m_source->schema(), m_wanted);
    const double fitting = static_cast<double>(range.size()) * (most / bytes);
    range.last = range.first + std::clamp<std::uint64_t>(static_cast<std::uint64_t>(fitting), 1,
                                                         range.size() - 1);
  }
}

} // namespace

std::vector<WantedColumn> columnsNamed(const Source& source,
                                       const std::vector<std::string>& names) {
  const Schema& schema = source.schema();
  std::vector<WantedColumn> columns;
  if (names.empty())
    for (TableNumber table = 0; table < schema.size(); ++table) {
      columns.emplace_back(table, noMember);
      for (MemberNumber member = 0; member < schema.table(table).members.size(); ++member)
        columns.emplace_back(table, member);
    }
  for (const std::string& name : names) {
    if (const TableNumber table = schema.find(name); table != Table::none)
      columns.emplace_back(table, noMember);
    std::ranges::copy(detail::membersBelow(source, name), std::back_inserter(columns));
  }
  return columns;
}

ArrowArrayStream streamOf(std::shared_ptr<const File> file, std::string_view category,
                          const std::vector<std::string>& names, const StreamOptions& options) {
  const Source& source = file->category(category);
  return streamOf(std::move(file), source, columnsNamed(source, names), options);
}

std::unique_ptr<ArraySource> arraysOf(std::shared_ptr<const File> file, const Source& source,
                                      const std::vector<WantedColumn>& columns, ArrowField entry,
                                      const StreamOptions& options) {
  return std::make_unique<CategoryArrays>(std::move(file), source, columns, std::move(entry),
                                          options);
}

ArrowArrayStream streamOf(std::shared_ptr<const File> file, const Source& source,
                          const std::vector<WantedColumn>& columns, const StreamOptions& options) {
  ArrowField entry = entryField(source.schema(), columns, options.nesting);
  return streamOf(arraysOf(std::move(file), source, columns, std::move(entry), options));
}

namespace {

/// Returns the rows of a stream without a model. Each field has one table under the entries.
StreamRows rowsOf(const ArrowSchema& type) {
  checkEntries(type);
  const Schema tables = tablesOf(type);
  std::vector<PlannedField> fields;
  for (TableNumber table = 0; table < tables.size(); ++table)
    if (tables.table(table).isRoot())
      fields.push_back({type.children[fields.size()], table});
  return StreamRows(columnsOf(tables, {}, fields));
}

} // namespace

std::vector<FieldPath> fieldsWithNulls(ArrowArrayStream stream) {
  StreamArrays arrays(stream, ErrorKind::io);
  MarkedType marked(arrays.type());
  while (const ArrowArray* const entries = arrays.next())
    marked.mark(*entries, EntryForm::stream);
  return marked.marked();
}

void writeStream(ArrowArrayStream stream, std::string_view category, BatchWriter& out,
                 const std::vector<FieldPath>& optionals) {
  StreamArrays arrays(stream, ErrorKind::io);
  MarkedType marked(arrays.type());
  for (const FieldPath& path : optionals)
    marked.mark(path);
  const ArrowArray* entries = arrays.next();
  if (entries)
    marked.mark(*entries, EntryForm::stream);
  StreamRows rows = rowsOf(marked.type());
  if (!entries)
    return out.write(category, rows.emptyBatch()); // a stream without arrays still makes a category
  for (; entries; entries = arrays.next())
    out.write(category, rows.batch(*entries));
}

void writeArray(const ArrowSchema& schema, const ArrowArray& entries, std::string_view category,
                BatchWriter& out) {
  StreamRows rows = rowsOf(schema);
  out.write(category, rows.batch(entries));
}

} // namespace kaon::arrow
