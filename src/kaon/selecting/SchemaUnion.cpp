#include <kaon/selecting/SchemaUnion.h>

#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>
#include <kaon/base/Wording.h>
#include <kaon/batch/Provenance.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/model/Structure.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace kaon {
namespace {

/// Returns whether a table has any number of records or bare values per entry, without a model.
/// Some files have them as a collection, others as a parameter.
bool isOfNoModel(const Table& table) {
  return (table.kind == TableKind::collection || table.kind == TableKind::parameter) &&
         (table.type.empty() || (table.members.size() == 1 && table.members[0].name.empty()));
}

/// Returns the collection in `schema` with the name of a parameter, or the parameter with the name
/// and type of a collection.
TableNumber findOfOtherKind(const Schema& schema, const Table& table) {
  return table.kind == TableKind::parameter ? schema.findCollection(table.name)
                                            : schema.findParameter(table.name, table.type);
}

/// Returns the table in `united` with the meaning of an added table, or Table::none. A schema may
/// have a parameter and another table with the same name.
TableNumber findSame(const Schema& united, const Schema& added, const Table& table) {
  const std::uint32_t same = table.kind == TableKind::parameter
                                 ? united.findParameter(table.name, table.type)
                                 : united.find(table.name);
  if (same != Table::none &&
      (table.kind == TableKind::parameter || united.table(same).kind != TableKind::parameter))
    return same;
  const TableNumber other = isOfNoModel(table) ? findOfOtherKind(united, table) : Table::none;
  const bool isSame = other != Table::none && isOfNoModel(united.table(other)) &&
                      united.table(other).type == table.type &&
                      findOfOtherKind(added, table) == Table::none;
  return isSame ? other : Table::none;
}

bool holdSame(const Member& a, const Member& b) {
  return a.name == b.name && a.type == b.type && a.extent == b.extent &&
         structuresAgree(a.structure, b.structure) && a.precision == b.precision &&
         a.missing == b.missing;
}

bool holdSame(const Table& a, const Table& b) {
  return (a.kind == b.kind || (isOfNoModel(a) && isOfNoModel(b))) && a.type == b.type &&
         std::ranges::equal(a.members, b.members,
                            [](const Member& x, const Member& y) { return holdSame(x, y); });
}

[[noreturn]] void failDifferent(const Table& table, const std::string& difference = {}) {
  fail(ErrorKind::usage, "'", table.name, "' differs between the inputs", difference,
       "; first write ",
       table.type.empty() ? "one of them" : "the inputs with another version of the model",
       " again");
}

/// Returns the first member of a table that another table lacks, or "".
std::string_view memberWithout(const Table& table, const Table& other) {
  for (const Member& member : table.members)
    if (other.members.find(member.name) == other.members.size())
      return member.name;
  return {};
}

/// Returns the difference between the members of two tables, for messages; "" for other
/// differences.
std::string differenceOf(const Table& added, const Table& known) {
  for (const Member& member : added.members)
    if (const std::uint32_t same = known.members.find(member.name);
        same < known.members.size() && known.members[same].type != member.type)
      return ": " + (member.name.empty() ? "it" : "'" + std::string(member.name) + "'") + " is " +
             withArticle(nameOf(member.type)) + ", but " +
             withArticle(nameOf(known.members[same].type)) + " in earlier inputs";
  for (const auto& [table, other] : {std::pair(&added, &known), std::pair(&known, &added)})
    if (const std::string_view name = memberWithout(*table, *other); !name.empty())
      return ": only some inputs have '" + std::string(name) + "'";
  return std::ranges::equal(added.members, known.members, {}, &Member::name, &Member::name)
             ? ""
             : ": its members have another order than in earlier inputs";
}

/// Returns whether a schema may lack a table although it has the table above it.
bool mayBeNew(const Table& table) { return table.isRoot() || table.kind == TableKind::decoration; }

/// Returns for each name whether a parameter (1), a value (2) or both (3) have it.
std::map<std::string_view, unsigned> singlesOf(const Schema& schema) {
  std::map<std::string_view, unsigned> singles;
  for (const Table& table : schema.tables())
    if (table.kind == TableKind::parameter || table.kind == TableKind::value)
      singles[table.name] |= table.kind == TableKind::parameter ? 1U : 2U;
  return singles;
}

/// Throws if a tag of one schema is a parameter of the other. Code that reads the tag would not
/// find the parameter.
void checkSingles(const Schema& schema, const Schema& added) {
  const auto known = singlesOf(schema);
  for (const auto& [name, uses] : singlesOf(added))
    if (const auto same = known.find(name); same != known.end() && same->second + uses == 3)
      fail(ErrorKind::usage, "'", name, "' is a ", uses == 1 ? "parameter" : "value", ", but a ",
           uses == 1 ? "value" : "parameter",
           " in another input: first convert the input with the parameter, and store it as a tag "
           "(kaon convert --tag)");
}

} // namespace

