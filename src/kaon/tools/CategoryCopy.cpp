#include <kaon/tools/CategoryCopy.h>

#include <kaon/base/Error.h>
#include <kaon/base/ProgressCount.h>
#include <kaon/base/Wording.h>
#include <kaon/batch/Provenance.h>
#include <kaon/batch/StoredClusters.h>
#include <kaon/binding/Conversion.h>
#include <kaon/detail/batch/BatchRows.h>
#include <kaon/detail/reading/Window.h>
#include <kaon/model/Structure.h>
#include <kaon/reading/Batches.h>
#include <kaon/writing/JoinedBatch.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <utility>

namespace kaon {
namespace {

/// Whether rounded values can be rounded again like this: only to coarser steps.
bool isCoarser(const Precision& wanted, const Precision& had) {
  if (had.kind == Precision::Kind::exact || wanted.kind != had.kind)
    return wanted.kind != Precision::Kind::exact;
  return wanted.kind == Precision::Kind::mantissa ? wanted.bits <= had.bits
                                                  : wanted.step >= had.step;
}

/// Whether a schema begins with these tables, and entries without its other tables need no values
/// for them.
bool beginsWith(const Schema& schema, const Schema& first) {
  return first.size() <= schema.size() &&
         std::ranges::equal(first.tables(), schema.tables() | std::views::take(first.size())) &&
         std::ranges::none_of(schema.tables() | std::views::drop(first.size()), isOfPlaces);
}

bool isSomewhereAbsentIn(const Source& source, TableNumber collection) {
  const ColumnNumber column = source.schema().presenceColumn(collection);
  detail::Window window(source);
  window.fetch(std::array<std::uint32_t, 1>{column}, {});
  for (std::uint64_t entry = 0; entry < source.entries();) {
    const detail::Page& page = window.page(column, entry);
    const std::span present(page.data, page.isRepeated ? 1 : page.values);
    if (std::ranges::find(present, std::byte{0}) != present.end())
      return true;
    entry = page.range.lastEntry;
  }
  return false;
}

/// Returns the first entry with more than `most` rows of a table under entries, and its number of
/// rows.
std::optional<std::pair<std::uint64_t, std::uint64_t>>
entryWithMoreRows(const Source& source, TableNumber table, std::uint64_t most) {
  const Schema& schema = source.schema();
  const auto usage = source.usage(schema.columnsOf(table).last - 1);
  if (!usage || usage->values <= most)
    return std::nullopt;
  detail::Window window(source);
  const ColumnNumber column = schema.countsColumn(table);
  window.fetch(std::array<std::uint32_t, 1>{column}, {});
  for (std::uint64_t entry = 0; entry < source.entries(); ++entry)
    if (const auto [first, last] = window.rows(table, entry); last - first > most)
      return std::pair(entry, last - first);
  return std::nullopt;
}

/// Calls `use` for losses of members from the last member to the first, so that the numbers of
/// earlier members stay valid.
void fromTheLast(std::vector<detail::Loss> losses, const auto& use) {
  std::ranges::sort(losses, std::ranges::greater(), &detail::Loss::member);
  for (const detail::Loss& loss : losses)
    use(*loss.member, loss.type);
}

/// Makes the value and the presence of an optional members of their own, because its presence is no
/// bool any more.
void endOptional(TableDefinition& table, std::string_view presence) {
  const std::string head(presence.substr(0, presence.rfind('.') + 1));
  for (MemberDefinition& member : table.members)
    if (member.name.starts_with(head)) {
      member.structure.clear();
      if (member.name.front() == '.') // of a row that is optional
        member.name.erase(0, 1);
    }
}

/// Removes or converts members in the definition of a table to be added.
void loseMembers(TableDefinition& table, const std::vector<detail::Loss>& losses) {
  fromTheLast(losses, [&](std::uint32_t number, std::optional<Scalar> type) {
    if (!type) {
      table.members.erase(table.members.begin() + number);
      return;
    }
    MemberDefinition& member = table.members[number];
    if (table.type == nameOf(member.type)) // a table of bare values
      table.type = nameOf(*type);
    member.type = *type;
    if (std::string_view(member.name).ends_with(optionalPresence) &&
        member.structure.ends_with(optionalStep))
      endOptional(table, std::string(member.name));
  });
  table.rowSize = detail::placeMembers(table.members);
}

/// Removes or converts members of a table's rows.
void loseMembers(TableView& view, const Table& table, const std::vector<detail::Loss>& losses,
                 std::vector<Buffer>& converted) {
  fromTheLast(losses, [&](std::uint32_t number, std::optional<Scalar> type) {
    if (!type) {
      view.members.erase(view.members.begin() + number);
      return;
    }
    const Member& member = table.members[number];
    const std::size_t size = std::size_t{sizeOf(*type)} * member.extent;
    Buffer& room = converted.emplace_back();
    room.reserve(1); // a pointer must exist even without values
    std::byte* const values = room.assign(view.rows * size).data();
    if (convert({view.members[number], member.type, member.extent}, view.rows, *type, values))
      fail(ErrorKind::usage, "'", table.name, ".", member.name,
           "' has a value that does not fit into ", nameOf(*type));
    view.members[number] = {values, size};
  });
}

/// Ends clusters where those of a source end, unless options set the size of clusters. Less than a
/// quarter of a usual cluster waits for more, because many small clusters are slow to read.
class KeptClusters {
public:
  KeptClusters(const Source& source, BatchWriter& out)
      : m_clusters(source.clusters()), m_out(out),
        m_usualBytes(out.options().bytesOfCluster(source.schema().columns().size())),
        m_keeps(out.options().clusterBytes == 0 && out.options().clusterEntries == 0) {}

