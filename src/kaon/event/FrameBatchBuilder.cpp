#include <kaon/event/FrameBatchBuilder.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/batch/Provenance.h>
#include <kaon/detail/batch/StridedCopy.h>
#include <kaon/event/StoredParameters.h>
#include <kaon/model/LateMembers.h>
#include <kaon/writing/SharedTables.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace kaon {
namespace {

/// Whether a collection is to be written.
bool isWanted(const std::vector<std::string>* collections, std::string_view name) {
  return !collections || std::ranges::find(*collections, name) != collections->end();
}

/// Returns the bytes of the vectors of a collection's objects, without those of inner lists.
std::size_t bytesOfVectors(const detail::CollectionData& data) {
  std::size_t bytes = 0;
  const std::size_t vectors = data.size() > 0 ? data.type().vectors.size() : 0;
  for (std::uint32_t vector = 0; vector < vectors; ++vector) {
    const detail::ObjectLayout::List& list = data.layout().vectorMember(vector);
    bytes += std::size_t{data.slice(list, data.size() - 1).end} * list.elementSize;
  }
  return bytes;
}

/// Returns the approximate bytes of the collections that a program built, wanted or not.
std::size_t bytesOf(const detail::FrameContents& frame) {
  std::size_t bytes = 0;
  for (const detail::FrameContents::Put& put : frame.putCollections())
    if (put.collection) {
      const detail::CollectionData& data = put.collection->data();
      bytes += data.size() * data.layout().rowSize;
      if (!data.type().vectors.empty())
        bytes += bytesOfVectors(data);
    }
  return bytes;
}

} // namespace

FrameBatchBuilder::FrameBatchBuilder(const detail::StorageRules& rules, bool provenance,
                                     detail::SharedTables& shared)
    : m_provenance(provenance), m_tables(rules, m_builder, shared),
      m_parameters(m_builder, m_tables), m_uses(rules) {}

void FrameBatchBuilder::add(detail::FrameContents& frame,
                            const std::vector<std::string>* collections) {
  m_frame = &frame;
  useFile(frame.reader());
  beginEntry(bytesOf(frame));
  try {
    addAll(collections);
    m_builder.endEntry();
    m_tables.countFrame();
  } catch (...) {
    m_builder.dropEntry();
    throw;
  }
}

void FrameBatchBuilder::addAll(const std::vector<std::string>* collections) {
  if (collections)
    checkNames(*collections);
  for (const detail::FrameContents::Put& put : m_frame->putCollections())
    if (put.collection && isWanted(collections, put.name))
      addBuilt(put);
  m_parameters.append(*m_frame);
  if (m_frame->reader())
    addFile(collections);
  if (m_provenance)
    addOrigin();
  m_uses.check(m_builder);
}

void FrameBatchBuilder::checkNames(const std::vector<std::string>& collections) const {
  const std::vector<std::string> known = m_frame->collectionNames();
  detail::EntryReader* const reader = m_frame->reader();
  for (const std::string& name : collections)
    if (std::ranges::find(known, name) == known.end() &&
        (!reader || reader->source().schema().findCollection(name) == Table::none))
      fail(ErrorKind::name, "there is no collection '", name, "' to write in this frame",
           suggestion(name, known));
}

/// Adds the contents of the frame's file that were not replaced.
void FrameBatchBuilder::addFile(const std::vector<std::string>* collections) {
  const detail::FrameContents& frame = *m_frame;
  const Schema& schema = m_frame->reader()->source().schema();
  const auto isReplaced = [&](TableNumber table) {
    return !frame.putParameters().empty() && // mostly empty: skip the types
           frame.putParameters().find(schema.table(table).name,
                                      StoredParameters::typeOf(schema, table));
  };
  for (TableNumber i = 0; i < schema.size(); ++i) {
    const Table info = schema.table(i);
    const bool isKept =
        info.kind == TableKind::collection
            ? isWanted(collections, info.name) && !frame.taken().contains(i)
            : info.isRoot() && !isReplaced(i) && !(m_provenance && isProvenance(info.name));
    if (isKept && info.kind == TableKind::parameter &&
        m_tables.rules().useOf(info.name) != TableUse::none)
      addUsed(info.name, StoredParameters::typeOf(schema, i));
    else if (isKept)
      addFromFile(i);
  }
}

