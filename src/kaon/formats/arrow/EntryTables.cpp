#include <kaon/formats/arrow/EntryTables.h>

#include <kaon/base/Error.h>
#include <kaon/base/Joined.h>
#include <kaon/base/Suggestion.h>
#include <kaon/formats/arrow/StreamField.h>
#include <kaon/formats/arrow/StreamNumbers.h>
#include <kaon/formats/arrow/StreamTables.h>
#include <kaon/model/CollectionTables.h>
#include <kaon/model/LateMembers.h>
#include <kaon/model/StorageRules.h>
#include <kaon/model/TableLabels.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace kaon::arrow {
namespace {

/// Awkward's name for the records of a relation.
constexpr std::string_view referenceName = "Reference";

std::string_view shortName(std::string_view datatype) {
  const std::size_t space = datatype.rfind("::");
  return space == std::string_view::npos ? datatype : datatype.substr(space + 2);
}

bool isNumber(const ArrowSchema& field) { return streamNumber(formatOf(field)).has_value(); }

/// Returns the type of a field's values, also of run-length encoded ones.
ArrowSchema plain(const ArrowSchema& field) { return valuesOfRuns(field).value_or(field); }

/// Returns a collection's name with the characters that names of datatypes can have.
std::string datatypeName(std::string_view name) {
  std::string type(name);
  for (char& character : type)
    if (static_cast<unsigned char>(character) < 0x80 &&
        !std::isalnum(static_cast<unsigned char>(character)))
      character = '_';
  return type;
}

void checkRecord(const ArrowSchema& record, const std::string& where, bool isInner) {
  if (metadataOf(record, "record") == referenceName ||
      (isReference(record) && !metadataOf(record, "datatype").empty()))
    fail(ErrorKind::usage, "'", where,
         "' is a relation, which needs a model: give create() the model of the original file, "
         "`model=file.models[...]`, or leave the relation out");
  if (!metadataOf(record, "tuple").empty())
    fail(ErrorKind::type, "'", where, "' has tuples: name their fields, as `ak.zip` does");
  for (const ArrowSchema* const field : fieldsOf(record))
    if (const std::string_view name = nameOf(*field);
        name.empty() || name.find('.') != std::string_view::npos)
      fail(ErrorKind::usage, "'", where, "' has a field '", name,
           "': names must not be empty or contain dots");
  if (isInner && record.n_children == 0)
    fail(ErrorKind::type, "'", where, "' has records without fields");
}

/// Checks that a field without a datatype can be stored, so that reading restores the values.
void checkFree(const ArrowSchema& given, const std::string& where, bool isInner = false) {
  const ArrowSchema field = plain(given);
  if (isNull(formatOf(field)))
    fail(ErrorKind::usage, "'", where, "' is empty, so its type is unknown");
  if (isList(field.format)) {
    const ArrowSchema& element = elementOf(field);
    if (isReference(element) && !metadataOf(field, "datatype").empty())
      checkRecord(element, where, isInner);
    return checkFree(element, where);
  }
  if (!isRecord(field))
    return;
  checkRecord(field, where, isInner);
  for (const ArrowSchema* const inside : fieldsOf(field))
    checkFree(*inside, joined(where, ".", nameOf(*inside)), true);
}

/// The type of a list of records, without the references of the records to themselves.
struct WithoutSelf {
  explicit WithoutSelf(const ArrowSchema& type) : list(type) {
    const auto self = ownReferences(list);
    if (!self)
      return;
    record = elementOf(list);
    fields.assign(record.children, record.children + record.n_children);
    fields.erase(fields.begin() + *self);
    record.children = fields.data();
    record.n_children = std::ssize(fields);
    list.children = &element;
  }
  WithoutSelf(const WithoutSelf&) = delete;
  WithoutSelf& operator=(const WithoutSelf&) = delete;

  ArrowSchema list;
  ArrowSchema record = {};
  ArrowSchema* element = &record;
  std::vector<ArrowSchema*> fields = {};
};

} // namespace

EntryTables::EntryTables(const EntryRules& rules, CollectionTypes& types, const Schema* written)
    : m_rules(rules), m_types(types), m_schema(written ? *written : Schema()),
      m_isBegun(written != nullptr) {
  for (const auto& [number, label] : labelsOf(m_schema))
    m_roots.emplace(label, number);
}

TableNumber EntryTables::find(std::string_view name) const {
  const auto root = m_roots.find(name);
  return root == m_roots.end() ? Table::none : TableNumber(root->second);
}