  /// Call it after each batch of the source was written.
  void wrote(const Batch& batch) {
    m_waiting = (m_waiting + detail::bytesOf(batch, 0, batch.entries())) % m_usualBytes;
    const std::uint64_t last = batch.firstEntry() + batch.entries();
    bool isEnd = false;
    for (; m_next < m_clusters.size() && m_clusters[m_next].last <= last; ++m_next)
      isEnd = true;
    if (!m_keeps || !isEnd || m_waiting < m_usualBytes / 4)
      return;
    m_out.flush();
    m_waiting = 0;
  }

private:
  std::vector<EntryRange> m_clusters;
  BatchWriter& m_out;
  std::uint64_t m_usualBytes;
  bool m_keeps;
  std::size_t m_next = 0;      // cluster that has not ended
  std::uint64_t m_waiting = 0; // approximate number of bytes that do not fill a cluster
};

} // namespace

void CategoryCopy::add(const Source& source) {
  std::vector<std::uint32_t> numbers;
  try {
    numbers = m_union.add(source.schema());
  } catch (const Error& error) {
    fail(error.kind(), source.name(), ": ", error.what());
  }
  m_schema = schemaOfCopy();
  checkPrecision(source, numbers);
  m_parts.push_back({&source, std::move(numbers)});
  m_missing.add(source);
}

void CategoryCopy::lose(const std::vector<detail::Loss>& losses) {
  std::vector<std::uint32_t> tables;
  for (const detail::Loss& loss : losses)
    if (!loss.member)
      tables.push_back(loss.table);
  SchemaUnion kept;
  const std::vector<std::uint32_t> numbers = kept.add(m_union.schema(), tables);
  m_union = std::move(kept);
  for (Part& part : m_parts)
    for (std::uint32_t& number : part.numbers)
      number = numbers[number];
  for (const detail::Loss& loss : losses)
    if (loss.member && numbers[loss.table] != Table::none)
      m_lostMembers[numbers[loss.table]].push_back(loss);
  m_schema = schemaOfCopy();
}

std::uint64_t CategoryCopy::entries() const noexcept {
  return std::accumulate(
      m_parts.begin(), m_parts.end(), std::uint64_t{0},
      [](std::uint64_t sum, const Part& part) { return sum + part.source->entries(); });
}

bool CategoryCopy::isSomewhereAbsent(TableNumber collection) const {
  return std::ranges::any_of(m_parts, [&](const Part& part) {
    const auto number = std::ranges::find(part.numbers, collection) - part.numbers.begin();
    const auto table = static_cast<std::uint32_t>(number);
    return table == part.numbers.size() ? part.source->entries() > 0
                                        : isSomewhereAbsentIn(*part.source, table);
  });
}

std::string CategoryCopy::entryWithMoreBytes(TableNumber table, std::uint64_t most) const {
  const Table info = m_schema.table(table);
  std::uint64_t rowBytes = 0;
  for (const Member& member : info.members)
    rowBytes += member.size();
  if (!info.isRoot() || !info.isCounted() || rowBytes == 0)
    return "";
  for (const Part& part : m_parts) {
    const auto number = std::ranges::find(part.numbers, table) - part.numbers.begin();
    if (static_cast<std::size_t>(number) == part.numbers.size())
      continue;
    if (const auto found =
            entryWithMoreRows(*part.source, static_cast<std::uint32_t>(number), most / rowBytes))
      return "entry " + std::to_string(found->first) + " of " + part.source->name() + " has " +
             std::to_string(found->second * rowBytes) + " bytes";
  }
  return "";
}

Schema CategoryCopy::schemaOfCopy() const {
  Schema schema;
  for (TableNumber table = 0; table < m_union.schema().size(); ++table)
    schema.add(definitionOfCopy(table));
  return detail::schemaBy(m_rules, schema);
}

/// Returns the definition of the sources' table without lost members. Parameters that are to be
/// tags or keys become values.
TableDefinition CategoryCopy::definitionOfCopy(std::uint32_t number) const {
  const Table table = m_union.schema().table(number);
  TableDefinition definition = table.definition();
  if (table.kind == TableKind::parameter && m_rules.useOf(table.name) != TableUse::none) {
    if (table.members.empty())
      fail(ErrorKind::usage, m_name, ": '", table.name,
           "' is to be a tag or key, which is one number an event, but is ",
           withArticle(table.type));
    definition.kind = TableKind::value;
  }
  if (const auto losses = m_lostMembers.find(number); losses != m_lostMembers.end())
    loseMembers(definition, losses->second);
  return definition;
}

void CategoryCopy::checkPrecision(const Source& source,
                                  const std::vector<std::uint32_t>& numbers) const {
  for (std::uint32_t number = 0; number < numbers.size(); ++number) {
    const Table before = source.schema().table(number), after = m_schema.table(numbers[number]);
    for (MemberNumber i = 0; i < after.members.size(); ++i) {
      const Precision had = before.members[i].precision, wanted = after.members[i].precision;
      if (wanted != had && !isCoarser(wanted, had))
        fail(ErrorKind::usage, source.name(), ": '", source.schema().nameOfMember(number, i),
             "' was already rounded to a coarser precision than the new one; the lost digits "
             "cannot be restored");
    }
  }
}

void CategoryCopy::begin(BatchWriter& out) const {
  for (const Table& table : m_union.schema().tables())
    m_missing.warnOf(table.name);
  // A category without entries has tables, too.
  out.writeCopy(m_name, JoinedBatch(m_schema).batch(0));
}

void CategoryCopy::write(BatchWriter& out, ProgressCount& progress) const {
  begin(out);
  for (const Part& part : m_parts)
    encode(part, out, progress);
}

/// Writes parts one after another, and copies stored clusters where possible.
class CategoryCopy::StoredWriting {
public:
  StoredWriting(const CategoryCopy& copy, BatchWriter& out, Sink& sink, ProgressCount& progress)
      : m_copy(copy), m_out(out), m_sink(sink), m_progress(progress) {}

