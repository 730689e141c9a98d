#include "Arrays.h"
#include "EntryArrays.h"
#include "Module.h"
#include "ObjectValues.h"
#include "Warnings.h"

#include <kaon/base/Buffer.h>
#include <kaon/base/Error.h>
#include <kaon/base/Wording.h>
#include <kaon/codec/Encoding.h>
#include <kaon/event/Reader.h>
#include <kaon/files/Files.h>
#include <kaon/formats/arrow/EntryWriting.h>
#include <kaon/formats/arrow/Stream.h>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace nb = nanobind;
using namespace nb::literals;

namespace kaon::python {
namespace {

/// Arrays by table number. Tables without rows in these entries may be missing.
using ArraysByTable = std::map<std::uint32_t, TableArrays>;

/// Checked arrays from Python as a batch. Construct it with the GIL, use it without.
class ArrayBatch {
public:
  /// The schema must outlive the batch.
  ArrayBatch(const Schema& schema, const ArraysByTable& arrays, std::size_t entries);
  ArrayBatch(const ArrayBatch&) = delete;
  ArrayBatch& operator=(const ArrayBatch&) = delete;
  [[nodiscard]] const Batch& batch() const noexcept { return m_batch; }

private:
  void view(std::uint32_t number, const TableArrays& arrays);
  void viewNothing(std::uint32_t number);
  std::span<const std::uint32_t> viewOffsets(const Table& info, const nb::object& offsets,
                                             std::size_t parents);
  ColumnView viewMember(const Table& info, std::uint32_t member, const TableArrays& arrays,
                        std::size_t rows);
  std::span<const std::byte> bytesOf(const AnyArray& array);
  const AnyArray& keep(const nb::object& array) {
    return m_arrays.emplace_back(nb::cast<AnyArray>(array));
  }

