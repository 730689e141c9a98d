#include <kaon/tools/Relayout.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/base/Tasks.h>
#include <kaon/batch/RangeReader.h>
#include <kaon/event/Arrangement.h>
#include <kaon/event/Reader.h>
#include <kaon/formats/kaon/FileWriter.h>
#include <kaon/io/ByteSink.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

namespace kaon {
namespace {

/// Cuts a category into ranges that each make a cluster.
class ClusterCutter {
public:
  ClusterCutter(const Source& source, const WriterOptions& options)
      : m_window(source),
        m_bytesOfCluster(options.bytesOfCluster(source.schema().columns().size())),
        m_entriesOfCluster(options.clusterEntries), m_clusters(source.clusters()) {}

  /// The next one; empty at the end.
  EntryRange next() {
    const std::uint64_t first = m_next;
    std::uint64_t bytes = 0;
    while (m_next < m_window.source().entries()) {
      if (m_next == m_measured.last)
        measureMore();
      bytes += m_bytes[static_cast<std::size_t>(m_next++ - m_measured.first)];
      if (bytes >= m_bytesOfCluster ||
          (m_entriesOfCluster > 0 && m_next - first >= m_entriesOfCluster))
        break;
    }
    return {first, m_next};
  }

private:
  /// What each entry takes up to the end of its cluster, or a part of it.
  void measureMore() {
    static constexpr std::uint64_t most = 64 * 1024;
    const auto cluster = std::ranges::upper_bound(m_clusters, m_next, {}, &EntryRange::last);
    m_measured = {m_next, std::min(cluster->last, m_next + most)};
    m_bytes.assign(static_cast<std::size_t>(m_measured.size()), 0);
    measure(m_window, m_measured, m_bytes);
  }

  Window m_window;
  std::size_t m_bytesOfCluster;
  std::uint32_t m_entriesOfCluster; // 0: any number
  std::vector<EntryRange> m_clusters;
  EntryRange m_measured{0, 0};
  std::vector<std::uint64_t> m_bytes; // of each entry of these
  std::uint64_t m_next = 0;
};

/// Whether what was rounded once can be rounded so: to something that is not finer.
bool isCoarser(const Precision& wanted, const Precision& had) {
  if (had.kind == Precision::Kind::exact || wanted.kind != had.kind)
    return wanted.kind != Precision::Kind::exact;
  return wanted.kind == Precision::Kind::mantissa ? wanted.bits <= had.bits
                                                  : wanted.step >= had.step;
}

/// One category on its way from one file to another. Tables keep their numbers, so that references
/// stay as they are.
class CategoryCopy {
public:
  CategoryCopy(const Source& source, std::string name, const Arrangement& arrangement)
      : m_source(source), m_name(std::move(name)) {
    arrange(arrangement);
  }

  void write(store::FileWriter& out, const WriterOptions& options, ProgressCount& progress) const;

private:
  void arrange(const Arrangement& arrangement);
  void checkPrecision(const TableDefinition& table, std::uint32_t number) const;
  [[nodiscard]] Batch arranged(const Batch& batch) const;
  void checkSingle(const Batch& batch, std::uint32_t parameter) const;

