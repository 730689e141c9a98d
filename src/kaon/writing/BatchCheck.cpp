#include <kaon/writing/BatchCheck.h>

#include <kaon/base/Bools.h>
#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>
#include <kaon/base/Wording.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/detail/batch/BatchRows.h>
#include <kaon/model/Datatype.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <span>

namespace kaon {
namespace {

/// Returns the entry of a row.
std::size_t entryOf(const Batch& batch, std::uint32_t number, std::size_t row) {
  const Table table = batch.schema().table(number);
  if (table.isCounted()) {
    const auto offsets = batch.table(number).offsets;
    row = static_cast<std::size_t>(std::ranges::upper_bound(offsets, row) - offsets.begin()) - 1;
  }
  return table.isRoot() ? row : entryOf(batch, table.parent, row);
}

/// Returns the number of objects of a collection to which references may lead. If the entry lacks
/// the collection, they lead nowhere, and all indices are valid.
std::int64_t objectsOf(const Batch& batch, TableNumber collection, std::size_t entry) {
  const TableView& table = batch.table(collection);
  if (!table.present.empty() && table.present[entry] == std::byte{0})
    return std::numeric_limits<std::int64_t>::max();
  return table.offsets[entry + 1] - table.offsets[entry];
}

/// Returns whether 32-bit numbers are contiguous and aligned.
bool isArray(const ColumnView& numbers) noexcept {
  constexpr std::size_t size = sizeof(std::uint32_t);
  return numbers.stride == size && detail::addressOf(numbers.base) % size == 0;
}

/// Returns whether all references lead to objects of one collection, or to no object. Has no
/// branches, because batches have many references.
bool leadTo(TableNumber collection, std::int64_t objects, std::span<const std::int32_t> indices,
            const std::uint32_t* collections) noexcept {
  std::uint32_t others = 0;
  std::int32_t least = -1, greatest = -1;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const auto isNone = static_cast<std::uint32_t>(indices[i] >> 31);
    others |= (collections[i] ^ collection) & ~isNone;
    least = std::min(least, indices[i]);
    greatest = std::max(greatest, indices[i]);
  }
  return others == 0 && least == -1 && greatest < objects;
}

} // namespace

void checkWhole(const Batch& batch) {
  const Schema& schema = batch.schema();
  for (TableNumber number = 0; number < schema.size(); ++number) {
    const TableView& table = batch.table(number);
    const Table info = schema.table(number);
    for (MemberNumber member = 0; member < info.members.size(); ++member)
      if (member >= table.members.size() || !table.members[member].base)
        fail(ErrorKind::usage, "the batch lacks '", schema.nameOfMember(number, member), "'");
    if (info.isCounted() && !std::ranges::is_sorted(table.offsets))
      fail(ErrorKind::usage, "the offsets of '", info.name, "' must not decrease");
    if (!table.present.empty() && table.present.size() != batch.entries())
      fail(ErrorKind::usage, "'", info.name, "' states its presence for ", table.present.size(),
           " of ", counted(batch.entries(), "entry", "entries"));
  }
  // Checks that offsets lie within the rows.
  const std::vector<detail::RowRange> rows = detail::rowsOf(batch, 0, batch.entries());
  for (TableNumber number = 0; number < schema.size(); ++number)
    if (batch.table(number).rows < rows[number].last)
      fail(ErrorKind::usage, "'", schema.table(number).name, "' has ",
           counted(batch.table(number).rows, "row"), ", but needs one for each of the ",
           rows[number].last, " rows above");
}

template <class... Parts>
void BatchCheck::failFor(std::string_view name, const Parts&... parts) const {
  fail(ErrorKind::usage, m_file, ":", m_category, ": '", name, "' ", parts...);
}

BatchCheck::BatchCheck(const Schema& schema, std::string_view file, std::string_view category)
    : m_file(file), m_category(category) {
  checkNames(schema);
  checkNeeded(schema);
  for (TableNumber number = 0; number < schema.size(); ++number) {
    const Table table = schema.table(number);
    if (table.canBeAbsent())
      m_absentable.push_back(number);
    if (table.kind == TableKind::oneRelation || table.kind == TableKind::manyRelation)
      m_relations.push_back(number);
    for (MemberNumber member = 0; member < table.members.size(); ++member)
      if (table.members[member].type == Scalar::Bool)
        m_bools.emplace_back(number, member);
  }
}

/// Checks that each column has a unique name. The schema has checked the names of tables.
void BatchCheck::checkNames(const Schema& schema) const {
  std::set<std::string, std::less<>> names;
  for (const Table& table : schema.tables())
    names.emplace(table.name);
  for (TableNumber number = 0; number < schema.size(); ++number) {
    const Table table = schema.table(number);
    for (MemberNumber member = 0; member < table.members.size(); ++member) {
      const bool hasName = !table.members[member].name.empty();
      if (!hasName && table.members.size() > 1)
        failFor(table.name, "has several members, and one of them has no name: name it");
      if (std::string name = schema.nameOfMember(number, member);
          hasName && !names.insert(name).second)
        failFor(table.name, "gives two columns the name '", name, "': rename one of them");
    }
  }
}