  const Schema& m_schema;
  Batch m_batch;
  std::vector<AnyArray> m_arrays; // kept alive
  std::vector<std::vector<std::uint32_t>> m_offsets;
  std::deque<Buffer> m_bools;
  std::vector<std::uint32_t> m_zeros; // counts and presence of tables without rows
};

ArrayBatch::ArrayBatch(const Schema& schema, const ArraysByTable& arrays, std::size_t entries)
    : m_schema(schema), m_batch(m_schema, 0, entries) {
  if (!arrays.empty() && arrays.rbegin()->first >= m_schema.size())
    fail(ErrorKind::usage, "there are ", counted(m_schema.size(), "table"),
         ", but arrays for table number ", arrays.rbegin()->first);
  m_offsets.reserve(arrays.size());
  auto given = arrays.begin();
  for (std::uint32_t number = 0; number < m_schema.size(); ++number)
    if (given != arrays.end() && given->first == number)
      view(number, given++->second);
    else
      viewNothing(number);
}

void ArrayBatch::view(std::uint32_t number, const TableArrays& arrays) {
  const Table info = m_schema.table(number);
  TableView& table = m_batch.table(number);
  table.rows = info.isRoot() ? m_batch.entries() : m_batch.table(info.parent).rows;
  if (info.isCounted()) {
    table.offsets = viewOffsets(info, arrays.offsets, table.rows);
    table.rows = table.offsets.back();
  }
  if (info.canBeAbsent() && !arrays.present.is_none()) {
    const AnyArray& present = keep(arrays.present);
    if (present.dtype() != dtypeOf(Scalar::Bool) || present.size() != m_batch.entries())
      fail(ErrorKind::usage, "'", info.name, "' needs a bool for each entry");
    table.present = bytesOf(present);
  }
  for (std::uint32_t member = 0; member < info.members.size(); ++member)
    table.members.push_back(viewMember(info, member, arrays, table.rows));
}

/// Sets empty columns for a table without arrays. Throws Error(usage) if the table must have rows.
void ArrayBatch::viewNothing(std::uint32_t number) {
  const Table info = m_schema.table(number);
  TableView& table = m_batch.table(number);
  if (info.isRoot() && !info.canBeAbsent())
    fail(ErrorKind::usage, "the value '", info.name, "' of earlier entries is missing");
  if (!info.isRoot() && m_batch.table(info.parent).rows > 0)
    fail(ErrorKind::usage, "'", info.name, "' has no arrays");
  m_zeros.resize(m_batch.entries() + 1); // allocates in the first call only
  if (info.isCounted())
    table.offsets = std::span(m_zeros).first(info.isRoot() ? m_batch.entries() + 1 : 1);
  if (info.canBeAbsent())
    table.present = std::as_bytes(std::span(m_zeros)).first(m_batch.entries());
  for (const Member member : info.members)
    table.members.push_back({std::as_bytes(std::span(m_zeros)).data(), member.size()});
}

std::span<const std::uint32_t> ArrayBatch::viewOffsets(const Table& info, const nb::object& offsets,
                                                       std::size_t parents) {
  const AnyArray& given = keep(offsets);
  const std::span values(static_cast<const std::int64_t*>(given.data()), given.size());
  if (given.dtype() != dtypeOf(Scalar::Int64) || values.size() != parents + 1 ||
      values.front() != 0 || !std::ranges::is_sorted(values) ||
      values.back() > std::numeric_limits<std::uint32_t>::max())
    fail(ErrorKind::usage, "'", info.name, "' needs offsets that begin with 0 and never decrease");
  auto& narrow = m_offsets.emplace_back(values.size());
  std::ranges::transform(values, narrow.begin(),
                         [](std::int64_t value) { return static_cast<std::uint32_t>(value); });
  return narrow;
}

ColumnView ArrayBatch::viewMember(const Table& info, std::uint32_t member,
                                  const TableArrays& arrays, std::size_t rows) {
  const Member leaf = info.members[member];
  const nb::int_ key(member);
  if (!arrays.members.contains(key))
    fail(ErrorKind::usage, "'", info.name, ".", leaf.name, "' has no values");
  const AnyArray& values = keep(arrays.members[key]);
  if (values.dtype() != dtypeOf(leaf.type) || values.size() != rows * leaf.extent)
    fail(ErrorKind::usage, "'", info.name, ".", leaf.name, "' needs ", rows * leaf.extent,
         " values of type ", nameOf(leaf.type));
  return {bytesOf(values).data(), leaf.size()};
}

/// Returns the memory of an array; bools are copied if some are neither 0 nor 1.
std::span<const std::byte> ArrayBatch::bytesOf(const AnyArray& array) {
  const std::span bytes(static_cast<const std::byte*>(array.data()), array.nbytes());
  const auto isOther = [](std::byte value) { return value > std::byte{1}; };
  if (array.dtype() != dtypeOf(Scalar::Bool) || std::ranges::none_of(bytes, isOther))
    return bytes;
  Buffer& bools = m_bools.emplace_back();
  bools.append(bytes);
  normaliseBools({bools.data(), bools.size()});
  return bools.bytes();
}

/// Takes the stream out of a capsule. The caller releases it.
ArrowArrayStream streamIn(const nb::object& capsule) {
  auto* const given =
      static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (!given)
    throw nb::python_error();
  return std::exchange(*given, {});
}

/// Returns the stream of an object that provides one.
ArrowArrayStream streamOf(const nb::object& table) {
  return streamIn(table.attr("__arrow_c_stream__")());
}

std::vector<arrow::FieldPath> fieldsWithNulls(const nb::object& table) {
  const ArrowArrayStream stream = streamOf(table);
  const nb::gil_scoped_release release;
  return arrow::fieldsWithNulls(stream);
}

/// A file being written. Any thread may use it; calls take turns.
class ArrayWriter {
public:
  explicit ArrayWriter(BatchWriter writer) : m_writer(std::move(writer)) {}
  ~ArrayWriter() {
    if (m_writer)
      m_writer->abandon(); // Python dropped the file before it was finished
  }
  ArrayWriter(const ArrayWriter&) = delete;
  ArrayWriter& operator=(const ArrayWriter&) = delete;