/// Adds a parameter of the frame's file that is to be a tag or key, if this frame has it.
void FrameBatchBuilder::addUsed(std::string_view parameter, std::string_view type) {
  const std::string name(parameter);
  if (const auto values = m_frame->values(parameter, type))
    m_parameters.append(name, *values);
}

/// Adds the frame's origin: the number of its file, 0 if it has none, and the entry in that file.
void FrameBatchBuilder::addOrigin() {
  detail::EntryReader* const reader = m_frame->reader();
  const std::array<std::uint64_t, 2> origin{reader ? reader->file()->id() : 0,
                                            reader ? reader->entry() : 0};
  for (std::size_t i = 0; i < origin.size(); ++i) {
    const TableNumber table = m_tables.define({provenanceTable(provenanceNames[i])});
    std::memcpy(m_builder.append(table, 1), &origin[i], sizeof origin[i]);
  }
}

void FrameBatchBuilder::addBuilt(const detail::FrameContents::Put& put) {
  const detail::CollectionData& data = put.collection->data();
  const CollectionTables& tables = defineBuilt(put);
  const TableNumber table = tables.tables.front();
  numberNeighbours(data);
  m_builder.setPresent(table);
  if (data.decorations().isEmpty())
    return CollectionRows(m_builder, data, m_neighbours).append(tables);
  const auto decorations = defineDecorations(m_tables, data, table);
  CollectionRows(m_builder, data, m_neighbours).append(tables);
  appendDecorations(m_builder, data, decorations);
}

/// Copies a table of the frame's file and the tables under it, whatever their types.
void FrameBatchBuilder::addFromFile(TableNumber table) {
  detail::EntryReader& reader = *m_frame->reader();
  const detail::CollectionData* const decorated = reader.bound(table);
  reader.withWindow([&](detail::Window& window) {
    if (!window.isPresent(table, reader.entry()))
      return;
    const TableNumber to = defineFromFile(table);
    const auto decorations =
        decorated ? defineDecorations(m_tables, *decorated, to) : std::vector<std::uint32_t>();
    if (m_builder.schema().table(to).canBeAbsent())
      m_builder.setPresent(to);
    for (const TableNumber from : reader.source().schema().tablesUnder(table))
      if (std::ranges::find(decorations, m_fileTables[from]) == decorations.end())
        copyRows(window, from, m_fileTables[from]);
    if (decorated)
      appendDecorations(m_builder, *decorated, decorations);
  });
}

void FrameBatchBuilder::copyRows(detail::Window& window, std::uint32_t from, std::uint32_t to) {
  const std::uint64_t entry = m_frame->reader()->entry();
  const Schema& schema = window.source().schema();
  const Table info = schema.table(from);
  const auto [first, last] = window.rows(from, entry);
  // Decodes before making room: a damaged file may claim any number of rows.
  for (MemberNumber i = 0; i < info.members.size() && last > first; ++i)
    (void)window.member(from, i, entry);
  std::byte* const rows = m_builder.append(to, last - first);
  for (MemberNumber i = 0; i < info.members.size() && last > first; ++i) {
    const ColumnView values = window.member(from, i, entry);
    detail::copyStrided(rows + info.members[i].offset, info.rowSize, values.at(first),
                        values.stride, last - first, info.members[i].size());
  }
  if (info.kind == TableKind::oneRelation || info.kind == TableKind::manyRelation)
    renumber({rows, (last - first) * sizeof(detail::Reference)}, window);
  if (info.isRoot() || !info.isCounted())
    return;
  const auto [firstParent, lastParent] = window.rows(info.parent, entry);
  const auto begins = window.offsets(from, entry);
  for (std::size_t parent = firstParent; parent < lastParent; ++parent)
    m_builder.endRow(to, begins[parent + 1] - begins[parent]);
}

