#include <kaon/event/FrameGatherer.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/batch/Gather.h>

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

constexpr std::array<std::string_view, 2> originNames{"provenance.file", "provenance.entry"};

} // namespace

void FrameGatherer::add(FrameContents& frame, const std::vector<std::string>* collections) {
  m_frame = &frame;
  useFile(frame.reader());
  const auto isReplaced = [&](const Schema& schema, std::uint32_t table) {
    return !frame.putParameters().empty() && // mostly: then no types are made out
           frame.hasPut(schema.table(table).name, FrameContents::typeOf(schema, table));
  };
  const auto isOrigin = [&](std::string_view name) {
    return m_provenance && std::ranges::find(originNames, name) != originNames.end();
  };
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
  m_builder.endEntry();
  ++m_frames;
}

/// A parameter of the frame's file that is to be a tag or key, if this frame has it.
void FrameGatherer::addUsed(std::string_view parameter, std::string_view type) {
  const std::string name(parameter);
  if (const auto values = m_frame->values(parameter, type))
    addParameter(name, *values, defineParameter(name, *values));
}

/// Where the frame comes from: a file's number, 0 if it comes from none, and the entry in it.
void FrameGatherer::addOrigin() {
  EntryReader* const reader = m_frame->reader();
  const std::array<std::uint64_t, 2> origin{reader ? reader->file()->id() : 0,
                                            reader ? reader->entry() : 0};
  for (std::size_t i = 0; i < origin.size(); ++i) {
    const std::uint32_t table = define({{.name = std::string(originNames[i]),
                                         .kind = TableKind::value,
                                         .type = std::string(nameOf(Scalar::UInt64)),
                                         .rowSize = sizeof(std::uint64_t),
                                         .members = {{.name = "", .type = Scalar::UInt64}}}});
    std::memcpy(m_builder.append(table, 1), &origin[i], sizeof origin[i]);
  }
}

/// Tags and keys are in every frame: one that lacks them would silently get a zero.
void FrameGatherer::checkUses() const {
  if (m_rules.uses.empty())
    return;
  for (std::uint32_t number = 0; number < m_builder.schema().size(); ++number) {
    const Table info = m_builder.schema().table(number);
    if (info.use != TableUse::none && m_builder.rows(number) <= m_builder.entries())
      fail(ErrorKind::usage, "the frame lacks '", info.name,
           "', a tag or key, which earlier frames have");
  }
}

void FrameGatherer::addBuilt(const FrameContents::Put& put) {
  const CollectionData& data = put.collection->data();
  const Datatype& type = data.type();
  const std::uint32_t table = defineBuilt(put);
  numberNeighbours(data);
  const Numbers decorations = defineDecorations(data, table);
  m_builder.setPresent(table);
  std::byte* const rows = m_builder.append(table, data.size());
  if (type.rowSize > 0 && data.size() > 0)
    copyStrided(rows, type.rowSize, data.row(0), data.layout().rowSize, data.size(), type.rowSize);
  std::uint32_t below = table;
  for (std::uint32_t v = 0; v < type.vectors.size(); ++v) {
    addVector(data, v, ++below);
    below += type.vectors[v].innerLists();
  }
  for (std::uint32_t r = 0; r < type.relations.size(); ++r)
    addRelation(data, r, ++below);
  addDecorations(data, decorations);
}