  const Source& m_source;
  std::string m_name;
  Schema m_schema; // of the copy
};

void CategoryCopy::arrange(const Arrangement& arrangement) {
  const Schema& schema = m_source.schema();
  std::vector<TableDefinition> all(schema.size());
  for (std::uint32_t root = 0; root < schema.size(); ++root) {
    if (!schema.table(root).isRoot())
      continue;
    const auto numbers = schema.tablesUnder(root);
    std::vector<TableDefinition> tables;
    for (const std::uint32_t number : numbers)
      tables.push_back(schema.table(number).definition());
    TableDefinition& first = tables.front();
    if (first.kind == TableKind::parameter && arrangement.useOf(first.name) != TableUse::none) {
      if (first.members.empty())
        fail(ErrorKind::usage, m_source.name(), ": '", first.name,
             "' is to be a tag or key, which is one number an event, but is a ", first.type);
      first.kind = TableKind::value;
    }
    arrangement.arrange(tables);
    std::size_t i = 0;
    for (const std::uint32_t number : numbers)
      all[number] = std::move(tables[i++]);
  }
  for (std::uint32_t number = 0; number < all.size(); ++number) {
    checkPrecision(all[number], number);
    (void)m_schema.add(all[number]);
  }
}

void CategoryCopy::checkPrecision(const TableDefinition& table, std::uint32_t number) const {
  const Table before = m_source.schema().table(number);
  for (std::uint32_t i = 0; i < table.members.size(); ++i) {
    const Precision had = before.members[i].precision;
    const Precision& wanted = table.members[i].precision;
    if (wanted != had && !isCoarser(wanted, had))
      fail(ErrorKind::usage, m_source.name(), ": '", m_source.schema().nameOfMember(number, i),
           "' was rounded already, to a precision that is coarser than the one wanted; what was ",
           "rounded off does not come back");
  }
}

void CategoryCopy::write(store::FileWriter& out, const WriterOptions& options,
                         ProgressCount& progress) const {
  ClusterCutter cutter(m_source, options);
  std::vector<EntryRange> ranges;
  do { // once at least: a category without entries has tables, too
    ranges.clear();
    while (ranges.size() < threads() && (ranges.empty() || ranges.back().size() > 0))
      ranges.push_back(cutter.next());
    std::vector<std::unique_ptr<store::FileWriter::Encoded>> clusters(ranges.size());
    forEach(ranges.size(), [&](std::size_t i) {
      RangeReader reader(m_source);
      clusters[i] = out.encode(m_name, arranged(reader.read(ranges[i])));
      progress.add(ranges[i].size());
    });
    for (auto& cluster : clusters)
      out.append(std::move(cluster));
  } while (ranges.back().size() > 0);
}

/// The batch with the tables of the copy.
Batch CategoryCopy::arranged(const Batch& batch) const {
  Batch made(m_schema, batch.firstEntry(), batch.entries());
  for (std::uint32_t table = 0; table < m_schema.size(); ++table) {
    made.table(table) = batch.table(table);
    if (m_schema.table(table).kind == m_source.schema().table(table).kind)
      continue;
    checkSingle(batch, table);
    made.table(table).offsets = {};
    made.table(table).present = {};
  }
  return made;
}

/// A parameter that is to be a value is one number in each entry.
void CategoryCopy::checkSingle(const Batch& batch, std::uint32_t parameter) const {
  const TableView& table = batch.table(parameter);
  for (std::size_t i = 0; i < batch.entries(); ++i)
    if (table.offsets[i + 1] - table.offsets[i] != 1)
      fail(ErrorKind::usage, m_source.name(), ": '", m_schema.table(parameter).name,
           "' is to be a tag or key, which is one number an event, but entry ",
           batch.firstEntry() + i, " has ", table.offsets[i + 1] - table.offsets[i], " of them");
}

/// Throws unless one of the categories has what each option names.
class NameCheck {
public:
  explicit NameCheck(const File& file) : m_file(file) {
    for (const std::string& category : file.categories()) {
      const Schema& schema = file.category(category).schema();
      for (std::uint32_t number = 0; number < schema.size(); ++number)
        add(schema, number);
    }
  }

  void check(const WriterOptions& options) const {
    for (const auto& [name, storage] : options.storage)
      expect(name, "collection", m_collections);
    for (const auto& [name, encoding] : options.encodings)
      expect(name, "column", m_columns);
    for (const auto* names : {&options.tags, &options.keys})
      for (const std::string& name : *names)
        expect(name, "parameter or value", m_values);
  }

private:
  void add(const Schema& schema, std::uint32_t number) {
    const Table table = schema.table(number);
    if (table.kind == TableKind::collection)
      m_collections.emplace_back(table.name);
    if (table.kind == TableKind::parameter || table.kind == TableKind::value)
      m_values.emplace_back(table.name);
    m_columns.emplace_back(table.name);
    for (std::uint32_t member = 0; member < table.members.size(); ++member)
      m_columns.push_back(schema.nameOfMember(number, member));
  }
  void expect(const std::string& name, const char* what,
              const std::vector<std::string>& known) const {
    if (std::ranges::find(known, name) == known.end())
      fail(ErrorKind::name, m_file.name(), ": has no ", what, " '", name, "'",
           suggestion(name, known));
  }

  const File& m_file;
  std::vector<std::string> m_collections, m_columns, m_values;
};

void checkOptions(const std::string& in, const std::string& out, const WriterOptions& options) {
  if (options.append || options.provenance)
    fail(ErrorKind::usage, out, ": a file that is laid out anew is neither appended to, nor does ",
         "it record provenance");
  std::error_code ignored; // there is no such file yet
  if (std::filesystem::equivalent(in, out, ignored))
    fail(ErrorKind::usage, out, ": is the file to be read; write to another one");
}

} // namespace

void relayout(const std::string& in, const std::string& out, const WriterOptions& options,
              const Progress& progress) {
  checkOptions(in, out, options);
  const Reader reader(in);
  const File& file = reader.file();
  NameCheck(file).check(options);
  const Arrangement arrangement = arrangementOf(options);
  std::vector<CategoryCopy> copies;
  std::uint64_t entries = 0;
  for (const std::string& name : file.categories()) {
    entries += file.category(name).entries();
    copies.emplace_back(file.category(name), name, arrangement);
  }
  store::FileWriter writer(io::fileSink(out),
                           {options.codec, options.pageBytes, options.encodings});
  for (const std::string& name : file.documents())
    writer.addDocument(name, file.document(name));
  ProgressCount count(progress, entries);
  for (const CategoryCopy& copy : copies)
    copy.write(writer, options, count);
  writer.finish();
}

} // namespace kaon
