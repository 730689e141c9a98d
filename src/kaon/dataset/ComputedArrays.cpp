#include <kaon/dataset/ComputedArrays.h>

#include <kaon/base/Tasks.h>
#include <kaon/dataset/Dataframe.h>
#include <kaon/dataset/DatasetParts.h>
#include <kaon/dataset/Origin.h>
#include <kaon/dataset/Pipeline.h>
#include <kaon/dataset/TagFilter.h>
#include <kaon/formats/arrow/FieldSchema.h>
#include <kaon/formats/arrow/Stream.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace kaon {
namespace {

/// Gathers columns of a part's entries.
class ColumnsAccumulator final : public detail::Accumulator {
public:
  explicit ColumnsAccumulator(std::vector<detail::GatheredArray> empty)
      : m_columns(std::move(empty)) {}
  void add(std::size_t entries, std::span<const detail::ArgumentValues> arguments) override {
    for (detail::GatheredArray& column : m_columns) {
      column.add(entries, arguments.first(column.arguments()));
      arguments = arguments.subspan(column.arguments());
    }
  }
  void merge(detail::Accumulator& /*next*/) override {} // Each part is complete by itself.
  [[nodiscard]] std::size_t size() const { return m_columns.size(); }
  [[nodiscard]] detail::ColumnArray take(std::size_t column) {
    return std::move(m_columns[column]).result();
  }

private:
  std::vector<detail::GatheredArray> m_columns;
};

struct ColumnsAction final : detail::Action {
  void add(detail::OptionalArgument argument) {
    columns.emplace_back(argument.value.type, argument.missing());
    std::ranges::move(std::move(argument).shown(), std::back_inserter(arguments));
  }
  [[nodiscard]] std::unique_ptr<detail::Accumulator> accumulator() const override {
    return std::make_unique<ColumnsAccumulator>(columns);
  }
  std::vector<detail::GatheredArray> columns = {}; // empty columns
  void finish(std::unique_ptr<detail::Accumulator> /*all*/) override {}
};

// Computed columns have tables of their own: one for each level of lists, and one for values.

TableNumber tableOf(std::size_t expression, std::size_t level) {
  constexpr std::uint32_t first = std::uint32_t{1} << 31; // greater than the tables of files
  return first + static_cast<std::uint32_t>(expression * (detail::mostListLevels + 1) + level);
}

/// The members of the table of values.
constexpr MemberNumber valueMember = 0, presenceMember = 1;

arrow::ArrowField fieldOf(std::size_t expression, detail::ColumnType type,
                          const detail::Missing& missing, std::string name) {
  arrow::ArrowField field = {.kind = type.isText ? arrow::ArrowFieldKind::text
                                                 : arrow::ArrowFieldKind::number,
                             .table = tableOf(expression, type.depth),
                             .members = {valueMember},
                             .type = type.scalar};
  if (missing.values) {
    field.absence = arrow::Absence::ofMember;
    field.hasValue = {presenceMember};
  }
  for (unsigned level = type.lists(); level > 0; --level) {
    field.name = "item";
    arrow::ArrowField list = {.kind = arrow::ArrowFieldKind::list,
                              .table = tableOf(expression, level)};
    if (missing.lists && level == *missing.lists + 1)
      list.absence = arrow::Absence::ofTable;
    list.children.push_back(std::move(field));
    field = std::move(list);
  }
  field.name = std::move(name);
  return field;
}

template <class T>
std::shared_ptr<Buffer> bufferOf(const detail::LargeArray<T>& values) {
  auto buffer = std::make_shared<Buffer>();
  buffer->append(std::as_bytes(std::span(values.data(), values.size())));
  return buffer;
}

void put(const detail::ColumnArray& column, std::size_t expression, arrow::ColumnMemory& memory) {
  for (unsigned level = 0; level <= column.type.depth; ++level) {
    arrow::TableMemory& table = memory.tables[tableOf(expression, level)];
    table.rows = memory.entries;
    if (level == 0)
      continue;
    if (level > 1)
      table.above = tableOf(expression, level - 1);
    table.offsets = bufferOf(column.offsets[level - 1]);
    table.rows = static_cast<std::size_t>(*std::prev(column.offsets[level - 1].end()));
  }
  auto& members = memory.tables[tableOf(expression, column.type.depth)].members;
  members[valueMember] = bufferOf(column.values);
  if (column.present)
    members[presenceMember] = bufferOf(*column.present);
  if (column.presentLists)
    memory.tables[tableOf(expression, column.presentLists->level + 1)].present =
        bufferOf(column.presentLists->present);
}

/// Returns the runs of consecutive entries, counted from entry `from`.
std::vector<EntryRange> runsOf(std::span<const std::uint64_t> entries, std::uint64_t from) {
  std::vector<EntryRange> runs;
  for (const std::uint64_t entry : entries)
    if (!runs.empty() && runs.back().last == entry - from)
      ++runs.back().last;
    else
      runs.push_back({entry - from, entry - from + 1});
  return runs;
}

} // namespace

/// The pipeline of one thread.
class ComputedArrays::Worker {
public:
  explicit Worker(std::shared_ptr<detail::Action> action)
      : m_actions{std::move(action)}, m_tags(m_actions), m_pipeline(m_actions) {}

  [[nodiscard]] Piece compute(const detail::DatasetPart& part) {
    m_pipeline.run(m_tags.narrow(part));
    const auto results = m_pipeline.takeResults();
    auto& columns = static_cast<ColumnsAccumulator&>(*results.front());
    const detail::ColumnArray entries = columns.take(0);
    Piece piece = {part};
    piece.entries.resize(entries.values.size() / sizeof(std::uint64_t));
    if (!piece.entries.empty())
      std::memcpy(piece.entries.data(), entries.values.data(), entries.values.size());
    piece.columns.entries = piece.entries.size();
    for (std::size_t i = 1; i < columns.size(); ++i)
      put(columns.take(i), i - 1, piece.columns);
    return piece;
  }

private:
  std::vector<std::shared_ptr<detail::Action>> m_actions;
  TagFilter m_tags;
  Pipeline m_pipeline;
};

