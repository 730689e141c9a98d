#include <kaon/formats/arrow/StreamReferences.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kaon::arrow {
namespace {

/// An object of a file that was read. `at` is the entry that now has the object or a reference to
/// it.
struct FormerObject {
  std::int64_t entry = 0;
  std::int64_t index = noIndex;
  std::int64_t file = 0;
  std::uint32_t collection = noName; ///< The number of its name.
  std::size_t at = 0;
  friend bool operator==(const FormerObject&, const FormerObject&) = default;
  [[nodiscard]] bool isOfSameEntry(const FormerObject& other) const noexcept {
    return entry == other.entry && file == other.file && collection == other.collection;
  }
};

struct FormerObjectHash {
  std::size_t operator()(const FormerObject& object) const noexcept {
    std::uint64_t hash = 0;
    for (const std::uint64_t part :
         {static_cast<std::uint64_t>(object.entry), static_cast<std::uint64_t>(object.index),
          static_cast<std::uint64_t>(object.file), std::uint64_t{object.collection},
          std::uint64_t{object.at}}) {
      hash = (hash ^ part) * 0x9e3779b97f4a7c15;
      hash ^= hash >> 32;
    }
    return static_cast<std::size_t>(hash);
  }
};

template <class T>
T valueIn(const MemberRows& member, std::size_t row) noexcept {
  T value;
  std::memcpy(&value, member.data() + row * sizeof value, sizeof value);
  return value;
}

FormerObject formerObject(const TableRows& read, std::size_t row, std::size_t at) noexcept {
  return {valueIn<std::int64_t>(read.members[readEntry], row),
          valueIn<std::int64_t>(read.members[readIndex], row),
          valueIn<std::int64_t>(read.members[readFile], row),
          valueIn<std::uint32_t>(read.members[readCollection], row), at};
}

/// The objects of a collection that is being written, found by their position in the file that was
/// read.
class KnownObjects {
public:
  KnownObjects(std::uint32_t collection, std::span<const std::uint32_t> offsets,
               const TableRows& read)
      : m_collection(collection), m_offsets(offsets), m_read(read), m_order(offsets.size() - 1) {}

  [[nodiscard]] std::uint32_t collection() const noexcept { return m_collection; }
  /// Returns the index of an object in its new entry, or -1 if the entry lacks it.
  [[nodiscard]] std::int32_t positionOf(const FormerObject& object) {
    const std::size_t first = m_offsets[object.at];
    const std::size_t last = m_offsets[object.at + 1];
    if (first == last)
      return -1;
    if (isInOrder(object.at, first, last)) {
      const FormerObject begin = formerObject(m_read, first, object.at);
      const bool isThere = begin.isOfSameEntry(object) && object.index >= 0 &&
                           object.index < static_cast<std::int64_t>(last - first);
      return isThere ? static_cast<std::int32_t>(object.index) : -1;
    }
    if (!m_isIndexed)
      index();
    const auto known = m_rows.find(object);
    return known == m_rows.end() ? -1 : static_cast<std::int32_t>(known->second - first);
  }

private:
  enum class Order : std::uint8_t { unknown, former, other };

  /// Whether an entry has exactly the first objects of one entry that was read, in the same order.
  [[nodiscard]] bool isInOrder(std::size_t entry, std::size_t first, std::size_t last) {
    Order& order = m_order[entry];
    if (order == Order::unknown) {
      order = Order::former;
      const FormerObject begin = formerObject(m_read, first, entry);
      for (std::size_t row = first; row < last && order == Order::former; ++row) {
        const FormerObject object = formerObject(m_read, row, entry);
        if (!object.isOfSameEntry(begin) || object.index != static_cast<std::int64_t>(row - first))
          order = Order::other;
      }
    }
    return order == Order::former;
  }
  void index() {
    m_isIndexed = true;
    for (std::size_t entry = 0; entry + 1 < m_offsets.size(); ++entry)
      for (std::size_t row = m_offsets[entry]; row < m_offsets[entry + 1]; ++row)
        if (const FormerObject object = formerObject(m_read, row, entry); object.index != noIndex)
          m_rows.try_emplace(object, row);
  }

  std::uint32_t m_collection;
  std::span<const std::uint32_t> m_offsets;
  const TableRows& m_read;
  std::vector<Order> m_order; // by entry
  bool m_isIndexed = false;
  std::unordered_map<FormerObject, std::size_t, FormerObjectHash> m_rows;
};

class Resolver {
public:
  Resolver(const StreamPlan& plan, std::span<const std::string> names, std::span<TableRows> rows,
           std::size_t entries)
      : m_plan(plan), m_names(names), m_rows(rows), m_entries(entries) {
    for (const ReadObjects& objects : plan.objects)
      m_objects.emplace_back(objects.collection, rows[objects.collection].offsets,
                             rows[objects.read]);
  }