/// The tables of what the program added to the objects, read or built, by the decorations' order.
/// Before rows are appended: until then all tables of the collection have as many.
FrameGatherer::Numbers FrameGatherer::defineDecorations(const CollectionData& data,
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

void FrameGatherer::addDecorations(const CollectionData& data, const Numbers& tables) {
  auto table = tables.begin();
  for (const std::string& name : data.decorations().names()) {
    const DecorationValues& values = *data.decorations().find(name);
    const std::size_t stored = std::min(values.values.size() / sizeOf(values.type), data.size());
    std::byte* const rows = m_builder.append(*table++, stored);
    if (stored > 0)
      std::memcpy(rows, values.values.data(), stored * sizeOf(values.type));
  }
}

void FrameGatherer::addVector(const CollectionData& data, std::uint32_t vector,
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
void FrameGatherer::addElements(const CollectionData& data, const ObjectLayout::List& list,
                                std::uint32_t level, Slice slice, std::uint32_t table) {
  const std::size_t count = slice.end - slice.begin;
  std::byte* const rows = m_builder.append(table, count);
  m_builder.endRow(table);
  if (level == list.innerLists && count > 0)
    std::memcpy(rows, data.element(list, slice.begin, level), count * list.leafSize);
  for (std::uint32_t i = slice.begin; level < list.innerLists && i < slice.end; ++i)
    addElements(data, list, level + 1, data.innerSlice(list, level + 1, i), table + 1);
}

void FrameGatherer::addRelation(const CollectionData& data, std::uint32_t relation,
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
std::byte* FrameGatherer::appendLists(const CollectionData& data, const ObjectLayout::List& list,
                                      std::uint32_t table) {
  std::size_t rows = 0;
  for (std::size_t object = 0; object < data.size(); ++object) {
    const Slice slice = data.slice(list, object);
    rows += slice.end - slice.begin;
    m_builder.endRow(table, slice.end - slice.begin);
  }
  return m_builder.append(table, rows);
}

/// Copies a table of the frame's file and what lies under it, whatever its types.
void FrameGatherer::addFromFile(std::uint32_t table) {
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

void FrameGatherer::copyRows(Window& window, std::uint32_t from, std::uint32_t to) {
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
Reference FrameGatherer::referenceTo(CollectionData* taken, std::int32_t index) {
  const ObjectPlace place =
      taken ? taken->current(static_cast<std::uint32_t>(index)) : ObjectPlace{};
  const std::uint32_t number = place.data ? numberOf(*place.data) : Table::none;
  return number == Table::none ? Reference{-1, 0}
                               : Reference{static_cast<std::int32_t>(place.index), number};
}

void FrameGatherer::addParameters(const FrameContents& frame) {
  // Both are in the same order: mostly the next one that is known is the one that is looked for.
  auto known = m_parameters.begin();
  for (const auto& [key, parameter] : frame.putParameters()) {
    if (!parameter.isThere)
      continue;
    const auto& [name, type] = key;
    const std::size_t index = parameter.values.index(); // quicker to compare than types
    const auto isIt = [&] { return known->second.type == index && known->first.first == name; };
    while (known != m_parameters.end() && !isIt() &&
           FrameContents::ParameterOrder()(known->first, key))
      ++known;
    if (known == m_parameters.end() || !isIt())
      known = m_parameters.emplace_hint(
          known, key, KnownParameter{index, defineParameter(name, parameter.values)});
    addParameter(name, parameter.values, known->second.table);
    ++known;
  }
}

std::uint32_t FrameGatherer::defineParameter(const std::string& name,
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
  m_rules.apply(tables);
  const std::uint32_t table = define(tables);
  if (use != TableUse::none && isNew && m_frames > 0)
    fail(ErrorKind::usage, "'", name, "' is to be a tag or key, but earlier frames lack it");
  return table;
}

void FrameGatherer::addParameter(const std::string& name, const ParameterValues& values,
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

void FrameGatherer::numberNeighbours(const CollectionData& data) {
  m_neighbours.clear();
  for (std::size_t i = 0; i < data.neighbours(); ++i) {
    CollectionData* const neighbour = data.neighbour(i);
    const CollectionData* const holder = neighbour ? neighbour->holder() : nullptr;
    m_neighbours.push_back(holder ? numberOf(*holder) : Table::none);
  }
}

std::uint32_t FrameGatherer::numberOf(const CollectionData& data) {
  if (!data.isBuilt())
    return data.loader() == m_frame->reader() ? defineFromFile(data.table()) : Table::none;
  for (const FrameContents::Put& put : m_frame->putCollections())
    if (put.collection && &put.collection->data() == &data)
      return defineBuilt(put);
  return Table::none;
}

std::uint32_t FrameGatherer::defineBuilt(const FrameContents::Put& put) {
  const Datatype& type = put.collection->data().type();
  const auto known = m_known.find(put.name);
  if (known != m_known.end() && known->second.type == &type)
    return known->second.table;
  auto tables = tablesOf(type, put.name, 0, Layout::split);
  kaon::apply(storageOf(type.storage), tables);
  m_rules.apply(tables);
  const std::uint32_t table = define(tables);
  m_known.insert_or_assign(put.name, Known{&type, table});
  return table;
}

std::uint32_t FrameGatherer::defineFromFile(std::uint32_t table) {
  std::uint32_t& known = m_fileTables[table];
  if (known != Table::none)
    return known;
  const Schema& schema = m_source->schema();
  std::vector<TableDefinition> tables;
  std::vector<std::uint32_t> numbers;
  for (const std::uint32_t number : schema.tablesUnder(table)) {
    TableDefinition& below = tables.emplace_back(schema.table(number).definition());
    if (number != table)
      below.parent =
          static_cast<std::uint32_t>(std::ranges::find(numbers, below.parent) - numbers.begin());
    numbers.push_back(number);
  }
  m_rules.apply(tables);
  known = define(tables);
  for (const std::uint32_t number : schema.tablesUnder(table))
    if (number != table)
      m_fileTables[number] = m_builder.schema().find(schema.table(number).name);
  return known;
}

/// Forgets another file's tables. A file that was closed is another one, wherever it lay.
void FrameGatherer::useFile(const EntryReader* reader) {
  if (!reader || (m_source == &reader->source() && m_file.lock() == reader->file()))
    return;
  m_file = reader->file();
  m_source = &reader->source();
  m_fileTables.assign(m_source->schema().size(), Table::none);
}

/// The number of a root table; it and those under it are added unless they are there already. The
/// parents of these are given by their places among them.
std::uint32_t FrameGatherer::define(const std::vector<TableDefinition>& tables) {
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
  const std::uint32_t first = isThere ? root : m_shared.schema.size();
  for (TableDefinition table : tables) {
    if (isThere && m_shared.schema.find(table.name) != Table::none)
      continue;
    if (table.parent != Table::none)
      table.parent += first;
    m_shared.schema.add(table);
  }
  catchUp();
  return first;
}

/// The number of a root table, Table::none if it or a decoration under it is not there yet.
std::uint32_t FrameGatherer::findDefined(const std::vector<TableDefinition>& tables) const {
  const Schema& schema = m_builder.schema();
  const TableDefinition& root = tables.front();
  const std::uint32_t known = root.kind == TableKind::parameter
                                  ? schema.findParameter(root.name, root.type)
                                  : schema.find(root.name);
  if (known == Table::none || schema.table(known).kind != root.kind)
    return Table::none;
  for (std::uint32_t i = 0; i < tables.size(); ++i) {
    const bool isDecoration = tables[i].kind == TableKind::decoration;
    const std::uint32_t number = isDecoration ? schema.find(tables[i].name) : known + i;
    if (isDecoration && number == Table::none)
      return Table::none;
    if (number >= schema.size() || !holdsTheSame(tables[i], schema.table(number)))
      fail(ErrorKind::type, "'", tables[i].name, "' is a ", tables[i].type, " here but was a ",
           schema.table(number < schema.size() ? number : known).type,
           ", or another version of it, in earlier frames");
  }
  return known;
}

/// Adds the tables that other threads, or this one, have added to those of the category.
void FrameGatherer::catchUp() {
  for (std::uint32_t table = m_builder.schema().size(); table < m_shared.schema.size(); ++table)
    m_builder.add(m_shared.schema.table(table).definition());
}

} // namespace kaon
