#include <kaon/event/FrameBatchBuilder.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/batch/Provenance.h>
#include <kaon/batch/StridedCopy.h>
#include <kaon/model/LateMembers.h>

#include <algorithm>
#include <array>
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

/// A parameter's table; strings have one for their characters below it.
template <class T>
std::vector<TableDefinition> parameterTables(const std::string& name) {
  std::vector<TableDefinition> tables(1);
  tables[0].name = name;
  tables[0].kind = TableKind::parameter;
  tables[0].type = parameterType<T>();
  TableDefinition* values = &tables[0];
  Scalar type = Scalar::UInt8;
  if constexpr (std::is_same_v<T, std::string>) {
    values = &tables.emplace_back();
    values->name = name + ".text";
    values->kind = TableKind::text;
    values->type = nameOf(type);
    values->parent = 0;
  } else {
    type = scalarOf<T>();
  }
  values->rowSize = sizeOf(type);
  values->members.push_back({"", type, 1, 0, "", ""});
  return tables;
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

} // namespace

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
  const auto isReplaced = [&](const Table& table) {
    return !frame.putParameters().empty() && // mostly: then no names are made of views
           frame.putParameters().contains({std::string(table.name), std::string(table.type)});
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
  for (const auto& [key, values] : frame.putParameters())
    addParameter(key.first, values);
  if (frame.reader()) {
    const auto tables = frame.reader()->source().schema().tables();
    for (std::uint32_t i = 0; i < tables.size(); ++i) {
      const Table info = tables[i];
      const bool isKept = info.kind == TableKind::collection
                              ? isWanted(info.name) && !frame.taken().contains(i)
                              : info.isRoot() && !isReplaced(info) && !isOrigin(info.name);
      if (isKept && info.kind == TableKind::parameter && m_rules.useOf(info.name) != TableUse::none)
        addUsed(info);
      else if (isKept)
        addFromFile(i);
    }
  }
  if (m_provenance)
    addOrigin();
  checkUses();
}

/// A parameter of the frame's file that is to be a tag or key, if this frame has it.
void FrameBatchBuilder::addUsed(const Table& parameter) {
  if (const auto values = m_frame->values(parameter.name, parameter.type))
    addParameter(std::string(parameter.name), *values);
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
void FrameBatchBuilder::checkUses() const {
  if (m_rules.uses.empty())
    return;
  for (std::uint32_t number = 0; number < m_builder.schema().size(); ++number) {
    const Table info = m_builder.schema().table(number);
    if (info.use != TableUse::none && m_builder.rows(number) <= m_builder.entries())
      fail(ErrorKind::usage, "the frame lacks '", info.name,
           "', a tag or key, which earlier frames have");
  }
}

void FrameBatchBuilder::addBuilt(const FrameContents::Put& put) {
  const CollectionData& data = put.collection->data();
  const Datatype& type = data.type();
  const Known& known = defineBuilt(put);
  const std::uint32_t table = known.tables.front();
  const Numbers numbers = numberNeighbours(data);
  const Numbers decorations = defineDecorations(data, table);
  m_builder.setPresent(table);
  addRows(data, known);
  auto below = known.tables.begin();
  for (std::uint32_t v = 0; v < type.vectors.size(); ++v) {
    addVector(data, v, *++below);
    if (type.vectors[v].holdsStrings())
      addCharacters(data, data.layout().vectorMember(v), *++below);
  }
  for (std::uint32_t r = 0; r < type.relations.size(); ++r)
    addRelation(data, r, *++below, numbers);
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
  std::byte* rows = appendLists(data, list, table);
  if (data.type().vectors[vector].holdsStrings())
    return;
  for (std::size_t object = 0; object < data.size(); ++object) {
    const Slice slice = data.slice(list, object);
    const std::size_t bytes = std::size_t{slice.end - slice.begin} * list.elementSize;
    if (bytes > 0)
      std::memcpy(rows, data.element(list, slice.begin), bytes);
    rows += bytes;
  }
}

/// Those of the strings of all objects.
void FrameBatchBuilder::addCharacters(const CollectionData& data, const ObjectLayout::List& list,
                                      std::uint32_t table) {
  for (std::size_t object = 0; object < data.size(); ++object) {
    const Slice slice = data.slice(list, object);
    for (std::uint32_t i = slice.begin; i < slice.end; ++i) {
      const std::string_view text = data.string(list.first, i);
      std::ranges::copy(std::as_bytes(std::span(text)), m_builder.append(table, text.size()));
      m_builder.endRow(table);
    }
  }
}

void FrameBatchBuilder::addRelation(const CollectionData& data, std::uint32_t relation,
                                    std::uint32_t table, const Numbers& numbers) {
  const Relation& info = data.type().relations[relation];
  const auto put = [&](std::byte* row, std::size_t object, Reference reference) {
    Reference stored{-1, 0};
    if (reference.index >= 0) {
      stored.neighbour = numbers[reference.neighbour];
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

template <class T>
std::uint32_t FrameBatchBuilder::defineParameter(const std::string& name, TableUse use) {
  auto tables = parameterTables<T>(name);
  if (use != TableUse::none)
    tables.front().kind = TableKind::value;
  m_rules.apply(tables);
  return define(tables);
}

void FrameBatchBuilder::addParameter(const std::string& name, const ParameterValues& values) {
  const TableUse use = m_rules.useOf(name);
  const auto add = [&]<class T>(const std::vector<T>& all) {
    if (use != TableUse::none && (std::is_same_v<T, std::string> || all.size() != 1))
      fail(ErrorKind::usage, "'", name, "' is to be a tag or key, which is one number an event, ",
           "but has ", all.size(), " values of type ", parameterType<T>());
    if (use != TableUse::none && m_frames > 0 && m_builder.schema().find(name) == Table::none)
      fail(ErrorKind::usage, "'", name, "' is to be a tag or key, but earlier frames lack it");
    const std::uint32_t table = defineParameter<T>(name, use);
    if (use == TableUse::none)
      m_builder.setPresent(table);
    else if (m_builder.rows(table) != m_builder.entries())
      fail(ErrorKind::usage, "'", name, "' is to be a tag or key, but the frame has two of that ",
           "name");
    std::byte* row = m_builder.append(table, all.size());
    for (const auto& value : all) {
      if constexpr (std::is_same_v<T, std::string>) {
        std::ranges::copy(std::as_bytes(std::span(value)),
                          m_builder.append(table + 1, value.size()));
        m_builder.endRow(table + 1);
      } else {
        const T plain = value; // std::vector<bool> has no elements
        std::memcpy(row, &plain, sizeof plain);
        row += sizeof plain;
      }
    }
  };
  std::visit(add, values);
}

FrameBatchBuilder::Numbers FrameBatchBuilder::numberNeighbours(const CollectionData& data) {
  Numbers numbers;
  for (std::size_t i = 0; i < data.neighbours(); ++i) {
    CollectionData* const neighbour = data.neighbour(i);
    const CollectionData* const holder = neighbour ? neighbour->holder() : nullptr;
    numbers.push_back(holder ? numberOf(*holder) : Table::none);
  }
  return numbers;
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