  void resolve(const StreamRelation& relation);

private:
  void resolveWhole(const StreamRelation& relation, std::size_t count);
  [[nodiscard]] bool find(const StreamRelation& relation, const FormerObject& object,
                          std::int32_t& index, TableNumber& table);
  [[noreturn]] void failAtLost(const StreamRelation& relation, const FormerObject& lost) const;
  void checkLost(const StreamRelation& relation, const FormerObject& lost) const;
  [[nodiscard]] std::uint32_t onlyTarget(const StreamRelation& relation) const;
  [[nodiscard]] std::uint32_t targetNamed(const StreamRelation& relation, std::uint32_t name) const;
  void checkTargets(const StreamRelation& relation) const;
  [[nodiscard]] std::string_view nameOfTable(TableNumber table) const {
    return m_plan.schema.table(table).name;
  }
  [[nodiscard]] bool isMany(const StreamRelation& relation) const {
    return m_plan.schema.table(relation.table).isCounted();
  }
  [[nodiscard]] std::span<const std::uint32_t> objectsOf(const StreamRelation& relation) const {
    return m_rows[m_plan.schema.table(relation.table).parent].offsets;
  }
  /// Returns the rows of an entry's references.
  [[nodiscard]] RowRun referencesIn(const StreamRelation& relation, std::size_t entry) const {
    const auto objects = objectsOf(relation);
    if (!isMany(relation))
      return {objects[entry], objects[entry + 1]};
    const auto& offsets = m_rows[relation.table].offsets;
    return {offsets[objects[entry]], offsets[objects[entry + 1]]};
  }

  const StreamPlan& m_plan;
  std::span<const std::string> m_names;
  std::span<TableRows> m_rows;
  std::size_t m_entries;
  std::vector<KnownObjects> m_objects;
};

void Resolver::resolve(const StreamRelation& relation) {
  TableRows& rows = m_rows[relation.table];
  const auto objects = objectsOf(relation);
  if (objects.size() != m_entries + 1)
    return; // no entry has the collection
  const std::size_t count = isMany(relation) ? rows.offsets.back() : objects.back();
  if (relation.form == StreamRelation::Form::whole)
    return resolveWhole(relation, count);
  const bool isNamed = relation.form == StreamRelation::Form::named;
  MemberRows& names = rows.members[detail::relationCollection];
  std::byte* const collections = isNamed ? names.own() : names.grow(count * sizeof(std::uint32_t));
  std::uint32_t last = noName;
  TableNumber table = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t number = 0;
    if (valueIn<std::int32_t>(rows.members[detail::relationIndex], i) >= 0) {
      const auto name = isNamed ? valueIn<std::uint32_t>(names, i) : noName;
      if (!isNamed && table == 0 && last == noName) {
        table = onlyTarget(relation);
        last = 0;
      } else if (isNamed && (name != last || name == noName)) {
        table = targetNamed(relation, name);
        last = name;
      }
      number = table;
    }
    std::memcpy(collections + i * sizeof number, &number, sizeof number);
  }
  checkTargets(relation);
}

void Resolver::resolveWhole(const StreamRelation& relation, std::size_t count) {
  TableRows& rows = m_rows[relation.table];
  std::byte* index = rows.members[detail::relationIndex].grow(count * sizeof(std::int32_t));
  std::byte* table = rows.members[detail::relationCollection].grow(count * sizeof(std::uint32_t));
  const TableRows& read = m_rows[relation.read];
  const FormerObject* firstLost = nullptr;
  FormerObject lost;
  for (std::size_t entry = 0; entry < m_entries; ++entry) {
    const RowRun references = referencesIn(relation, entry);
    for (std::size_t i = references.first; i < references.last; ++i) {
      const FormerObject object = formerObject(read, i, entry);
      std::int32_t position = -1;
      TableNumber collection = 0;
      if (object.index >= 0 && !find(relation, object, position, collection)) {
        checkLost(relation, object);
        if (!firstLost) {
          lost = object;
          firstLost = &lost;
        }
      }
      std::memcpy(index + i * sizeof position, &position, sizeof position);
      std::memcpy(table + i * sizeof collection, &collection, sizeof collection);
    }
  }
  if (firstLost && !m_plan.emptiesLostReferences)
    failAtLost(relation, lost);
}

