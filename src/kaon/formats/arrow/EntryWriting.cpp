#include <kaon/formats/arrow/EntryWriting.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/formats/arrow/EntryColumns.h>
#include <kaon/formats/arrow/MarkedType.h>
#include <kaon/formats/arrow/StreamArrays.h>
#include <kaon/formats/arrow/StreamField.h>
#include <kaon/formats/arrow/StreamRows.h>

#include <set>
#include <utility>

namespace kaon::arrow {
namespace {

/// Throws if two columns have one name.
void checkNames(const ArrowSchema& type) {
  std::set<std::string_view> names;
  for (const ArrowSchema* const field : fieldsOf(type))
    if (!names.insert(nameOf(*field)).second)
      fail(ErrorKind::usage, "two columns have the name '", nameOf(*field), "'");
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
  checkNames(type);
  if (!mayHaveNullsInside(entries))
    return append(category, type, &entries, form, out);
  MarkedType marked(type);
  marked.mark(entries, form);
  return append(category, marked.type(), &entries, form, out);
}

std::uint64_t EntryWriter::writeStream(std::string_view category, ArrowArrayStream stream,
                                       bool isInMemory, BatchWriter& out) {
  constexpr EntryForm form = EntryForm::stream;
  StreamArrays arrays(stream, ErrorKind::usage);
  checkNames(arrays.type());
  MarkedType marked(arrays.type());
  if (isInMemory) {
    const std::vector<OwnedArrow<ArrowArray>> all = arrays.rest();
    for (const OwnedArrow<ArrowArray>& entries : all)
      marked.mark(*entries.get(), form);
    std::uint64_t count = 0;
    for (const OwnedArrow<ArrowArray>& entries : all)
      count += append(category, marked.type(), entries.get(), form, out);
    return all.empty() ? append(category, marked.type(), nullptr, form, out) : count;
  }
  const ArrowArray* entries = arrays.next();
  if (!entries)
    return append(category, arrays.type(), nullptr, form, out);
  marked.mark(*entries, form);
  std::uint64_t count = 0;
  for (; entries; entries = arrays.next())
    count += append(category, marked.type(), entries, form, out);
  return count;
}

std::uint64_t EntryWriter::append(std::string_view category, const ArrowSchema& type,
                                  const ArrowArray* entries, EntryForm form, BatchWriter& out) {
  if (entries && (entries->length < 0 || entries->n_children != type.n_children))
    fail(ErrorKind::usage, "a stream's array is not of the stream's type");
  EntryTables tables(m_rules, m_types, tablesOf(category));
  tables.add(fieldsOf(type), form);
  std::vector<PlannedField> planned;
  for (const ArrowSchema* const field : fieldsOf(type))
    planned.push_back({field, tables.find(nameOf(*field))});
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
