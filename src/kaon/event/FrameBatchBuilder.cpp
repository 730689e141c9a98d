#include <kaon/event/FrameBatchBuilder.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/batch/Keys.h>
#include <kaon/batch/Provenance.h>
#include <kaon/batch/StridedCopy.h>
#include <kaon/model/LateMembers.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

namespace kaon {
namespace {

/// Whether they are the same but for where and how they lie.
bool holdsTheSame(TableDefinition a, const Table& b) {
  TableDefinition other = b.definition();
  a.layout = other.layout;
  a.parent = other.parent;
  a.group = other.group;
  a.use = other.use;
  for (std::size_t i = 0; i < std::min(a.members.size(), other.members.size()); ++i)
    a.members[i].precision = other.members[i].precision;
  return a == other;
}

TableDefinition scalarTable(std::string name, TableKind kind, Scalar type) {
  return {.name = std::move(name),
          .kind = kind,
          .type = std::string(nameOf(type)),
          .rowSize = sizeOf(type),
          .members = {{.name = "", .type = type}}};
}

/// The tables of a parameter, or of lists in one: strings and lists have one for what is in them.
template <class T>
std::vector<TableDefinition> tablesOfValues(const std::string& name, TableKind kind) {
  if constexpr (std::is_arithmetic_v<T>) {
    return {scalarTable(name, kind, scalarOf<T>())};
  } else {
    std::vector<TableDefinition> tables{{.name = name, .kind = kind}};
    if constexpr (std::is_same_v<T, std::string>) {
      tables[0].type = parameterType<T>();
      tables.push_back(scalarTable(name + ".text", TableKind::text, Scalar::UInt8));
    } else {
      for (TableDefinition& inner :
           tablesOfValues<typename T::value_type>(name + ".", TableKind::vectorMember))
        tables.push_back(std::move(inner));
    }
    for (std::uint32_t i = 1; i < tables.size(); ++i)
      tables[i].parent = i - 1; // each lies under the one before
    return tables;
  }
}

/// Appends values to a table, and what is in them to those that follow it.
template <class T>
void appendValues(BatchBuilder& builder, std::uint32_t table, const std::vector<T>& all) {
  std::byte* row = builder.append(table, all.size());
  for (const auto& value : all) {
    if constexpr (std::is_same_v<T, std::string>) {
      std::ranges::copy(std::as_bytes(std::span(value)), builder.append(table + 1, value.size()));
      builder.endRow(table + 1);
    } else if constexpr (detail::isVector<T>) {
      appendValues(builder, table + 1, value);
      builder.endRow(table + 1);
    } else {
      const T plain = value; // std::vector<bool> has no elements
      std::memcpy(row, &plain, sizeof plain);
      row += sizeof plain;
    }
  }
}

[[noreturn]] void failNoUse(const std::string& name, const ParameterValues& values) {
  fail(ErrorKind::usage, "'", name,
       "' is to be a tag or key, which is one number an event, but has ",
       std::visit([](const auto& all) { return all.size(); }, values), " values of type ",
       FrameContents::typeOf(values));
}

[[noreturn]] void failDifferent(const TableDefinition& table, const Table& known) {
  fail(ErrorKind::type, "'", table.name, "' is a ", table.type, " here but was a ", known.type,
       ", or another version of it, in earlier frames");
}

/// A root table and those under it, their parents given by their places.
std::vector<TableDefinition> tablesUnder(const Schema& schema, std::uint32_t root) {
  std::vector<TableDefinition> tables;
  std::vector<std::uint32_t> numbers;
  for (const std::uint32_t number : schema.tablesUnder(root)) {
    TableDefinition& table = tables.emplace_back(schema.table(number).definition());
    if (number != root)
      table.parent =
          static_cast<std::uint32_t>(std::ranges::find(numbers, table.parent) - numbers.begin());
    numbers.push_back(number);
  }
  return tables;
}

std::uint32_t nextNumber() noexcept {
  static std::atomic<std::uint32_t> last = 0;
  return ++last;
}

} // namespace

FrameBatchBuilder::FrameBatchBuilder(const StorageRules& rules, bool provenance,
                                     SharedTables& shared)
    : m_rules(rules), m_provenance(provenance), m_shared(shared), m_number(nextNumber()) {}

void FrameBatchBuilder::add(FrameContents& frame, const std::vector<std::string>* collections) {
  m_frame = &frame;
  useFile(frame.reader());
  try {
    addAll(collections);
    m_builder.endEntry();
    ++m_frames;
  } catch (...) {
    m_builder.dropEntry();
    throw;
  }
}

void FrameBatchBuilder::addAll(const std::vector<std::string>* collections) {
  FrameContents& frame = *m_frame;
  const auto isReplaced = [&](const Schema& schema, std::uint32_t table) {
    return !frame.putParameters().empty() && // mostly: then no types are made out
           frame.hasPut(schema.table(table).name, FrameContents::typeOf(schema, table));
  };
  const auto isOrigin = [&](std::string_view name) { return m_provenance && isProvenance(name); };
  const auto isWanted = [&](std::string_view name) {
    return !collections || std::ranges::find(*collections, name) != collections->end();
  };
  if (collections) {
    const std::vector<std::string> known = frame.collectionNames();
    for (const std::string& name : *collections)
      if (std::ranges::find(known, name) == known.end() &&
          (!frame.reader() ||
           frame.reader()->source().schema().findCollection(name) == Table::none))
        fail(ErrorKind::name, "there is no collection '", name, "' to write in this frame",
             suggestion(name, known));
  }
  for (const FrameContents::Put& put : frame.putCollections())
    if (put.collection && isWanted(put.name))
      addBuilt(put);
  addParameters(frame);
  if (frame.reader()) {
    const Schema& schema = frame.reader()->source().schema();
    for (std::uint32_t i = 0; i < schema.size(); ++i) {
      const Table info = schema.table(i);
      const bool isKept = info.kind == TableKind::collection
                              ? isWanted(info.name) && !frame.taken().contains(i)
                              : info.isRoot() && !isReplaced(schema, i) && !isOrigin(info.name);
      if (isKept && info.kind == TableKind::parameter && m_rules.useOf(info.name) != TableUse::none)
        addUsed(info.name, FrameContents::typeOf(schema, i));
      else if (isKept)
        addFromFile(i);
    }
  }
  if (m_provenance)
    addOrigin();
  checkUses();
}

/// A parameter of the frame's file that is to be a tag or key, if this frame has it.
void FrameBatchBuilder::addUsed(std::string_view parameter, std::string_view type) {
  const std::string name(parameter);
  if (const auto values = m_frame->values(parameter, type))
    addParameter(name, *values, defineParameter(name, *values));
}

/// Where the frame comes from: a file's number, 0 if it comes from none, and the entry in it.
void FrameBatchBuilder::addOrigin() {
  EntryReader* const reader = m_frame->reader();
  const std::array<std::uint64_t, 2> origin{reader ? reader->file()->id() : 0,
                                            reader ? reader->entry() : 0};
  for (std::size_t i = 0; i < origin.size(); ++i) {
    const std::uint32_t table = define({provenanceTable(provenanceNames[i])});
    std::memcpy(m_builder.append(table, 1), &origin[i], sizeof origin[i]);
  }
}

/// Tags and keys are in every frame: one that lacks them would silently get a zero.
void FrameBatchBuilder::checkUses() {
  if (m_rules.uses.empty())
    return;
  for (std::uint32_t number = 0; number < m_builder.schema().size(); ++number) {
    const Table info = m_builder.schema().table(number);
    if (info.use != TableUse::none && m_builder.newRows(number) == 0)
      fail(ErrorKind::usage, "the frame lacks '", info.name,
           "', a tag or key, which earlier frames have");
  }
  findKeyCollections();
  for (const KeyCollection& each : m_keyCollections) {
    const std::size_t objects = m_builder.newRows(each.table);
    if (objects != 1)
      fail(ErrorKind::usage, "'", each.key, "' is a key, of which each frame has one, but the ",
           "frame has ", objects == 0 ? "none" : std::to_string(objects));
  }
}

void FrameBatchBuilder::findKeyCollections() {
  const Schema& schema = m_builder.schema();
  if (m_searchedTables == schema.size())
    return;
  m_searchedTables = schema.size();
  for (const auto& [name, use] : m_rules.uses) {
    const auto key = has(use, TableUse::key) ? findKey(schema, name) : std::nullopt;
    if (key && schema.table(key->table).isCounted() &&
        std::ranges::find(m_keyCollections, name, &KeyCollection::key) == m_keyCollections.end())
      m_keyCollections.push_back({name, key->table});
  }
}

/// A collection that earlier frames lack must not be one of which a member is a key.
void FrameBatchBuilder::checkNotLate(const TableDefinition& table) const {
  for (const auto& [key, use] : m_rules.uses)
    if (m_frames > 0 && key.starts_with(table.name + "."))
      fail(ErrorKind::usage, "'", key, "' is to be a key, but earlier frames lack it");
}

void FrameBatchBuilder::addBuilt(const FrameContents::Put& put) {
  const CollectionData& data = put.collection->data();
  const Datatype& type = data.type();
  const Known& known = defineBuilt(put);
  const std::uint32_t table = known.tables.front();
  numberNeighbours(data);
  const Numbers decorations = defineDecorations(data, table);
  m_builder.setPresent(table);
  addRows(data, known);
  auto below = known.tables.begin();
  for (std::uint32_t v = 0; v < type.vectors.size(); ++v) {
    addVector(data, v, *++below);
    below += type.vectors[v].innerLists();
  }
  for (std::uint32_t r = 0; r < type.relations.size(); ++r)
    addRelation(data, r, *++below);
  addDecorations(data, decorations);
}

/// Copies the objects' structs, or member by member where the file has them in another way.
void FrameBatchBuilder::addRows(const CollectionData& data, const Known& known) {
  const Datatype& type = data.type();
  const auto copy = [&](std::byte* to, std::size_t toStride, std::size_t offset, std::size_t size) {
    if (data.size() > 0 && size > 0)
      copyStrided(to, toStride, data.row(0) + offset, data.layout().rowSize, data.size(), size);
  };
  const std::uint32_t root = known.tables.front();
  std::byte* const rows = m_builder.append(root, data.size());
  if (known.leaves.empty())
    return copy(rows, type.rowSize, 0, type.rowSize);
  for (std::size_t i = 0; i < known.leaves.size(); ++i) {
    const auto [number, member] = known.leaves[i];
    const Table table = m_builder.schema().table(number);
    std::byte* const to = number == root ? rows : m_builder.append(number, data.size());
    const Member there = table.members[member];
    copy(to + there.offset, table.rowSize, type.leaves[i].offset, there.size());
  }
}

/// The tables of what the program added to the objects, read or built, by the decorations' order.
/// Before rows are appended: until then all tables of the collection have as many.
FrameBatchBuilder::Numbers FrameBatchBuilder::defineDecorations(const CollectionData& data,
                                                                std::uint32_t table) {
  Numbers numbers;
  for (const std::string& name : data.decorations().names()) {
    const DecorationValues& values = *data.decorations().find(name);
    const TableDefinition root = m_builder.schema().table(table).definition();
    const TableDefinition decoration{
        .name = root.name + "." + name,
        .kind = TableKind::decoration,
        .layout = root.layout,
        .type = std::string(nameOf(values.type)),
        .parent = 0,
        .rowSize = sizeOf(values.type),
        .members = {{.name = "", .type = values.type, .missing = values.missing}}};
    (void)define({root, decoration});
    numbers.push_back(m_builder.schema().find(decoration.name));
  }
  return numbers;
}

void FrameBatchBuilder::addDecorations(const CollectionData& data, const Numbers& tables) {
  auto table = tables.begin();
  for (const std::string& name : data.decorations().names()) {
    const DecorationValues& values = *data.decorations().find(name);
    const std::size_t stored = std::min(values.values.size() / sizeOf(values.type), data.size());
    std::byte* const rows = m_builder.append(*table++, stored);
    if (stored > 0)
      std::memcpy(rows, values.values.data(), stored * sizeOf(values.type));
  }
}

void FrameBatchBuilder::addVector(const CollectionData& data, std::uint32_t vector,
                                  std::uint32_t table) {
  const ObjectLayout::List& list = data.layout().vectorMember(vector);
  if (list.innerLists > 0) {
    for (std::size_t object = 0; object < data.size(); ++object)
      addElements(data, list, 0, data.slice(list, object), table);
    return;
  }
  std::byte* rows = appendLists(data, list, table);
  for (std::size_t object = 0; object < data.size(); ++object) {
    const Slice slice = data.slice(list, object);
    const std::size_t bytes = std::size_t{slice.end - slice.begin} * list.elementSize;
    if (bytes > 0)
      std::memcpy(rows, data.element(list, slice.begin), bytes);
    rows += bytes;
  }
}

/// The elements of a list of a level, whose table this is, and what is in them.
void FrameBatchBuilder::addElements(const CollectionData& data, const ObjectLayout::List& list,
                                    std::uint32_t level, Slice slice, std::uint32_t table) {
  const std::size_t count = slice.end - slice.begin;
  std::byte* const rows = m_builder.append(table, count);
  m_builder.endRow(table);
  if (level == list.innerLists && count > 0)
    std::memcpy(rows, data.element(list, slice.begin, level), count * list.leafSize);
  for (std::uint32_t i = slice.begin; level < list.innerLists && i < slice.end; ++i)
    addElements(data, list, level + 1, data.innerSlice(list, level + 1, i), table + 1);
}

void FrameBatchBuilder::addRelation(const CollectionData& data, std::uint32_t relation,
                                    std::uint32_t table) {
  const Relation& info = data.type().relations[relation];
  const auto put = [&](std::byte* row, std::size_t object, Reference reference) {
    Reference stored{-1, 0};
    if (reference.index >= 0) {
      stored.neighbour = m_neighbours[reference.neighbour];
      if (stored.neighbour == Table::none)
        fail(ErrorKind::usage, "object ", object, " of '", m_builder.schema().table(table).name,
             "' is related to a ", info.target, " that is in no collection of the frame: put its ",
             "collection into the frame too");
      CollectionData* const neighbour = data.neighbour(reference.neighbour);
      const ObjectPlace place = neighbour->current(static_cast<std::uint32_t>(reference.index));
      stored = place.data ? Reference{static_cast<std::int32_t>(place.index), stored.neighbour}
                          : Reference{-1, 0}; // it was removed
    }
    std::memcpy(row, &stored, sizeof stored);
  };
  if (!info.many) {
    const ObjectLayout::One& one = data.layout().ones[relation];
    std::byte* row = m_builder.append(table, data.size());
    for (std::size_t object = 0; object < data.size(); ++object, row += sizeof(Reference))
      put(row, object, loadAs<Reference>(data.row(object) + one.offset));
    return;
  }
  const ObjectLayout::List& list = data.layout().manyRelation(relation);
  std::byte* row = appendLists(data, list, table);
  for (std::size_t object = 0; object < data.size(); ++object) {
    const Slice slice = data.slice(list, object);
    for (std::uint32_t i = slice.begin; i < slice.end; ++i, row += sizeof(Reference))
      put(row, object, loadAs<Reference>(data.element(list, i)));
  }
}

/// Room for the elements of the lists of all objects, one after another.
std::byte* FrameBatchBuilder::appendLists(const CollectionData& data,
                                          const ObjectLayout::List& list, std::uint32_t table) {
  std::size_t rows = 0;
  for (std::size_t object = 0; object < data.size(); ++object) {
    const Slice slice = data.slice(list, object);
    rows += slice.end - slice.begin;
    m_builder.endRow(table, slice.end - slice.begin);
  }
  return m_builder.append(table, rows);
}

/// Copies a table of the frame's file and what lies under it, whatever its types.
void FrameBatchBuilder::addFromFile(std::uint32_t table) {
  EntryReader& reader = *m_frame->reader();
  const CollectionData* const decorated = reader.bound(table);
  reader.withWindow([&](Window& window) {
    if (!window.isPresent(table, reader.entry()))
      return;
    const std::uint32_t to = defineFromFile(table);
    const Numbers decorations = decorated ? defineDecorations(*decorated, to) : Numbers();
    if (m_builder.schema().table(to).canBeAbsent())
      m_builder.setPresent(to);
    for (const std::uint32_t from : reader.source().schema().tablesUnder(table))
      if (std::ranges::find(decorations, m_fileTables[from]) == decorations.end())
        copyRows(window, from, m_fileTables[from]);
    if (decorated)
      addDecorations(*decorated, decorations);
  });
}

void FrameBatchBuilder::copyRows(Window& window, std::uint32_t from, std::uint32_t to) {
  const std::uint64_t entry = m_frame->reader()->entry();
  const Schema& schema = window.source().schema();
  const Table info = schema.table(from);
  const auto [first, last] = window.rows(from, entry);
  // Decoding comes before making room: a damaged file may claim any number of rows.
  for (std::uint32_t i = 0; i < info.members.size() && last > first; ++i)
    (void)window.member(from, i, entry);
  std::byte* const rows = m_builder.append(to, last - first);
  for (std::uint32_t i = 0; i < info.members.size() && last > first; ++i) {
    const ColumnView values = window.member(from, i, entry);
    copyStrided(rows + info.members[i].offset, info.rowSize, values.at(first), values.stride,
                last - first, info.members[i].size());
  }
  if (info.kind == TableKind::oneRelation || info.kind == TableKind::manyRelation) {
    for (std::size_t i = 0; i < last - first; ++i) {
      auto reference = loadAs<Reference>(rows + i * sizeof(Reference));
      if (reference.index < 0)
        continue;
      if (reference.neighbour >= schema.size() ||
          schema.table(reference.neighbour).kind != TableKind::collection)
        fail(ErrorKind::corrupt, window.source().name(), ": entry ", entry,
             " refers to a collection that does not exist; the file is damaged");
      const auto taken = m_frame->taken().find(reference.neighbour);
      if (taken == m_frame->taken().end())
        reference.neighbour = defineFromFile(reference.neighbour);
      else
        reference = referenceTo(taken->second, reference.index);
      std::memcpy(rows + i * sizeof(Reference), &reference, sizeof reference);
    }
  }
  if (info.isRoot() || !info.isCounted())
    return;
  const auto [firstParent, lastParent] = window.rows(info.parent, entry);
  const auto begins = window.offsets(from, entry);
  for (std::size_t parent = firstParent; parent < lastParent; ++parent)
    m_builder.endRow(to, begins[parent + 1] - begins[parent]);
}

/// A reference to an object of a collection that was taken out of the frame, if it is in it again.
Reference FrameBatchBuilder::referenceTo(CollectionData* taken, std::int32_t index) {
  const ObjectPlace place =
      taken ? taken->current(static_cast<std::uint32_t>(index)) : ObjectPlace{};
  const std::uint32_t number = place.data ? numberOf(*place.data) : Table::none;
  return number == Table::none ? Reference{-1, 0}
                               : Reference{static_cast<std::int32_t>(place.index), number};
}

void FrameBatchBuilder::addParameters(const FrameContents& frame) {
  for (const auto& [key, parameter] : frame.putParameters()) {
    if (!parameter.isThere)
      continue;
    std::uint64_t noted = parameter.note.get(); // the builder's number, and the table's
    if (noted >> 32 != m_number) {
      noted = std::uint64_t{m_number} << 32 | tableOf(key, parameter.values);
      parameter.note.set(noted);
    }
    addParameter(key.first, parameter.values, static_cast<std::uint32_t>(noted));
  }
}

std::uint32_t FrameBatchBuilder::tableOf(const FrameContents::ParameterKey& key,
                                         const ParameterValues& values) {
  const auto known = m_parameters.lower_bound(key);
  if (known != m_parameters.end() && known->first == key)
    return known->second;
  return m_parameters.emplace_hint(known, key, defineParameter(key.first, values))->second;
}

std::uint32_t FrameBatchBuilder::defineParameter(const std::string& name,
                                                 const ParameterValues& values) {
  const TableUse use = m_rules.useOf(name);
  const bool isNew = m_builder.schema().find(name) == Table::none;
  auto tables = std::visit(
      [&]<class T>(const std::vector<T>&) { return tablesOfValues<T>(name, TableKind::parameter); },
      values);
  if (use != TableUse::none) {
    if (tables.size() > 1)
      failNoUse(name, values);
    tables.front().kind = TableKind::value;
  }
  if (use != TableUse::none && isNew && m_frames > 0)
    fail(ErrorKind::usage, "'", name, "' is to be a tag or key, but earlier frames lack it");
  m_rules.apply(tables);
  return define(tables);
}

void FrameBatchBuilder::addParameter(const std::string& name, const ParameterValues& values,
                                     std::uint32_t table) {
  if (m_builder.schema().table(table).kind == TableKind::parameter) {
    m_builder.setPresent(table);
  } else {
    if (std::visit([](const auto& all) { return all.size(); }, values) != 1)
      failNoUse(name, values);
    if (m_builder.rows(table) != m_builder.entries())
      fail(ErrorKind::usage, "'", name,
           "' is to be a tag or key, but the frame has two of that name");
  }
  std::visit([&](const auto& all) { appendValues(m_builder, table, all); }, values);
}

void FrameBatchBuilder::numberNeighbours(const CollectionData& data) {
  m_neighbours.clear();
  for (std::size_t i = 0; i < data.neighbours(); ++i) {
    CollectionData* const neighbour = data.neighbour(i);
    const CollectionData* const holder = neighbour ? neighbour->holder() : nullptr;
    m_neighbours.push_back(holder ? numberOf(*holder) : Table::none);
  }
}

std::uint32_t FrameBatchBuilder::numberOf(const CollectionData& data) {
  if (!data.isBuilt())
    return data.loader() == m_frame->reader() ? defineFromFile(data.table()) : Table::none;
  for (const FrameContents::Put& put : m_frame->putCollections())
    if (put.collection && &put.collection->data() == &data)
      return defineBuilt(put).tables.front();
  return Table::none;
}

const FrameBatchBuilder::Known& FrameBatchBuilder::defineBuilt(const FrameContents::Put& put) {
  const Datatype& type = put.collection->data().type();
  const auto found = m_known.find(put.name);
  if (found != m_known.end() && found->second.type == &type)
    return found->second;
  auto tables = tablesOf(type, put.name, 0, Layout::split);
  const std::size_t ofDatatype = tables.size();
  kaon::apply(storageOf(type.storage), tables);
  m_rules.apply(tables);
  {
    const std::lock_guard lock(m_shared.mutex);
    catchUp();
  }
  const Schema& schema = m_builder.schema();
  if (const std::uint32_t root = schema.findCollection(put.name);
      root != Table::none && schema.table(root).type == type.name)
    addLateMembers(tables, tablesUnder(schema, root), type.defaults);
  Known known{&type, {define(tables)}, {}};
  for (std::size_t i = 1; i < ofDatatype; ++i)
    known.tables.push_back(schema.find(tables[i].name));
  const Table root = schema.table(known.tables.front());
  const auto liesThere = [](const Leaf& leaf, const Member& member) {
    return leaf.name == member.name && leaf.offset == member.offset;
  };
  if (root.rowSize != type.rowSize || !std::ranges::equal(type.leaves, root.members, liesThere))
    for (const Leaf& leaf : type.leaves) {
      const std::uint32_t member = root.members.find(leaf.name);
      const bool isLate = member == root.members.size();
      known.leaves.emplace_back(isLate ? schema.find(put.name + "." + std::string(leaf.name))
                                       : known.tables.front(),
                                isLate ? 0 : member);
    }
  return m_known.insert_or_assign(put.name, std::move(known)).first->second;
}

std::uint32_t FrameBatchBuilder::defineFromFile(std::uint32_t table) {
  std::uint32_t& known = m_fileTables[table];
  if (known != Table::none)
    return known;
  const Schema& schema = m_source->schema();
  std::vector<TableDefinition> tables = tablesUnder(schema, table);
  m_rules.apply(tables);
  known = define(tables);
  // A list that the file lacks may be one of the file's, by its new name.
  for (const std::uint32_t number : m_builder.schema().tablesUnder(known))
    if (const Table there = m_builder.schema().table(number);
        there.kind != TableKind::decoration &&
        std::ranges::find(tables, there.name, &TableDefinition::name) == tables.end())
      failDifferent(tables.front(), there);
  for (const std::uint32_t number : schema.tablesUnder(table))
    if (number != table)
      m_fileTables[number] = m_builder.schema().find(schema.table(number).name);
  return known;
}

/// Forgets another file's tables. A file that was closed is another one, wherever it lay.
void FrameBatchBuilder::useFile(const EntryReader* reader) {
  if (!reader || (m_source == &reader->source() && m_file.lock() == reader->file()))
    return;
  m_file = reader->file();
  m_source = &reader->source();
  m_fileTables.assign(m_source->schema().size(), Table::none);
}

/// The number of a root table; it and those under it are added unless they are there already. The
/// parents of these are given by their places among them.
std::uint32_t FrameBatchBuilder::define(const std::vector<TableDefinition>& tables) {
  const std::uint32_t known = findDefined(tables);
  if (known != Table::none)
    return known;
  const std::lock_guard lock(m_shared.mutex);
  catchUp(); // another thread may have added it
  if (const std::uint32_t found = findDefined(tables); found != Table::none)
    return found;
  const std::uint32_t root = m_builder.schema().find(tables.front().name);
  const bool isThere = root != Table::none &&
                       m_builder.schema().table(root).kind == TableKind::collection &&
                       tables.front().kind == TableKind::collection;
  if (!isThere)
    checkNotLate(tables.front());
  const std::uint32_t before = m_shared.schema.size();
  std::vector<std::uint32_t> numbers;
  try {
    for (TableDefinition table : tables) {
      std::uint32_t number = isThere ? m_shared.schema.find(table.name) : Table::none;
      if (number == Table::none) {
        if (table.parent != Table::none)
          table.parent = numbers[table.parent];
        number = m_shared.schema.add(table);
      }
      numbers.push_back(number);
    }
  } catch (...) { // of tables of which one does not fit none is taken
    m_shared.schema = m_shared.schema.first(before);
    throw;
  }
  catchUp();
  return numbers.front();
}

/// The number of a root table, Table::none if it or, of a collection, one under it is not there
/// yet.
std::uint32_t FrameBatchBuilder::findDefined(const std::vector<TableDefinition>& tables) const {
  const Schema& schema = m_builder.schema();
  const TableDefinition& root = tables.front();
  const std::uint32_t known = root.kind == TableKind::parameter
                                  ? schema.findParameter(root.name, root.type)
                                  : schema.find(root.name);
  if (known == Table::none || schema.table(known).kind != root.kind)
    return Table::none;
  bool isAll = true;
  for (std::uint32_t i = 0; i < tables.size(); ++i) {
    const bool isBelow = i > 0 && root.kind == TableKind::collection;
    const std::uint32_t number = isBelow ? schema.find(tables[i].name) : known + i;
    if (isBelow && number == Table::none)
      isAll = false;
    else if (number >= schema.size() || !holdsTheSame(tables[i], schema.table(number)))
      failDifferent(tables[i], schema.table(number < schema.size() ? number : known));
  }
  return isAll ? known : Table::none;
}

/// Adds the tables that other threads, or this one, have added to those of the category.
void FrameBatchBuilder::catchUp() {
  for (std::uint32_t table = m_builder.schema().size(); table < m_shared.schema.size(); ++table)
    m_builder.add(m_shared.schema.table(table).definition());
}

} // namespace kaon
