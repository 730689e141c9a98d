#include <kaon/tools/Relayout.h>

#include <kaon/base/Error.h>
#include <kaon/batch/BatchWriter.h>
#include <kaon/batch/Batches.h>
#include <kaon/batch/JoinedBatch.h>
#include <kaon/batch/OptionNames.h>
#include <kaon/binding/EvolvedFile.h>
#include <kaon/files/Files.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace kaon {
namespace {

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
  /// Throws if the options do not fit the data.
  CategoryCopy(const Source& source, std::string name, const StorageRules& rules)
      : m_source(source), m_name(std::move(name)), m_schema(schemaOfCopy(rules)) {
    for (std::uint32_t number = 0; number < m_schema.size(); ++number)
      checkPrecision(number);
  }

  void write(BatchWriter& out, ProgressCount& progress) const;

private:
  [[nodiscard]] Schema schemaOfCopy(const StorageRules& rules) const;
  void checkPrecision(std::uint32_t number) const;
  [[nodiscard]] Batch withTablesOfCopy(const Batch& batch) const;
  void checkSingle(const Batch& batch, std::uint32_t parameter) const;

  const Source& m_source;
  std::string m_name;
  Schema m_schema; // of the copy
};

/// The source's tables, of which parameters that are to be tags or keys are values.
Schema CategoryCopy::schemaOfCopy(const StorageRules& rules) const {
  Schema schema;
  for (const Table& table : m_source.schema().tables()) {
    TableDefinition definition = table.definition();
    if (table.kind == TableKind::parameter && rules.useOf(table.name) != TableUse::none) {
      if (table.members.empty())
        fail(ErrorKind::usage, m_source.name(), ": '", table.name,
             "' is to be a tag or key, which is one number an event, but is a ", table.type);
      definition.kind = TableKind::value;
    }
    schema.add(definition);
  }
  return schemaBy(rules, schema);
}

void CategoryCopy::checkPrecision(std::uint32_t number) const {
  const Table before = m_source.schema().table(number), after = m_schema.table(number);
  for (std::uint32_t i = 0; i < after.members.size(); ++i) {
    const Precision had = before.members[i].precision, wanted = after.members[i].precision;
    if (wanted != had && !isCoarser(wanted, had))
      fail(ErrorKind::usage, m_source.name(), ": '", m_source.schema().nameOfMember(number, i),
           "' was rounded already, to a precision that is coarser than the one wanted; what was ",
           "rounded off does not come back");
  }
}

void CategoryCopy::write(BatchWriter& out, ProgressCount& progress) const {
  // A category without entries has tables, too.
  out.write(m_name, JoinedBatch(m_schema).batch(0));
  for (const Batch& batch : Batches::ofAll(m_source)) {
    out.write(m_name, withTablesOfCopy(batch));
    progress.add(batch.entries());
  }
}

/// The batch with the tables of the copy.
Batch CategoryCopy::withTablesOfCopy(const Batch& batch) const {
  Batch copy(m_schema, batch.firstEntry(), batch.entries());
  for (std::uint32_t table = 0; table < m_schema.size(); ++table) {
    copy.table(table) = batch.table(table);
    if (m_schema.table(table).kind == m_source.schema().table(table).kind)
      continue;
    checkSingle(batch, table);
    copy.table(table).offsets = {};
    copy.table(table).present = {};
  }
  return copy;
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
void checkNames(const File& file, const StorageRules& rules, const WriterOptions& options) {
  OptionNames names;
  for (const std::string& category : file.categories())
    names.add(schemaBy(rules, file.category(category).schema()));
  for (const OptionNames::Unknown& unknown : names.unknownIn(options))
    fail(ErrorKind::name, file.name(), ": has no ", unknown.what, " '", unknown.name, "'",
         unknown.suggestion);
}

/// The keys of the options, then those that the file has sorted: members of collections too, of
/// which its tables do not say that they are keys.
SinkOptions sinkOptions(const File& file, const WriterOptions& options) {
  SinkOptions all = options.forSink();
  for (const std::string& category : file.categories())
    if (const Source* const sorted = file.category(category).sortedKeys())
      for (const Table& key : sorted->schema().tables())
        if (key.name != entryOfKeys)
          all.keys.emplace_back(key.name);
  return all;
}

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
              const Progress& progress, std::vector<ModelDatatypes::Document> models) {
  checkOptions(in, out, options);
  std::shared_ptr<const File> file = open(in);
  if (!models.empty())
    file = std::make_shared<EvolvedFile>(std::move(file), std::move(models));
  const StorageRules rules = options.rules();
  checkNames(*file, rules, options);
  std::vector<CategoryCopy> copies;
  std::uint64_t entries = 0;
  for (const std::string& name : file->categories()) {
    entries += file->category(name).entries();
    copies.emplace_back(file->category(name), name, rules);
  }
  BatchWriter writer(create(out, sinkOptions(*file, options)), options);
  for (const std::string& name : file->documents())
    writer.putDocument(name, file->document(name));
  ProgressCount count(progress, entries);
  for (const CategoryCopy& copy : copies)
    copy.write(writer, count);
  writer.finish();
}

} // namespace kaon