void EntryTables::add(std::span<ArrowSchema* const> fields, EntryForm form) {
  for (const ArrowSchema* const field : fields) {
    TableNumber root = find(nameOf(*field));
    if (root == Table::none) {
      addRoot(*field, fields, form);
      root = find(nameOf(*field));
    } else {
      addLate(root);
    }
    if (m_schema.table(root).kind == TableKind::collection)
      addDecorations(root, *field);
  }
  m_isBegun = true;
}

void EntryTables::addRoot(const ArrowSchema& field, std::span<ArrowSchema* const> all,
                          EntryForm form) {
  const std::string_view name = nameOf(field);
  checkIsNoMember(name, all);
  Tables tables = newTables(field, form);
  checkUse(tables.front());
  m_rules.storage.apply(tables);
  if (tables.front().kind == TableKind::value && m_isBegun)
    fail(ErrorKind::usage, "earlier entries have no value '", name, "'");
  const std::uint32_t first = m_schema.size();
  append(std::move(tables), first);
  m_roots.emplace(name, first);
}

void EntryTables::append(Tables tables, std::uint32_t first) {
  for (TableDefinition& table : tables) {
    if (table.parent != Table::none)
      table.parent += first;
    (void)m_schema.add(table);
  }
}

void EntryTables::addLate(TableNumber collection) {
  const Table present = m_schema.table(collection);
  if (present.kind != TableKind::collection)
    return;
  const Datatype& type = m_types.get(present.type, present.name);
  const Tables known = definitionsUnder(m_schema, collection);
  Tables expected = collectionTables(type, known.front().name);
  m_rules.storage.apply(expected);
  const Tables own = expected;
  addLateMembers(expected, known, type.defaults);
  for (TableDefinition& table : expected) {
    if (std::ranges::find(known, table.name, &TableDefinition::name) != known.end())
      continue;
    const bool isMember = table.kind == TableKind::decoration;
    const std::string above = own[table.parent].name;
    table.parent = isMember || table.parent == 0 ? collection : m_schema.find(above);
    (void)m_schema.add(table);
  }
}

void EntryTables::addDecorations(TableNumber root, const ArrowSchema& list) {
  if (!isList(list.format) || !isRecord(elementOf(list)))
    return;
  for (const ArrowSchema* const field : fieldsOf(elementOf(list))) {
    const Table collection = m_schema.table(root);
    const std::string label = joined(collection.name, ".", nameOf(*field));
    if (metadataOf(*field, "decoration").empty() || m_schema.find(label) != Table::none)
      continue;
    const auto members = memberNames(m_types.get(collection.type, collection.name));
    if (std::ranges::find(members, nameOf(*field)) != members.end())
      fail(ErrorKind::usage, "a ", shortName(collection.type), " has a '", nameOf(*field),
           "' already: a decoration needs a name of its own");
    Tables tables = freeTables(label, TableKind::decoration, *field);
    if (tables.size() > 1)
      fail(ErrorKind::type, "the decoration '", label, "' needs numbers, as many each");
    tables.front().parent = root;
    tables.front().layout = collection.layout;
    (void)m_schema.add(tables.front());
  }
}

std::string_view EntryTables::typeFor(std::string_view name) const {
  const auto type = m_rules.types.find(name);
  return type == m_rules.types.end() ? std::string_view() : type->second;
}

bool EntryTables::isFree(std::string_view name, const ArrowSchema& rows) const {
  const std::string_view type = typeFor(name);
  if (m_types.hasModel() || !type.empty())
    return type == EntryRules::record;
  const std::string_view record = recordName(rows);
  return isRecord(rows) && (record.empty() || !m_types.find(record));
}

EntryTables::Tables EntryTables::newTables(const ArrowSchema& given, EntryForm form) const {
  const WithoutSelf withoutSelf(plain(given));
  const ArrowSchema& field = withoutSelf.list;
  const std::string name(nameOf(given));
  const std::string_view format = formatOf(field);
  const bool isMany = isList(format);
  ArrowSchema rows = isMany ? plain(elementOf(field)) : field;
  if (isMany && recordName(rows).empty() && isRecord(rows))
    rows.metadata = field.metadata; // in streams, lists carry the name of their records
  if (isFree(name, rows)) {
    checkFree(field, name);
    return freeTables(name, isMany ? TableKind::parameter : TableKind::value, field);
  }
  if (!typeFor(name).empty() || isRecord(rows)) {
    if (!isMany && !isNull(format))
      fail(ErrorKind::type, "'", name,
           "' has one record for each entry: give lists of records for a collection; for records "
           "without a datatype, set \"record\" in `types`");
    return collectionTables(datatypeFor(name, rows), name);
  }
  if (isNull(formatOf(rows))) {
    if (form == EntryForm::stream)
      fail(ErrorKind::type, "'", name,
           "' is null everywhere and has no type: leave it out, or give it a type");
    fail(ErrorKind::usage, "'", name,
         "' is empty, so its type is unknown: set it with `types`, such as types={'", name,
         "': 'float32'}, or the datatype of a collection");
  }
  checkFree(field, name);
  const bool isArray = isMany && format.starts_with("+w:") && isNumber(rows) && !isOptional(rows);
  const bool isListOfOne =
      isArray && form == EntryForm::stream && format == "+w:1" && isNullable(field);
  const bool isParameter = (isMany && !isArray) || isListOfOne || isBytes(format);
  return freeTables(name, isParameter ? TableKind::parameter : TableKind::value, field);
}