bool Resolver::find(const StreamRelation& relation, const FormerObject& object, std::int32_t& index,
                    TableNumber& table) {
  // If several collections have the object, the one with its former name is preferred.
  for (const bool hasFormerName : {true, false})
    for (const std::uint32_t target : relation.targets) {
      const auto known = std::ranges::find(m_objects, target, &KnownObjects::collection);
      const bool isCalledSo =
          object.collection != noName && m_names[object.collection] == nameOfTable(target);
      if (known == m_objects.end() || isCalledSo != hasFormerName)
        continue;
      if (index = known->positionOf(object); index >= 0) {
        table = target;
        return true;
      }
    }
  return false;
}

/// Throws for a reference whose object may be present but cannot be identified.
void Resolver::checkLost(const StreamRelation& relation, const FormerObject& lost) const {
  if (lost.collection == noName)
    return;
  for (const std::uint32_t target : relation.targets) {
    const std::string_view name = nameOfTable(target);
    const bool isKnown =
        std::ranges::find(m_objects, target, &KnownObjects::collection) != m_objects.end();
    if (!isKnown && m_rows[target].offsets.back() > 0 && m_names[lost.collection] == name)
      fail(ErrorKind::usage, "'", relation.name, "' refers to objects of '", name,
           "' in its original file. Finding them in the present '", name,
           "' needs their field '_self'. `arrays` adds it to objects that are read together with "
           "relations; or give references as records of index and collection only");
  }
}

void Resolver::failAtLost(const StreamRelation& relation, const FormerObject& lost) const {
  const std::string_view name =
      lost.collection == noName ? std::string_view("None") : m_names[lost.collection];
  fail(ErrorKind::usage, "'", relation.name, "' refers, in entry ", lost.at,
       " of those given, to an object that is not written: number ", lost.index, " of '", name,
       "' in entry ", lost.entry,
       " of its file. Write it, too, or make these references empty with "
       "`lost_references=\"none\"`");
}

std::uint32_t Resolver::onlyTarget(const StreamRelation& relation) const {
  if (relation.targets.size() == 1)
    return relation.targets.front();
  std::string names;
  for (const std::uint32_t target : relation.targets)
    names.append(names.empty() ? "" : ", ").append(nameOfTable(target));
  if (names.empty())
    fail(ErrorKind::usage, "'", relation.name, "' refers to a collection of ", relation.type,
         ", but none is written");
  fail(ErrorKind::usage, "'", relation.name, "' refers to a collection of ", relation.type,
       ", but ", names, " are written: give records of index and collection");
}

std::uint32_t Resolver::targetNamed(const StreamRelation& relation, std::uint32_t name) const {
  if (name == noName)
    fail(ErrorKind::usage, "'", relation.name,
         "' has a reference to an object whose collection is not named");
  const auto target = std::ranges::find(relation.targets, m_names[name], [&](TableNumber table) {
    return std::string(nameOfTable(table));
  });
  if (target != relation.targets.end())
    return *target;
  std::vector<std::string> known;
  for (const TableNumber table : relation.targets)
    known.emplace_back(nameOfTable(table));
  fail(ErrorKind::name, "'", relation.name, "' refers to '", m_names[name],
       "', which is not a written collection of ", relation.type, suggestion(m_names[name], known));
}

void Resolver::checkTargets(const StreamRelation& relation) const {
  if (!m_plan.refusesEmptyTargets)
    return;
  const TableRows& rows = m_rows[relation.table];
  for (std::size_t entry = 0; entry < m_entries; ++entry) {
    const RowRun references = referencesIn(relation, entry);
    for (std::size_t i = references.first; i < references.last; ++i) {
      const auto index = valueIn<std::int32_t>(rows.members[detail::relationIndex], i);
      if (index < 0)
        continue;
      const auto table = valueIn<std::uint32_t>(rows.members[detail::relationCollection], i);
      const auto& offsets = m_rows[table].offsets;
      if (offsets.size() != m_entries + 1 || offsets[entry] == offsets[entry + 1])
        fail(ErrorKind::usage, "'", relation.name, "' refers, in entry ", entry,
             " of those given, to object ", index, " of '", nameOfTable(table),
             "', which has no objects there");
    }
  }
}

} // namespace

void resolveReferences(const StreamPlan& plan, std::span<const std::string> names,
                       std::span<TableRows> rows, std::size_t entries) {
  if (plan.relations.empty())
    return;
  Resolver resolver(plan, names, rows, entries);
  for (const StreamRelation& relation : plan.relations)
    resolver.resolve(relation);
}

} // namespace kaon::arrow