  void add(const Part& part) {
    const auto* const source = dynamic_cast<const StoredClusters*>(part.source);
    if (!source || !beginsWith(m_copy.m_schema, part.source->schema())) {
      writeSmall();
      return m_copy.encode(part, m_out, m_progress);
    }
    const std::vector<EntryRange> clusters = part.source->clusters();
    for (std::size_t number = 0; number < clusters.size(); ++number)
      if (source->isLarge(number)) {
        writeSmall();
        append(*source, number, clusters[number]);
      } else {
        addSmall(part, *source, number, clusters[number]);
      }
  }
  [[nodiscard]] WrittenEntryCounts finish() {
    writeSmall();
    return m_counts;
  }

private:
  /// Consecutive small clusters of a part.
  struct SmallClusters {
    const Part* part;
    const StoredClusters* source;
    std::size_t first; // the number of the first cluster
    EntryRange entries;
  };

  void addSmall(const Part& part, const StoredClusters& source, std::size_t number,
                EntryRange entries) {
    if (!m_small.empty() && m_small.back().part == &part)
      m_small.back().entries.last = entries.last;
    else
      m_small.push_back({&part, &source, number, entries});
    ++m_smallCount;
  }

  /// Joins the small clusters so far. A single one has no other to be joined with, and is copied.
  void writeSmall() {
    for (const SmallClusters& small : std::exchange(m_small, {})) {
      if (m_smallCount == 1) {
        append(*small.source, small.first, small.entries);
        continue;
      }
      for (const Batch& batch : Batches::ofAll(*small.part->source, small.entries))
        m_copy.encode(*small.part, batch, m_out, m_progress);
      m_counts.joined += small.entries.size();
    }
    m_smallCount = 0;
  }