  void write(std::string_view category, const nb::typed<nb::sequence, TableDefinition>& tables,
             const ArraysByTable& arrays, std::size_t entries) {
    const std::string name(category);
    Schema schema = m_schemas[name];
    for (std::size_t number = schema.size(); number < nb::len(tables); ++number)
      schema.add(nb::cast<TableDefinition>(tables[number]));
    const ArrayBatch batch(schema, arrays, entries);
    use([&](BatchWriter& writer) { writer.write(category, batch.batch()); });
    m_schemas[name] = std::move(schema);
  }
  void writeStream(std::string_view category, const nb::object& table,
                   const std::vector<arrow::FieldPath>& optionals) {
    const ArrowArrayStream stream = streamOf(table);
    use([&](BatchWriter& writer) { arrow::writeStream(stream, category, writer, optionals); });
  }
  void setRules(const arrow::EntryRules& rules) { m_entries.emplace(rules); }
  void addWritten(std::string_view name, const Category& category) {
    entries().addWritten(name, category.source().schema());
  }
  std::uint64_t extend(std::string_view category, const EntryArray& array) {
    std::uint64_t count = 0;
    use([&](BatchWriter& writer) {
      count =
          entries().write(category, array.type(), array.values(), arrow::EntryForm::arrays, writer);
    });
    return count;
  }
  std::uint64_t extendByStream(std::string_view category, const nb::object& capsule,
                               bool isInMemory) {
    const ArrowArrayStream stream = streamIn(capsule);
    std::uint64_t count = 0;
    use([&](BatchWriter& writer) {
      count = entries().writeStream(category, stream, isInMemory, writer);
    });
    return count;
  }
  std::vector<TableDefinition> tables(std::string_view category) {
    const nb::gil_scoped_release release;
    const std::lock_guard lock(m_mutex);
    const Schema* const schema = entries().tablesOf(category);
    std::vector<TableDefinition> tables;
    for (std::uint32_t number = 0; schema && number < schema->size(); ++number)
      tables.push_back(schema->table(number).definition());
    return tables;
  }
  void addDocument(std::string_view name, std::string_view text) {
    use([&](BatchWriter& writer) { writer.putDocument(name, text); });
  }
  void addObject(std::string_view name, const nb::object& object) {
    const ObjectTree tree = treeFrom(object);
    use([&](BatchWriter& writer) { writer.putObject(name, tree); });
  }
  void addColumns(std::string_view category, std::string_view columns) {
    use([&](BatchWriter& writer) { writer.addColumns(category, columns); });
  }
  void flush(bool durable) {
    use([&](BatchWriter& writer) { durable ? writer.sync() : writer.flush(); });
  }
  /// Returns the warnings.
  nb::typed<nb::list, nb::object> finish() {
    WarningCollector collector;
    use([](BatchWriter& writer) { writer.finish(); });
    nb::typed<nb::list, nb::object> warnings;
    for (const Warning& warning : collector.take())
      warnings.append(toPython(warning));
    return warnings;
  }
  /// Closes the file at once, even if Python still refers to the writer.
  void discard() {
    const nb::gil_scoped_release release;
    const std::lock_guard lock(m_mutex);
    if (m_writer)
      m_writer->abandon();
    m_writer.reset();
  }

private:
  arrow::EntryWriter& entries() {
    if (!m_entries)
      fail(ErrorKind::usage, "the writer has no rules for arrays");
    return *m_entries;
  }
  template <class F>
  void use(F what) {
    const nb::gil_scoped_release release;
    const std::lock_guard lock(m_mutex);
    if (!m_writer)
      fail(ErrorKind::usage, "the file was discarded; nothing can be written");
    what(*m_writer);
  }