/// Converts references of the file to references of the batch.
void FrameBatchBuilder::renumber(std::span<std::byte> references, const detail::Window& window) {
  const Schema& schema = window.source().schema();
  for (std::size_t at = 0; at < references.size(); at += sizeof(detail::Reference)) {
    auto reference = detail::loadAs<detail::Reference>(&references[at]);
    if (reference.index < 0)
      continue;
    if (reference.neighbour >= schema.size() ||
        schema.table(reference.neighbour).kind != TableKind::collection)
      fail(ErrorKind::corrupt, window.source().name(), ": entry ", m_frame->reader()->entry(),
           " refers to a collection that does not exist; the file is damaged");
    const auto taken = m_frame->taken().find(reference.neighbour);
    if (taken == m_frame->taken().end())
      reference.neighbour = defineFromFile(reference.neighbour);
    else
      reference = referenceTo(taken->second, reference.index);
    std::memcpy(&references[at], &reference, sizeof reference);
  }
}

/// Returns a reference to an object whose collection was taken out of the file; unset unless the
/// collection is in the frame again.
detail::Reference FrameBatchBuilder::referenceTo(detail::CollectionData* taken,
                                                 std::int32_t index) {
  const detail::ObjectLocator place =
      taken ? taken->current(static_cast<std::uint32_t>(index)) : detail::ObjectLocator{};
  const TableNumber number = place ? numberOf(*place.data) : Table::none;
  return number == Table::none
             ? detail::Reference{-1, 0}
             : detail::Reference{static_cast<std::int32_t>(place.index()), number};
}

void FrameBatchBuilder::numberNeighbours(const detail::CollectionData& data) {
  m_neighbours.clear();
  for (std::size_t i = 0; i < data.neighbours(); ++i) {
    detail::CollectionData* const neighbour = data.neighbour(i);
    const detail::CollectionData* const holder = neighbour ? neighbour->holder() : nullptr;
    m_neighbours.push_back(holder ? numberOf(*holder) : Table::none);
  }
}

TableNumber FrameBatchBuilder::numberOf(const detail::CollectionData& data) {
  if (!data.isBuilt())
    return data.loader() == m_frame->reader() ? defineFromFile(data.table()) : Table::none;
  for (const detail::FrameContents::Put& put : m_frame->putCollections())
    if (put.collection && &put.collection->data() == &data)
      return defineBuilt(put).tables.front();
  return Table::none;
}

const CollectionTables& FrameBatchBuilder::defineBuilt(const detail::FrameContents::Put& put) {
  const Datatype& type = put.collection->data().type();
  const auto known = m_built.find(put.name);
  if (known != m_built.end() && known->second.type == &type)
    return known->second;
  return m_built.insert_or_assign(put.name, defineCollection(m_tables, put.name, type))
      .first->second;
}

TableNumber FrameBatchBuilder::defineFromFile(TableNumber table) {
  std::uint32_t& known = m_fileTables[table];
  if (known != Table::none)
    return known;
  const Schema& schema = m_source->schema();
  std::vector<TableDefinition> tables = definitionsUnder(schema, table);
  m_tables.rules().apply(tables);
  known = m_tables.define(tables);
  // A list here that the file lacks may be one of its lists under a new name.
  for (const TableNumber number : m_builder.schema().tablesUnder(known))
    if (const Table there = m_builder.schema().table(number);
        there.kind != TableKind::decoration &&
        std::ranges::find(tables, there.name, &TableDefinition::name) == tables.end())
      failDifferent(tables.front(), there);
  for (const TableNumber number : schema.tablesUnder(table))
    if (number != table)
      m_fileTables[number] = m_builder.schema().find(schema.table(number).name);
  return known;
}

/// Forgets the tables of another file. A file that was closed counts as another one, even at the
/// same address.
void FrameBatchBuilder::useFile(const detail::EntryReader* reader) {
  if (!reader || (m_source == &reader->source() && m_file.lock() == reader->file()))
    return;
  m_file = reader->file();
  m_source = &reader->source();
  m_fileTables.assign(m_source->schema().size(), Table::none);
}

} // namespace kaon