void BatchCheck::checkNeeded(const Schema& schema) const {
  for (TableNumber number = 0; number < schema.size(); ++number) {
    const Table table = schema.table(number);
    const bool isOfStrings =
        table.type == VectorMember::string && table.members.empty() &&
        (table.kind == TableKind::parameter || table.kind == TableKind::vectorMember);
    if (isOfStrings && std::ranges::none_of(schema.tables(), [&](const Table& each) {
          return each.parent == number;
        }))
      failFor(table.name, "is of strings, but lacks the table of their text: add one under it");
    if (table.kind == TableKind::collection && table.type.starts_with(detail::subsetPrefix) &&
        schema.find(std::string(table.name) + ".object") == Table::none)
      failFor(table.name,
              "is a subset, but lacks the relation 'object' to the objects of others: ", "add it");
  }
}

void BatchCheck::checkValues(const Batch& batch) const {
  for (const TableNumber table : m_absentable)
    checkPresence(batch, table);
  for (const auto& [table, member] : m_bools)
    checkBools(batch, table, member);
  for (const TableNumber table : m_relations)
    checkReferences(batch, table);
}

void BatchCheck::checkPresence(const Batch& batch, std::uint32_t number) const {
  const TableView& table = batch.table(number);
  if (!areBools(table.present))
    failFor(batch.schema().table(number).name,
            "has a presence that is neither 0 nor 1: presences are bools");
  for (std::size_t entry = 0; entry < table.present.size(); ++entry)
    if (table.present[entry] == std::byte{0} && table.offsets[entry + 1] != table.offsets[entry])
      failFor(batch.schema().table(number).name, "is absent from entry ", entry,
              " of those given, but has ",
              counted(table.offsets[entry + 1] - table.offsets[entry], "row"),
              " there: an absent table must not have rows");
}

void BatchCheck::checkBools(const Batch& batch, std::uint32_t number, MemberNumber member) const {
  const TableView& table = batch.table(number);
  const ColumnView& values = table.members[member];
  const std::size_t extent = batch.schema().table(number).members[member].extent;
  if (values.stride == extent && areBools({values.base, table.rows * extent}))
    return;
  for (std::size_t row = 0; row < table.rows; ++row)
    if (!areBools({values.at(row), extent}))
      failFor(batch.schema().nameOfMember(number, member), "has, in entry ",
              entryOf(batch, number, row), " of those given, a bool that is neither 0 nor 1");
}

void BatchCheck::checkReferences(const Batch& batch, std::uint32_t number) const {
  const TableView& references = batch.table(number);
  if (references.rows == 0)
    return;
  const Table table = batch.schema().table(number);
  const auto owners = batch.table(table.parent).offsets;
  const bool isCounted = table.isCounted();
  const auto firstOf = [&](std::size_t entry) -> std::size_t {
    return isCounted ? references.offsets[owners[entry]] : owners[entry];
  };
  const ColumnView& indices = references.members[detail::relationIndex];
  const ColumnView& collections = references.members[detail::relationCollection];
  const bool areArrays = isArray(indices) && isArray(collections);
  TableNumber last = Table::none; // the collection of the last reference
  for (std::size_t entry = 0; entry < batch.entries(); ++entry) {
    const std::size_t first = firstOf(entry), end = firstOf(entry + 1);
    if (areArrays && last != Table::none &&
        leadTo(last, objectsOf(batch, last, entry),
               {detail::valuesAt<std::int32_t>(indices.at(first)), end - first},
               detail::valuesAt<std::uint32_t>(collections.at(first))))
      continue;
    for (std::size_t row = first; row < end; ++row) {
      const auto index = detail::loadAs<std::int32_t>(indices.at(row));
      if (index == -1)
        continue;
      last = detail::loadAs<std::uint32_t>(collections.at(row));
      checkReference(batch, number, entry, index, last);
    }
  }
}

void BatchCheck::checkReference(const Batch& batch, std::uint32_t number, std::size_t entry,
                                std::int32_t index, TableNumber collection) const {
  const Schema& schema = batch.schema();
  const std::string_view name = schema.table(number).name;
  if (index < -1)
    failFor(name, "has, in entry ", entry, " of those given, an index less than -1, ", index,
            ": -1 is for no object");
  if (collection >= schema.size() || schema.table(collection).kind != TableKind::collection)
    failFor(name, "refers, in entry ", entry, " of those given, to table number ", collection,
            ", which is not a collection: give the number of a collection's table");
  const std::int64_t objects = objectsOf(batch, collection, entry);
  if (index >= objects)
    failFor(name, "refers, in entry ", entry, " of those given, to object ", index, " of '",
            schema.table(collection).name, "', which has ", objects,
            " there: they count from 0, and -1 is for no object");
}

} // namespace kaon