  std::optional<BatchWriter> m_writer;
  std::optional<arrow::EntryWriter> m_entries;
  std::mutex m_mutex;
  std::map<std::string, Schema> m_schemas; // of written categories; guarded by the GIL
};

void makeRules(arrow::EntryRules* self, std::optional<std::string> model,
               std::map<std::string, std::string> types, const detail::StorageRules& arrangement,
               bool zeroesMissingMembers, bool emptiesLostReferences) {
  arrow::EntryRules rules{.storage = arrangement,
                          .types = {types.begin(), types.end()},
                          .zeroesMissingMembers = zeroesMissingMembers,
                          .emptiesLostReferences = emptiesLostReferences};
  if (model)
    rules.model = std::make_shared<const ModelDatatypes>(
        std::vector<ModelDatatypes::Document>{{"the model", std::move(*model)}});
  arrow::checkTypes(rules);
  new (self) arrow::EntryRules(std::move(rules));
}

void makeWriter(ArrayWriter* self, const std::filesystem::path& path, std::string_view codec,
                int level, std::size_t pageBytes,
                const std::map<std::string, std::string>& encodings, std::string_view goal,
                std::size_t clusterBytes, std::uint32_t clusterEntries, std::size_t memoryBudget,
                bool append, const std::vector<std::string>& keys, std::string format,
                std::string_view sync) {
  WriterOptions options{.codec = {codecNamed(codec), level},
                        .goal = goalNamed(goal),
                        .clusterBytes = clusterBytes,
                        .clusterEntries = clusterEntries,
                        .pageBytes = pageBytes,
                        .memoryBudget = memoryBudget,
                        .append = append,
                        .sync = syncNamed(sync),
                        .format = std::move(format)};
  for (const auto& [column, encoding] : encodings)
    options.encodings.emplace(column, codec::schemeNamed(encoding));
  const nb::gil_scoped_release release;
  SinkOptions forSink = options.forSink();
  forSink.keys = keys; // Python lays out tables and checks names
  auto sink = append ? kaon::append(path.string(), forSink) : create(path.string(), forSink);
  new (self) ArrayWriter(BatchWriter(std::move(sink), std::move(options)));
}

} // namespace

void bindWriting(nb::module_& module) {
  nb::class_<arrow::EntryRules>(module, "EntryRules", "How arrays become entries of a file.")
      .def("__init__", &makeRules, "model"_a.none(), "types"_a, "arrangement"_a,
           "zeroes_missing_members"_a, "empties_lost_references"_a,
           "`model` is a model as JSON. Checks that there are the `types` of arrays.");
  nb::class_<ArrayWriter>(module, "Writer",
                          "A file that is being written; it takes its place when it is finished.")
      .def("__init__", &makeWriter, "path"_a, "codec"_a = "zstd", "level"_a = 1,
           "page_bytes"_a = 64 * 1024, "encodings"_a = nb::dict(), "goal"_a = "balance",
           "cluster_bytes"_a = 0, "cluster_entries"_a = 0, "memory_budget"_a = 0,
           "append"_a = false, "keys"_a = std::vector<std::string>(), "format"_a = "",
           "sync"_a = "finish")
      .def("write", &ArrayWriter::write, "category"_a, "tables"_a, "arrays"_a, "entries"_a,
           "Appends entries: arrays for each of the category's tables that some of them have, by "
           "its\n"
           "number. The tables are those of the call before and maybe more. The entries are cut "
           "into\n"
           "clusters, or joined to them.")
      .def("set_rules", &ArrayWriter::setRules, "rules"_a, "Sets the rules of extend().")
      .def("add_written", &ArrayWriter::addWritten, "name"_a, "category"_a,
           "States the tables of the file that is appended to.")
      .def("extend", &ArrayWriter::extend, "category"_a, "entries"_a,
           "Appends entries, an array of structs, by the rules. Returns their number.")
      .def("extend_by_stream", &ArrayWriter::extendByStream, "category"_a, "capsule"_a,
           "is_in_memory"_a,
           "Appends the entries of a stream of Arrow by the rules, piece by piece. Nulls decide "
           "which "
           "fields are optionals: of all pieces if they are in memory, otherwise of the first.")
      .def("tables", &ArrayWriter::tables, "category"_a, "The tables of the category so far.")
      .def("write_stream", &ArrayWriter::writeStream, "category"_a, "table"_a, "optionals"_a,
           "Appends the entries of an object that provides a stream of Arrow, piece by piece. "
           "`optionals` are paths of fields.")
      .def("add_document", &ArrayWriter::addDocument, "name"_a, "text"_a)
      .def("add_object", &ArrayWriter::addObject, "name"_a, "object"_a,
           "Writes an object that is not a category: a mapping with the attribute `type`.")
      .def("add_columns", &ArrayWriter::addColumns, "category"_a, "columns"_a,
           "Makes the entries of `columns`, written next, further columns of `category`.")
      .def("flush", &ArrayWriter::flush, "durable"_a = false,
           "Writes entries that do not fill a cluster yet; the next ones begin a cluster.")
      .def("finish", &ArrayWriter::finish, "Returns the warnings.")
      .def("discard", &ArrayWriter::discard, "Closes the file without finishing it.");
  module.def("fields_with_nulls", &fieldsWithNulls, "table"_a,
             "The paths of the fields that have nulls in the stream of an object, and would be "
             "optionals: numbers of children.");
}

} // namespace kaon::python
