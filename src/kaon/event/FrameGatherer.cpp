#include <kaon/event/FrameGatherer.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/batch/Gather.h>

#include <algorithm>
#include <cstring>

namespace kaon {
namespace {

bool isSameButForPlace(Table a, const Table& b) {
  a.layout = b.layout;
  a.parent = b.parent;
  return a == b;
}

/// A parameter's table; strings have one for their characters below it.
template <class T>
std::vector<Table> parameterTables(const std::string& name) {
  std::vector<Table> tables(1);
  tables[0].name = name;
  tables[0].kind = TableKind::parameter;
  tables[0].type = parameterType<T>();
  Table* values = &tables[0];
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

} // namespace

void FrameGatherer::add(FrameContents& frame, const std::vector<std::string>* collections) {
  m_frame = &frame;
  useFile(frame.reader());
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
    if (isWanted(put.name))
      addBuilt(put);
  for (const auto& [key, values] : frame.putParameters())
    addParameter(key.first, values);
  if (frame.reader()) {
    const auto tables = frame.reader()->source().schema().tables();
    for (std::uint32_t i = 0; i < tables.size(); ++i) {
      const bool isReplaced = frame.putParameters().contains({tables[i].name, tables[i].type});
      if (tables[i].kind == TableKind::collection ? isWanted(tables[i].name)
                                                  : tables[i].isRoot() && !isReplaced)
        addFromFile(i);
    }
  }
  m_builder.endEntry();
}

void FrameGatherer::addBuilt(const FrameContents::Put& put) {
  const CollectionData& data = put.collection->data();
  const Datatype& type = data.type();
  const std::uint32_t table = defineBuilt(put);
  const Numbers numbers = numberNeighbours(data);
  m_builder.setPresent(table);
  std::byte* const rows = m_builder.append(table, data.size());
  if (type.rowSize > 0 && data.size() > 0)
    copyStrided(rows, type.rowSize, data.row(0), data.layout().rowSize, data.size(), type.rowSize);
  std::uint32_t below = table;
  for (std::uint32_t v = 0; v < type.vectors.size(); ++v)
    addVector(data, v, ++below);
  for (std::uint32_t r = 0; r < type.relations.size(); ++r)
    addRelation(data, r, ++below, numbers);
}

void FrameGatherer::addVector(const CollectionData& data, std::uint32_t vector,
                              std::uint32_t table) {
  const ObjectLayout::List& list = data.layout().vectorMember(vector);
  for (std::size_t object = 0; object < data.size(); ++object) {
    const Slice slice = data.slice(list, object);
    const std::size_t bytes = std::size_t{slice.end - slice.begin} * list.elementSize;
    std::byte* const rows = m_builder.append(table, slice.end - slice.begin);
    if (bytes > 0)
      std::memcpy(rows, data.element(list, slice.begin), bytes);
    m_builder.endRow(table);
  }
}

void FrameGatherer::addRelation(const CollectionData& data, std::uint32_t relation,
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
      stored.index = static_cast<std::int32_t>(place.index);
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
  for (std::size_t object = 0; object < data.size(); ++object) {
    const Slice slice = data.slice(list, object);
    std::byte* row = m_builder.append(table, slice.end - slice.begin);
    for (std::uint32_t i = slice.begin; i < slice.end; ++i, row += sizeof(Reference))
      put(row, object, loadAs<Reference>(data.element(list, i)));
    m_builder.endRow(table);
  }
}

/// Copies a table of the frame's file and what lies under it, whatever its types.
void FrameGatherer::addFromFile(std::uint32_t table) {
  EntryReader& reader = *m_frame->reader();
  reader.withWindow([&](Window& window) {
    if (!window.isPresent(table, reader.entry()))
      return;
    std::uint32_t to = defineFromFile(table);
    if (m_builder.schema().table(to).canBeAbsent())
      m_builder.setPresent(to);
    for (const std::uint32_t from : reader.source().schema().tablesUnder(table))
      copyRows(window, from, to++);
  });
}

void FrameGatherer::copyRows(Window& window, std::uint32_t from, std::uint32_t to) {
  const std::uint64_t entry = m_frame->reader()->entry();
  const Schema& schema = window.source().schema();
  const Table& info = schema.table(from);
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
      if (reference.neighbour >= schema.tables().size() ||
          schema.table(reference.neighbour).kind != TableKind::collection)
        fail(ErrorKind::corrupt, window.source().name(), ": entry ", entry,
             " refers to a collection that does not exist; the file is damaged");
      reference.neighbour = defineFromFile(reference.neighbour);
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

void FrameGatherer::addParameter(const std::string& name, const ParameterValues& values) {
  const auto add = [&]<class T>(const std::vector<T>& all) {
    const std::uint32_t table = define(parameterTables<T>(name));
    m_builder.setPresent(table);
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

FrameGatherer::Numbers FrameGatherer::numberNeighbours(const CollectionData& data) {
  Numbers numbers;
  for (std::size_t i = 0; i < data.neighbours(); ++i) {
    CollectionData* const neighbour = data.neighbour(i);
    const CollectionData* const holder = neighbour ? neighbour->current(0).data : nullptr;
    numbers.push_back(holder ? numberOf(*holder) : Table::none);
  }
  return numbers;
}

std::uint32_t FrameGatherer::numberOf(const CollectionData& data) {
  if (!data.isBuilt())
    return data.reader() == m_frame->reader() ? defineFromFile(data.table()) : Table::none;
  for (const FrameContents::Put& put : m_frame->putCollections())
    if (&put.collection->data() == &data)
      return defineBuilt(put);
  return Table::none;
}

std::uint32_t FrameGatherer::defineBuilt(const FrameContents::Put& put) {
  const Datatype& type = put.collection->data().type();
  const auto known = m_known.find(put.name);
  if (known != m_known.end() && known->second.type == &type)
    return known->second.table;
  const std::uint32_t table = define(tablesOf(type, put.name, 0, m_layoutOf(put.name)));
  m_known.insert_or_assign(put.name, Known{&type, table});
  return table;
}

std::uint32_t FrameGatherer::defineFromFile(std::uint32_t table) {
  std::uint32_t& known = m_fileTables[table];
  if (known != Table::none)
    return known;
  const Schema& schema = m_source->schema();
  std::vector<Table> tables;
  for (const std::uint32_t number : schema.tablesUnder(table)) {
    tables.push_back(schema.table(number));
    tables.back().layout = m_layoutOf(schema.table(table).name);
  }
  return known = define(std::move(tables));
}

/// Forgets another file's tables. A file that was closed is another one, wherever it lay.
void FrameGatherer::useFile(const EntryReader* reader) {
  if (!reader || (m_source == &reader->source() && m_file.lock() == reader->file()))
    return;
  m_file = reader->file();
  m_source = &reader->source();
  m_fileTables.assign(m_source->schema().tables().size(), Table::none);
}

/// Adds a root table and those under it, unless they are there already. Returns the root's number;
/// the others follow it.
std::uint32_t FrameGatherer::define(std::vector<Table> tables) {
  const Schema& schema = m_builder.schema();
  const Table& root = tables.front();
  const std::uint32_t known = root.kind == TableKind::parameter
                                  ? schema.findParameter(root.name, root.type)
                                  : schema.find(root.name);
  if (known != Table::none && schema.table(known).kind == root.kind) {
    for (std::uint32_t i = 0; i < tables.size(); ++i)
      if (known + i >= schema.tables().size() ||
          !isSameButForPlace(tables[i], schema.table(known + i)))
        fail(ErrorKind::type, "'", root.name, "' is a ", root.type, " here but was a ",
             schema.table(known).type, ", or another version of it, in earlier frames");
    return known;
  }
  const std::uint32_t number = m_builder.add(std::move(tables.front()));
  for (std::uint32_t i = 1; i < tables.size(); ++i) {
    tables[i].parent = number;
    m_builder.add(std::move(tables[i]));
  }
  return number;
}

} // namespace kaon