EntryTables::Tables EntryTables::collectionTables(const Datatype& type,
                                                  std::string_view name) const {
  Tables tables = tablesOf(type, name, 0, Layout::split);
  detail::apply(detail::storageOf(type.storage), tables);
  return tables;
}

const Datatype& EntryTables::datatypeFor(std::string_view name, const ArrowSchema& records) const {
  const std::string_view given = typeFor(name);
  const std::string_view record = given.empty() ? recordName(records) : given;
  if (const Datatype* const type = record.empty() ? nullptr : m_types.find(record))
    return *type;
  m_types.check(record);
  const std::vector<const Datatype*> known = m_types.ofModel();
  std::vector<const Datatype*> named;
  for (const Datatype* const type : known)
    if (shortName(type->name) == record)
      named.push_back(type);
  if (named.size() == 1)
    return *named.front();

  std::vector<std::string_view> fields;
  if (isRecord(records))
    for (const ArrowSchema* const field : fieldsOf(records))
      if (nameOf(*field) != selfName)
        fields.push_back(nameOf(*field));
  const auto shared = [&](const Datatype* type) {
    const auto members = memberNames(*type);
    return std::ranges::count_if(fields, [&](std::string_view field) {
      return std::ranges::find(members, field) != members.end();
    });
  };
  std::vector<const Datatype*> fitting, called;
  for (const Datatype* const type : known)
    if (!fields.empty() && shared(type) == std::ssize(fields)) {
      fitting.push_back(type);
      if (shortName(type->name) == datatypeName(name))
        called.push_back(type);
    }
  for (const auto* const only : {&fitting, &called})
    if (only->size() == 1)
      return *only->front();
  std::string reason;
  if (!fitting.empty()) {
    for (const Datatype* const type : fitting)
      reason.append(reason.empty() ? "" : ", ").append(type->name);
    reason += " all have these members";
  } else if (known.empty()) {
    reason = "the model has no datatypes";
  } else if (fields.empty()) {
    reason = "its records have no members";
  } else { // the most similar datatype makes the best message
    const auto members = memberNames(**std::ranges::max_element(known, {}, shared));
    const auto wrong = std::ranges::find_if(fields, [&](std::string_view field) {
      return std::ranges::find(members, field) == members.end();
    });
    reason = joined("no datatype has the member '", *wrong, "' and the others",
                    suggestion(*wrong, members));
  }
  fail(ErrorKind::usage, "the datatype of '", name, "' is unclear (", reason,
       "): set it with `types`");
}

/// Checks that a new name is not the name of a member, such as "MCParticles.PDG".
void EntryTables::checkIsNoMember(std::string_view name, std::span<ArrowSchema* const> all) const {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos)
    return;
  const std::string_view collection = name.substr(0, dot);
  const std::string_view rest = name.substr(dot + 1);
  const std::string_view member = rest.substr(0, rest.find('.'));
  bool isMember =
      find(collection) != Table::none || std::ranges::any_of(all, [&](const ArrowSchema* field) {
        return nameOf(*field) == collection;
      });
  for (const Datatype* const type : m_types.ofModel()) {
    const auto members = memberNames(*type);
    isMember = isMember || std::ranges::find(members, member) != members.end();
  }
  if (isMember)
    fail(ErrorKind::usage, "'", name,
         "' is the name of a collection's member: give the whole collection as lists of records, "
         "such as {'",
         collection, "': ak.zip({'", member, "': ..., ...})}");
}

/// Checks that a tag has one number in each event, and a key one integer.
void EntryTables::checkUse(const TableDefinition& table) const {
  const TableUse use = m_rules.storage.useOf(table.name);
  const bool isValue =
      table.kind == TableKind::value && table.members.size() == 1 && table.members[0].extent == 1;
  const bool isKey = has(use, TableUse::key);
  if (has(use, TableUse::tag) && !isValue)
    fail(ErrorKind::usage, "'", table.name, "' cannot be a tag: it needs one number an event");
  if (isKey && (!isValue || isFloat(table.members[0].type)))
    fail(ErrorKind::usage, "'", table.name,
         "' cannot be a key: it needs one whole number an event");
}

} // namespace kaon::arrow
