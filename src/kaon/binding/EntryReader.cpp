#include <kaon/binding/EntryReader.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>

#include <algorithm>
#include <span>
#include <utility>

namespace kaon::detail {

void checkEntry(const Source& source, std::uint64_t entry) {
  if (entry >= source.entries())
    fail(ErrorKind::usage, source.name(), ": has no entry ", entry, ", only ", source.entries());
}

EntryReader::EntryReader(std::shared_ptr<const File> file, Window window, std::uint64_t entry)
    : m_file(std::move(file)), m_window(std::move(window)), m_entry(entry),
      m_bound(source().schema().size()) {
  checkEntry(source(), entry);
}

EntryReader::~EntryReader() = default;

void EntryReader::readAhead(std::uint64_t last) {
  m_clusters = source().clusters();
  std::erase_if(m_clusters, [this](const EntryRange& each) { return each.first <= m_entry; });
  std::ranges::reverse(m_clusters); // the next cluster is at the end
  m_lastAhead = last;
}

/// Fetches the columns that were used so far, where a cluster begins, if there are more than last
/// time.
void EntryReader::enterCluster() {
  while (!m_clusters.empty() && m_clusters.back().first <= m_entry)
    m_clusters.pop_back();
  const auto columns = m_window.usedColumns();
  if (columns.size() != std::exchange(m_fetchedColumns, columns.size()))
    m_window.fetch(columns, {m_entry, m_lastAhead});
}

/// Sets the entry of a collection. Columns stay where they are, because the pages are the same.
inline void EntryReader::placeEntry(BoundCollection& bound) const noexcept {
  const auto entry = static_cast<std::size_t>(m_entry - bound.pages.firstEntry);
  const std::uint32_t first = bound.offsets[entry];
  const bool isPresent = bound.presence[entry] != std::byte{0};
  bound.data->setEntry(isPresent, first, isPresent ? bound.offsets[entry + 1] - first : 0);
}

void EntryReader::moveTo(std::uint64_t entry) {
  m_entry = entry;
  if (!hasPagesOf(entry)) [[unlikely]]
    return enterOtherPages();
  bool haveExtras = false;
  for (BoundCollection* const bound : m_boundSoFar) {
    placeEntry(*bound);
    haveExtras |= bound->data->hasExtras();
  }
  if (haveExtras) [[unlikely]]
    forgetExtras();
}

/// Prepares an entry that is in other pages than the last one, for some of the collections.
void EntryReader::enterOtherPages() {
  if (!m_clusters.empty() && m_clusters.back().first <= m_entry)
    enterCluster();
  forgetExtras();
  m_common = {0, m_clusters.empty() ? source().entries() : m_clusters.back().first};
  for (BoundCollection* const bound : m_boundSoFar) {
    if (bound->pages.contains(m_entry))
      placeEntry(*bound);
    else
      enterPages(*bound);
    m_common.first = std::max(m_common.first, bound->pages.firstEntry);
    m_common.last = std::min(m_common.last, bound->pages.lastEntry);
  }
}

void EntryReader::forgetExtras() noexcept {
  for (BoundCollection* const bound : m_boundSoFar)
    bound->data->forgetExtras();
}

/// Prepares the pages of a collection. Ignores errors, which are thrown again when the collection
/// is requested.
void EntryReader::enterPages(BoundCollection& bound) noexcept {
  try {
    bindEntry(bound);
  } catch (...) {
  }
}

void EntryReader::checkTable(TableNumber table) const {
  if (table >= m_bound.size() || source().schema().table(table).kind != TableKind::collection)
    fail(ErrorKind::corrupt, source().name(), ": entry ", m_entry,
         " refers to a collection that does not exist; the file is damaged");
}

CollectionData* EntryReader::collection(TableNumber table, const Relation& relation) {
  checkTable(table);
  const Table info = source().schema().table(table);
  std::string known;
  for (const DatatypeFunction datatype : relation.datatypes) {
    const Datatype& type = datatype();
    if (type.isCalled(info.type) || relation.datatypes.size() == 1)
      return collection(table, type);
    known += (known.empty() ? "" : ", ") + std::string(type.name);
  }
  fail(ErrorKind::type, source().name(), ": '", info.name, "' is a collection of ", info.type,
       ", not of ", relation.target, ", which is any of ", known);
}

CollectionData* EntryReader::collection(TableNumber table, const Datatype& type) {
  const std::lock_guard lock(m_mutex);
  checkTable(table);
  const Schema& schema = source().schema();
  std::unique_ptr<BoundCollection>& bound = m_bound[table];
  if (!bound || &bound->data->type() != &type)
    checkDatatype(*m_file, source(), table, type);
  if (bound && &bound->data->type() != &type && !haveSameColumns(bound->data->type(), type))
    fail(ErrorKind::type, source().name(), ": '", schema.table(table).name,
         "' was read before with another description of ", type.name,
         ": load the library of its model before you read the file");
  if (!bound) {
    auto binding = std::make_unique<BoundCollection>();
    binding->origins = bindColumns(*m_file, source(), table, type, binding->zeros);
    binding->data = CollectionData::make(type, *this, table, schema.size());
    binding->mayBeStructs =
        !type.leaves.empty() && binding->origins.front().together >= type.leaves.size();
    m_boundSoFar.push_back(binding.get());
    m_common = {0, 0};
    bound = std::move(binding);
  }
  if (!bound->pages.contains(m_entry))
    bindEntry(*bound);
  return bound->data->isPresent() ? bound->data.get() : nullptr;
}

void EntryReader::bindPages(BoundCollection& bound) {
  bound.pages = {}; // stays empty if reading fails
  bound.converted.clear();
  bound.data->forgetColumns();
  bound.data->setStructs(bound.mayBeStructs ? ObjectStructs::State::unknown
                                            : ObjectStructs::State::none);
  bound.data->setEntry(false, 0, 0);
  const TableNumber table = bound.data->table();
  const Page& presence = m_window.page(source().schema().presenceColumn(table), m_entry);
  bound.presence = presence.data;
  bound.offsets = m_window.offsets(table, m_entry);
  bound.pages = presence.range;
}

void EntryReader::bindEntry(BoundCollection& bound) {
  if (!bound.pages.contains(m_entry))
    bindPages(bound);
  placeEntry(bound);
}

void EntryReader::load(const CollectionData& data, ColumnNumber column) {
  const std::lock_guard lock(m_mutex);
  if (data.isLoaded(column))
    return; // another thread loaded it in the meantime
  BoundCollection& bound = *m_bound[data.table()];
  if (!bound.pages.contains(m_entry))
    bindEntry(bound);
  const ColumnView values = loadColumn(bound, bound.origins[column]);
  data.setColumn(column, values, bound.origins[column].together);
  if (column == 0 && bound.mayBeStructs)
    findStructs(data, values);
}

/// Finds the structs from the column of their first member, if the page has rows.
void EntryReader::findStructs(const CollectionData& data, ColumnView first) {
  const Datatype& type = data.type();
  const bool isArray = first.stride == data.layout().columns.front().step;
  if (isArray || first.stride < type.rowSize) // one value for all rows
    return data.setStructs(ObjectStructs::State::none);
  data.placeStructs({first.base - type.leaves.front().offset, first.stride});
  data.setStructs(ObjectStructs::State::known);
}

ColumnView EntryReader::decoration(const CollectionData& data, std::string_view name, Scalar type) {
  const std::lock_guard lock(m_mutex);
  const Schema& schema = source().schema();
  std::vector<std::string> known;
  const std::string collection = std::string(schema.table(data.table()).name) + ".";
  for (const TableNumber number : schema.tablesUnder(data.table())) {
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
    BoundCollection& bound = *m_bound[data.table()];
    if (!bound.pages.contains(m_entry))
      bindEntry(bound);
    const ColumnView inPage = m_window.member(number, 0, m_entry);
    return {inPage.at(firstRow(bound)), inPage.stride};
  }
  fail(ErrorKind::name, source().name(), ": '", schema.table(data.table()).name,
       "' has no decoration '", name, "'", suggestion(name, known));
}

std::vector<DecorationInfo> EntryReader::decorations(const CollectionData& data) const {
  const Schema& schema = source().schema();
  const std::size_t prefix = schema.table(data.table()).name.size() + 1;
  const auto isMember = [&](std::string_view name) { // a member that is newer than the collection
    return std::ranges::find(data.type().leaves, name, &Leaf::name) != data.type().leaves.end();
  };
  std::vector<DecorationInfo> all;
  for (const TableNumber number : schema.tablesUnder(data.table())) {
    const Table info = schema.table(number);
    if (info.kind == TableKind::decoration && info.members.size() == 1 &&
        info.members[0].extent == 1 && info.name.size() > prefix &&
        !isMember(info.name.substr(prefix)))
      all.push_back(
          {std::string(info.name.substr(prefix)), info.members[0].type, info.members[0].missing});
  }
  return all;
}

const CollectionData* EntryReader::bound(TableNumber table) {
  const std::lock_guard lock(m_mutex);
  return m_bound[table] ? m_bound[table]->data.get() : nullptr;
}

/// Returns a column from the first row of its page on.
ColumnView EntryReader::loadColumn(BoundCollection& bound, const BindingOrigin& origin) {
  if (origin.mistake)
    std::rethrow_exception(origin.mistake);
  if (origin.table == Table::none)
    return {origin.missing, 0};
  if (origin.member == BindingOrigin::slices)
    return {std::as_bytes(m_window.offsets(origin.table, m_entry)).data(), sizeof(std::uint32_t)};
  if (!origin.converted)
    return m_window.member(origin.table, origin.member, m_entry);
  Buffer memory;
  const ColumnView values = convertPage(m_window, origin, m_entry, memory);
  bound.converted.push_back(std::move(memory));
  return values;
}

void EntryReader::checkAbsent(const CollectionData& data, std::uint32_t index) {
  const std::lock_guard lock(m_mutex);
  BoundCollection& bound = *m_bound[data.table()];
  if (!bound.pages.contains(m_entry))
    bindEntry(bound);
  if (data.isPresent())
    fail(ErrorKind::corrupt, source().name(), ": entry ", m_entry, " refers to object ", index,
         " of '", source().schema().table(data.table()).name, "', which has ", data.size(),
         "; the file is damaged");
}

} // namespace kaon::detail
