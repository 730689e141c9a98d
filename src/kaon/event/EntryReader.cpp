#include <kaon/event/EntryReader.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>

#include <algorithm>
#include <array>

namespace kaon {
namespace {

// What a relation or vector member that the file does not have reads as.
constexpr Slice emptySlice{};
constexpr Reference noReference{};

template <class T>
const std::byte* bytesOf(const T& thing) {
  return std::as_bytes(std::span(&thing, 1)).data();
}

} // namespace

/// Finds, by name, where the file has each column of a datatype's objects.
class EntryReader::Binder {
public:
  /// `zeros` are what elements have that the file lacks.
  Binder(const Source& source, std::uint32_t table, std::vector<std::byte>& zeros)
      : m_source(source), m_table(table), m_zeros(zeros) {}

  std::vector<Origin> origins(const Datatype& type) {
    for (const VectorMember& vector : type.vectors)
      m_zeros.resize(std::max<std::size_t>(m_zeros.size(), vector.rowSize));
    addLeaves(m_table, type.leaves, type.defaults.data());
    for (const VectorMember& vector : type.vectors) {
      const std::uint32_t table = below(vector.name, TableKind::vectorMember);
      addSlices(table);
      addLeaves(table, vector.leaves, m_zeros.data());
    }
    for (const Relation& relation : type.relations)
      addRelation(relation);
    return std::move(m_origins);
  }

private:
  [[nodiscard]] std::uint32_t below(std::string_view name, TableKind kind) const {
    const Schema& schema = m_source.schema();
    const std::string full = std::string(schema.table(m_table).name) + "." + std::string(name);
    const std::uint32_t table = schema.find(full);
    if (table == Table::none || schema.table(table).parent != m_table)
      return Table::none;
    if (schema.table(table).kind != kind)
      fail(ErrorKind::type, m_source.name(), ": '", full, "' is not of the kind that it is in ",
           "this program's model");
    return table;
  }

  void addLeaves(std::uint32_t table, std::span<const Leaf> leaves, const std::byte* defaults) {
    for (const Leaf& leaf : leaves) {
      Origin origin{table, 0, defaults + leaf.offset};
      if (table != Table::none && !findMember(leaf, origin))
        origin.table = Table::none;
      m_origins.push_back(origin);
    }
  }

  /// False if the file does not have the leaf.
  bool findMember(const Leaf& leaf, Origin& origin) const {
    const Table info = m_source.schema().table(origin.table);
    const std::uint32_t number = info.members.find(leaf.name);
    if (number == info.members.size())
      return false;
    const Member member = info.members[number];
    if (member.type != leaf.type || member.extent != leaf.extent)
      fail(ErrorKind::type, m_source.name(), ": '", info.name, ".", leaf.name, "' holds ",
           member.extent, " ", nameOf(member.type), " an object, but ", leaf.extent, " ",
           nameOf(leaf.type), " in this program's model");
    origin.member = number;
    return true;
  }

  void addSlices(std::uint32_t table) { m_origins.push_back({table, slices, bytesOf(emptySlice)}); }

  void addRelation(const Relation& relation) {
    const std::uint32_t table =
        below(relation.name, relation.many ? TableKind::manyRelation : TableKind::oneRelation);
    if (relation.many)
      addSlices(table);
    m_origins.push_back({table, relationIndex, bytesOf(noReference.index)});
    m_origins.push_back({table, relationCollection, bytesOf(noReference.neighbour)});
  }