ComputedArrays::ComputedArrays(std::shared_ptr<const Dataset> dataset, StoredFields stored,
                               std::vector<std::string> expressions, const std::string& cut,
                               EntryRange entries)
    : m_dataset(std::move(dataset)), m_fields(std::move(stored)),
      m_expressions(std::move(expressions)), m_last(entries.last), m_parts(*m_dataset),
      m_workers(threads()) {
  Dataframe frame(m_dataset);
  if (!(entries == EntryRange{}))
    frame = frame.range(entries.first, entries.last);
  if (!cut.empty())
    frame = frame.filter(cut);
  auto action = std::make_shared<ColumnsAction>();
  action->node = frame.node();
  action->add(frame.optionalArgument(fileEntryColumn));
  for (const std::string& expression : m_expressions) {
    detail::OptionalArgument argument = frame.optionalArgument(expression);
    // Values in missing lists are null, too, because programs may not check the list.
    argument.mayLackValues = argument.present.has_value();
    m_types.push_back(argument.value.type);
    m_missing.push_back(argument.missing());
    action->add(std::move(argument));
  }
  m_action = std::move(action);
}

ComputedArrays::~ComputedArrays() = default;

ArrowSchema ComputedArrays::schema() const { return arrow::schemaOf(withComputed(m_fields.entry)); }

ArrowArray ComputedArrays::next() {
  while (m_pieces.empty() || m_pieces.front().done == m_pieces.front().entries.size())
    if (!m_pieces.empty())
      m_pieces.pop_front();
    else if (!compute())
      return {};
  return arrayOf(m_pieces.front());
}

/// Computes the next parts, one in each thread. Returns false if there are no more. If a part
/// fails, the next call fails again.
bool ComputedArrays::compute() {
  while (m_taken.size() < m_workers.size()) {
    std::optional<detail::DatasetPart> part = m_parts.next();
    if (!part || part->firstEntry + part->clusters.front().first >= m_last)
      break;
    m_taken.push_back(*std::move(part));
  }
  std::vector<Piece> pieces(m_taken.size());
  forEach(pieces.size(), [&](std::size_t i) {
    std::unique_ptr<Worker> worker = std::move(m_workers[i]);
    if (!worker)
      worker = std::make_unique<Worker>(m_action);
    pieces[i] = worker->compute(m_taken[i]);
    m_workers[i] = std::move(worker);
  });
  m_taken.clear();
  std::ranges::move(pieces, std::back_inserter(m_pieces));
  return !pieces.empty();
}

arrow::ArrowField ComputedArrays::withComputed(arrow::ArrowField entry) const {
  for (std::size_t i = 0; i < m_expressions.size(); ++i)
    entry.children.push_back(fieldOf(i, m_types[i], m_missing[i], m_expressions[i]));
  return entry;
}

/// Finds the stored columns in a file.
void ComputedArrays::bind(const Source& source) {
  if (m_stored && m_stored->source == &source)
    return;
  const Source& first = m_dataset->first();
  StoredFields fields = &source == &first ? m_fields : storedFields(source, first, m_fields);
  m_stored.emplace(&source, arrow::wantedMembers(source.schema(), fields.columns),
                   std::vector<std::uint32_t>(), withComputed(std::move(fields.entry)),
                   arrow::CollectionNames(source.schema()));
  for (const auto& [table, members] : m_stored->wanted)
    m_stored->tables.push_back(table);
}

/// Returns an array of a piece's next entries, as many as fit.
ArrowArray ComputedArrays::arrayOf(Piece& piece) {
  bind(*piece.part.source);
  arrow::ColumnMemory columns = readStored(piece);
  const EntryRange run{piece.done, piece.done + columns.entries};
  arrow::ColumnMemory computed = columns.entries == piece.entries.size()
                                     ? piece.columns
                                     : arrow::taken(piece.columns, std::span(&run, 1));
  columns.tables.merge(computed.tables);
  const ArrowArray array =
      arrow::arrayOf(m_stored->entry, columns, m_stored->names, m_stored->source->name());
  piece.done = static_cast<std::size_t>(run.last);
  return array;
}

arrow::ColumnMemory ComputedArrays::readStored(const Piece& piece) {
  const auto mostBytes = static_cast<double>(arrow::StreamOptions().mostBytes);
  std::span<const std::uint64_t> entries = std::span(piece.entries).subspan(piece.done);
  if (m_stored->tables.empty())
    return {entries.size()};
  while (true) {
    const EntryRange hull{entries.front(), entries.back() + 1};
    const Schema& schema = m_stored->source->schema();
    ColumnReader reader(*m_stored->source, m_stored->tables, hull, piece.part.file);
    const double bytes = arrow::bytesOf(reader, schema, m_stored->wanted);
    if (bytes <= mostBytes || entries.size() == 1) {
      arrow::ColumnMemory all = arrow::readColumns(reader, schema, m_stored->wanted);
      return hull.size() == entries.size() ? std::move(all)
                                           : arrow::taken(all, runsOf(entries, hull.first));
    }
    const double fitting = static_cast<double>(entries.size()) * (mostBytes / bytes);
    entries = entries.first(
        std::clamp<std::size_t>(static_cast<std::size_t>(fitting), 1, entries.size() - 1));
  }
}

} // namespace kaon
