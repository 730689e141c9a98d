#include <kaon/formats/arrow/EntryWriting.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/formats/arrow/EntryColumns.h>
#include <kaon/formats/arrow/StreamArrays.h>
#include <kaon/formats/arrow/StreamRows.h>

#include <set>
#include <utility>

namespace kaon::arrow {
namespace {

std::vector<EntryField> entryFields(const ArrowSchema& type, const ArrowArray* entries) {
  if (entries && (entries->length < 0 || entries->n_children != type.n_children))
    fail(ErrorKind::usage, "a stream's array is not of the stream's type");
  std::vector<EntryField> fields;
  std::set<std::string_view> names;
  for (std::int64_t i = 0; i < type.n_children; ++i) {
    fields.push_back({type.children[i], entries ? entries->children[i] : nullptr});
    if (!names.insert(fields.back().name()).second)
      fail(ErrorKind::usage, "two columns have the name '", fields.back().name(), "'");
  }
  return fields;
}

} // namespace

void checkTypes(const EntryRules& rules) {
  if (const std::string mistake = rules.model ? rules.model->mistake("") : ""; !mistake.empty())
    throw Error(ErrorKind::usage, mistake);
  CollectionTypes types(rules.model);
  for (const auto& [array, type] : rules.types)
    if (type != EntryRules::record && !types.find(type))
      fail(ErrorKind::name, "the model has no datatype '", type, "'",
           suggestion(type, rules.model ? rules.model->names() : std::vector<std::string>()));
}

EntryWriter::EntryWriter(EntryRules rules) : m_rules(std::move(rules)), m_types(m_rules.model) {}

void EntryWriter::addWritten(std::string_view category, Schema tables) {
  m_written.insert_or_assign(std::string(category), std::move(tables));
}

const Schema* EntryWriter::tablesOf(std::string_view category) const {
  const auto known = m_written.find(category);
  return known == m_written.end() ? nullptr : &known->second;
}

std::uint64_t EntryWriter::write(std::string_view category, const ArrowSchema& type,
                                 const ArrowArray& entries, EntryForm form, BatchWriter& out) {
  checkEntries(type);
  return append(category, type, &entries, form, out);
}

std::uint64_t EntryWriter::writeStream(std::string_view category, ArrowArrayStream stream,
                                       BatchWriter& out) {
  StreamArrays arrays(stream, ErrorKind::usage);
  const ArrowArray* entries = arrays.next();
  if (!entries)
    return append(category, arrays.type(), nullptr, EntryForm::stream, out);
  std::uint64_t count = 0;
  for (; entries; entries = arrays.next())
    count += append(category, arrays.type(), entries, EntryForm::stream, out);
  return count;
}

std::uint64_t EntryWriter::append(std::string_view category, const ArrowSchema& type,
                                  const ArrowArray* entries, EntryForm form, BatchWriter& out) {
  const std::vector<EntryField> fields = entryFields(type, entries);
  EntryTables tables(m_rules, m_types, tablesOf(category));
  tables.add(fields, form);
  std::vector<PlannedField> planned;
  for (const EntryField& field : fields)
    planned.push_back({field.type, tables.find(field.name())});
  StreamRows rows(columnsOf(tables.schema(),
                            {.types = &m_types,
                             .form = form,
                             .zeroesMissingMembers = m_rules.zeroesMissingMembers,
                             .emptiesLostReferences = m_rules.emptiesLostReferences},
                            planned));
  out.write(category, entries ? rows.batch(*entries) : rows.emptyBatch());
  addWritten(category, tables.schema());
  return entries ? static_cast<std::uint64_t>(entries->length) : 0;
}

} // namespace kaon::arrow