  const Source& m_source;
  std::uint32_t m_table;
  std::vector<std::byte>& m_zeros;
  std::vector<Origin> m_origins;
};

EntryReader::EntryReader(std::shared_ptr<const File> file, const Source& source,
                         std::uint64_t entry)
    : m_file(std::move(file)), m_window(source), m_entry(entry), m_bound(source.schema().size()) {
  if (entry >= source.entries())
    fail(ErrorKind::usage, source.name(), ": has no entry ", entry, ", only ", source.entries());
}

EntryReader::~EntryReader() = default;

void EntryReader::moveTo(std::uint64_t entry) {
  m_entry = entry;
  for (std::uint32_t table = 0; table < m_bound.size(); ++table) {
    if (!m_bound[table])
      continue;
    m_bound[table]->data->forgetDecorations();
    try {
      bindEntry(*m_bound[table], table);
    } catch (...) { // is thrown again where the collection is asked for
    }
  }
}

void EntryReader::checkTable(std::uint32_t table) const {
  if (table >= m_bound.size() || source().schema().table(table).kind != TableKind::collection)
    fail(ErrorKind::corrupt, source().name(), ": entry ", m_entry,
         " refers to a collection that does not exist; the file is damaged");
}

CollectionData* EntryReader::collection(std::uint32_t table, const Relation& relation) {
  checkTable(table);
  const Table info = source().schema().table(table);
  std::string known;
  for (const DatatypeFunction datatype : relation.datatypes) {
    const Datatype& type = datatype();
    if (type.name == info.type)
      return collection(table, type);
    known += (known.empty() ? "" : ", ") + std::string(type.name);
  }
  const bool isInterface = known != relation.target;
  fail(ErrorKind::type, source().name(), ": '", info.name, "' is a collection of ", info.type,
       ", not of ", relation.target, isInterface ? ", which is any of " + known : "");
}

CollectionData* EntryReader::collection(std::uint32_t table, const Datatype& type) {
  const std::lock_guard lock(m_mutex);
  checkTable(table);
  const Schema& schema = source().schema();
  const Table info = schema.table(table);
  if (info.type != type.name)
    fail(ErrorKind::type, source().name(), ": '", info.name, "' is a collection of ", info.type,
         ", not of ", type.name);
  std::unique_ptr<Bound>& bound = m_bound[table];
  if (!bound) {
    auto made = std::make_unique<Bound>();
    made->origins = Binder(source(), table, made->zeros).origins(type);
    made->data = std::make_unique<CollectionData>(type, *this, table, schema.size());
    bound = std::move(made);
  }
  if (!bound->pages.contains(m_entry))
    bindEntry(*bound, table);
  return bound->isPresent ? bound->data.get() : nullptr;
}

void EntryReader::bindPages(Bound& bound, std::uint32_t table) {
  bound.pages = {}; // stays so if reading fails
  bound.loaded.clear();
  bound.data->forgetColumns();
  bound.data->setSize(0);
  const Page& presence = m_window.page(source().schema().presenceColumn(table), m_entry);
  bound.presence = presence.data;
  bound.offsets = m_window.offsets(table, m_entry);
  bound.pages = presence.range;
}

void EntryReader::bindEntry(Bound& bound, std::uint32_t table) {
  if (!bound.pages.contains(m_entry))
    bindPages(bound, table);
  const auto entry = static_cast<std::size_t>(m_entry - bound.pages.firstEntry);
  bound.isPresent = bound.presence[entry] != std::byte{0};
  const std::size_t first = bound.offsets[entry];
  bound.data->setSize(bound.isPresent ? bound.offsets[entry + 1] - first : 0);
  for (const Loaded& loaded : bound.loaded)
    place(bound, loaded, first);
}

void EntryReader::place(const Bound& bound, const Loaded& loaded, std::size_t first) {
  bound.data->setColumn(loaded.column, loaded.values.at(loaded.byObject ? first : 0),
                        loaded.values.stride);
}

void EntryReader::load(const CollectionData& data, std::uint32_t column) {
  const std::lock_guard lock(m_mutex);
  if (data.isLoaded(column))
    return; // by another thread in the meantime
  Bound& bound = *m_bound[data.table()];
  if (!bound.pages.contains(m_entry))
    bindEntry(bound, data.table());
  bound.loaded.push_back(loadColumn(bound.origins[column], column));
  const auto entry = static_cast<std::size_t>(m_entry - bound.pages.firstEntry);
  place(bound, bound.loaded.back(), bound.offsets[entry]);
}

ColumnView EntryReader::decoration(const CollectionData& data, std::string_view name, Scalar type) {
  const std::lock_guard lock(m_mutex);
  const Schema& schema = source().schema();
  std::vector<std::string> known;
  const std::string collection = std::string(schema.table(data.table()).name) + ".";
  for (const std::uint32_t number : schema.tablesUnder(data.table())) {
    const Table info = schema.table(number);
    if (info.kind != TableKind::decoration || !info.name.starts_with(collection))
      continue;
    if (info.name.substr(collection.size()) != name) {
      known.emplace_back(info.name.substr(collection.size()));
      continue;
    }
    if (info.members.size() != 1 || info.members[0].extent != 1 || info.members[0].type != type)
      fail(ErrorKind::type, source().name(), ": '", info.name, "' holds ", info.type, ", not ",
           nameOf(type));
    Bound& bound = *m_bound[data.table()];
    if (!bound.pages.contains(m_entry))
      bindEntry(bound, data.table());
    const ColumnView inPage = m_window.member(number, 0, m_entry);
    return {inPage.at(bound.offsets[static_cast<std::size_t>(m_entry - bound.pages.firstEntry)]),
            inPage.stride};
  }
  fail(ErrorKind::name, source().name(), ": '", schema.table(data.table()).name,
       "' has no decoration '", name, "'", suggestion(name, known));
}

const CollectionData* EntryReader::bound(std::uint32_t table) {
  const std::lock_guard lock(m_mutex);
  return m_bound[table] ? m_bound[table]->data.get() : nullptr;
}

EntryReader::Loaded EntryReader::loadColumn(const Origin& origin, std::uint32_t column) {
  if (origin.table == Table::none)
    return {column, {origin.missing, 0}, false};
  if (origin.member == slices) {
    const auto offsets = m_window.offsets(origin.table, m_entry);
    return {column, {bytesOf(offsets.front()), sizeof(std::uint32_t)}, true};
  }
  const Table info = source().schema().table(origin.table);
  return {column, m_window.member(origin.table, origin.member, m_entry),
          info.isRoot() || !info.isCounted()};
}

void EntryReader::checkAbsent(const CollectionData& data, std::uint32_t index) {
  const std::lock_guard lock(m_mutex);
  Bound& bound = *m_bound[data.table()];
  if (!bound.pages.contains(m_entry))
    bindEntry(bound, data.table());
  if (bound.isPresent)
    fail(ErrorKind::corrupt, source().name(), ": entry ", m_entry, " refers to object ", index,
         " of '", source().schema().table(data.table()).name, "', which has ", data.size(),
         "; the file is damaged");
}

} // namespace kaon