std::vector<std::uint32_t> SchemaUnion::add(const Schema& schema,
                                            std::span<const std::uint32_t> leftOut) {
  checkSingles(m_schema, schema);
  Schema united = m_schema;
  std::vector<std::uint32_t> numbers;
  std::vector<bool> isKnown(m_schema.size()); // whether the added schema has the table
  for (const Table& table : schema.tables()) {
    TableDefinition definition = table.definition();
    if (!table.isRoot())
      definition.parent = numbers[table.parent];
    if (std::ranges::find(leftOut, numbers.size()) != leftOut.end() ||
        (!table.isRoot() && definition.parent == Table::none)) {
      numbers.push_back(Table::none);
      continue;
    }
    const std::uint32_t same = findSame(united, schema, table);
    if (same != Table::none) {
      if (!holdSame(table, united.table(same)) || united.table(same).parent != definition.parent)
        failDifferent(table, differenceOf(table, united.table(same)));
      if (same < isKnown.size())
        isKnown[same] = true;
      numbers.push_back(same);
      continue;
    }
    if (!mayBeNew(table) && definition.parent < m_schema.size())
      failDifferent(table);
    numbers.push_back(united.add(definition));
  }
  for (TableNumber number = 0; number < m_schema.size(); ++number)
    if (const Table table = m_schema.table(number);
        !mayBeNew(table) && isKnown[table.parent] && !isKnown[number])
      failDifferent(table);
  m_schema = std::move(united);
  return numbers;
}

UnitedBatch::UnitedBatch(const Batch& batch, std::span<const std::uint32_t> numbers,
                         const Schema& schema)
    : m_batch(schema, batch.firstEntry(), batch.entries()) {
  if (numbers.size() < batch.schema().size() ||
      std::ranges::any_of(numbers, [&](TableNumber number) {
        return number >= schema.size() && number != Table::none;
      }))
    fail(ErrorKind::usage, "the batch has other tables than were added to the union");
  std::vector<bool> isThere(schema.size());
  for (TableNumber table = 0; table < batch.schema().size(); ++table) {
    if (numbers[table] == Table::none)
      continue;
    m_batch.table(numbers[table]) = batch.table(table);
    isThere[numbers[table]] = true;
    const TableKind kind = schema.table(numbers[table]).kind;
    if (kind == TableKind::oneRelation || kind == TableKind::manyRelation)
      renumber(numbers[table], numbers);
  }
  for (TableNumber table = 0; table < schema.size(); ++table)
    if (!isThere[table])
      fillMissing(table);
}

void UnitedBatch::fillMissing(TableNumber number) {
  const Table table = m_batch.schema().table(number);
  TableView& view = m_batch.table(number);
  const std::size_t above = table.isRoot() ? m_batch.entries() : m_batch.table(table.parent).rows;
  if (table.canBeAbsent()) {
    const auto present = m_values.emplace_back().assign(above);
    std::ranges::fill(present, std::byte{0});
    view.present = present;
  }
  if (table.isCounted())
    view.offsets = m_offsets.emplace_back(above + 1, 0);
  else
    view.rows = above;
  for (const Member& member : table.members) {
    const std::size_t size = sizeOf(member.type);
    Buffer& values = m_values.emplace_back();
    values.reserve(1); // values need an address, even without rows
    for (std::size_t i = 0; i < view.rows * member.extent; ++i)
      std::memcpy(values.grow(size), &member.missing, size);
    if (isOfPlaces(table))
      fillPlaces(m_batch.table(table.parent).offsets,
                 detail::valuesAt<std::uint32_t>(values.data()));
    view.members.push_back({values.data(), member.size()});
  }
}

/// Gives the collections of references their numbers in the union.
void UnitedBatch::renumber(std::uint32_t relation, std::span<const std::uint32_t> numbers) {
  TableView& view = m_batch.table(relation);
  if (view.rows == 0)
    return;
  const std::string_view name = m_batch.schema().table(relation).name;
  if (view.members.size() <= detail::relationCollection ||
      !view.members[detail::relationIndex].base || !view.members[detail::relationCollection].base)
    fail(ErrorKind::usage, "the batch lacks members of '", name, "'");
  Buffer& indices = m_values.emplace_back();
  Buffer& collections = m_values.emplace_back();
  std::byte* const index = indices.assign(view.rows * sizeof(std::int32_t)).data();
  std::byte* const collection = collections.assign(view.rows * sizeof(std::uint32_t)).data();
  for (std::size_t row = 0; row < view.rows; ++row) {
    auto object = detail::loadAs<std::int32_t>(view.members[detail::relationIndex].at(row));
    auto target = detail::loadAs<std::uint32_t>(view.members[detail::relationCollection].at(row));
    if (object >= 0 && target >= numbers.size())
      fail(ErrorKind::corrupt, "'", name, "' refers to table number ", target,
           ", which does not exist");
    target = target < numbers.size() ? numbers[target] : 0;
    if (target == Table::none) { // the collection was left out
      object = -1;
      target = 0;
    }
    std::memcpy(index + row * sizeof object, &object, sizeof object);
    std::memcpy(collection + row * sizeof target, &target, sizeof target);
  }
  view.members[detail::relationIndex] = {index, sizeof(std::int32_t)};
  view.members[detail::relationCollection] = {collection, sizeof(std::uint32_t)};
}

} // namespace kaon