  void append(const StoredClusters& source, std::size_t number, EntryRange entries) {
    m_out.flush(); // entries that were encoded come first
    m_sink.appendCopy(m_copy.m_name, *source.storedCluster(number));
    m_counts.copied += entries.size();
    m_progress.add(entries.size());
  }

  const CategoryCopy& m_copy;
  BatchWriter& m_out;
  Sink& m_sink;
  ProgressCount& m_progress;
  WrittenEntryCounts m_counts;
  std::vector<SmallClusters> m_small;
  std::size_t m_smallCount = 0; // number of clusters in m_small
};

WrittenEntryCounts CategoryCopy::writeStored(BatchWriter& out, Sink& sink,
                                             ProgressCount& progress) const {
  begin(out);
  StoredWriting writing(*this, out, sink, progress);
  for (const Part& part : m_parts)
    writing.add(part);
  return writing.finish();
}

void CategoryCopy::encode(const Part& part, BatchWriter& out, ProgressCount& progress) const {
  KeptClusters clusters(*part.source, out);
  for (const Batch& batch : Batches::ofAll(*part.source)) {
    encode(part, batch, out, progress);
    clusters.wrote(batch);
  }
}

/// Encodes some entries of a part.
void CategoryCopy::encode(const Part& part, const Batch& batch, BatchWriter& out,
                          ProgressCount& progress) const {
  std::vector<Buffer> converted;
  if (hasAllTables(part))
    out.writeCopy(m_name, withTablesOfCopy(batch, part.source->name(), converted));
  else
    out.writeCopy(m_name,
                  withTablesOfCopy(UnitedBatch(batch, part.numbers, m_union.schema()).batch(),
                                   part.source->name(), converted));
  progress.add(batch.entries());
}

/// Whether a part has all tables of the union, as it mostly does: most copies have one source.
bool CategoryCopy::hasAllTables(const Part& part) const {
  return part.numbers.size() == m_union.schema().size() &&
         std::ranges::equal(part.numbers, std::views::iota(0U, m_union.schema().size()));
}

/// Returns the batch with the tables of the copy.
Batch CategoryCopy::withTablesOfCopy(const Batch& batch, const std::string& file,
                                     std::vector<Buffer>& converted) const {
  Batch copy(m_schema, batch.firstEntry(), batch.entries());
  for (TableNumber table = 0; table < m_schema.size(); ++table) {
    copy.table(table) = batch.table(table);
    if (m_schema.table(table).isCounted() == batch.schema().table(table).isCounted())
      continue;
    checkSingle(batch, table, file);
    copy.table(table).offsets = {};
    copy.table(table).present = {};
  }
  for (const auto& [number, losses] : m_lostMembers)
    loseMembers(copy.table(number), m_union.schema().table(number), losses, converted);
  return copy;
}

/// Throws unless a parameter that becomes a value has exactly one number in each entry.
void CategoryCopy::checkSingle(const Batch& batch, std::uint32_t parameter,
                               const std::string& file) const {
  const TableView& table = batch.table(parameter);
  for (std::size_t i = 0; i < batch.entries(); ++i)
    if (table.offsets[i + 1] - table.offsets[i] != 1)
      fail(ErrorKind::usage, file, ": '", m_schema.table(parameter).name,
           "' is to be a tag or key, which is one number an event, but entry ",
           batch.firstEntry() + i, " has ", table.offsets[i + 1] - table.offsets[i], " of them");
}

} // namespace kaon
