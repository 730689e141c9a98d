#include <kaon/formats/sio/podio/PodioFrames.h>

#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>
#include <kaon/detail/batch/StridedCopy.h>
#include <kaon/formats/podio/PodioTables.h>
#include <kaon/formats/sio/LoadedSioPage.h>
#include <kaon/model/Builtin.h>

#include <utility>

namespace kaon::sio::podio {
namespace {

/// Returns the type of a collection by the name of its values' type.
PodioType typeOf(const ScannedPodioCollection& scanned) {
  PodioType type{.name = scanned.type, .isSubset = scanned.isSubset};
  if (scanned.type.starts_with(linkPrefix) && scanned.type.ends_with('>')) {
    type.kind = PodioType::Kind::link;
    type.name = scanned.type.substr(linkPrefix.size(), scanned.type.size() - linkPrefix.size() - 1);
  } else if (findBuiltin(scanned.type)) {
    type.kind = PodioType::Kind::userData;
  }
  return type;
}

} // namespace

PodioFrames::PodioFrames(const SioContainer& container, std::string_view category,
                         std::vector<Model> models, const ModelDatatypes& datatypes)
    : SioContents(container, category) {
  FrameScan scan = scanFrames(container, category);
  StoredStructs structs(std::move(models));
  for (const ScannedPodioCollection& collection : scan.collections)
    addCollection(collection, structs, datatypes);
  m_parameters.addTo(m_schema, scan.keys, "", m_unreadable);
  m_parameterUnit = addUnit();
  setEntries(std::move(scan.entries));
}

/// Adds the tables of a collection. If they deviate from podio's layout, adds it to the unreadable
/// ones.
void PodioFrames::addCollection(const ScannedPodioCollection& scanned, StoredStructs& structs,
                                const ModelDatatypes& datatypes) {
  const std::uint32_t before = m_schema.size();
  try {
    if (scanned.isMixed)
      fail(ErrorKind::version, "its type or number is not the same in all frames");
    addTables(scanned, structs, datatypes);
    (void)addUnit();
    m_collectionOf.push_back(m_collections.size() - 1);
    m_ids.emplace(scanned.id, before);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::io)
      throw;
    m_schema = m_schema.first(before);
    m_unreadable.push_back({scanned.name, scanned.type, error.what()});
  }
}

void PodioFrames::addTables(const ScannedPodioCollection& scanned, StoredStructs& structs,
                            const ModelDatatypes& datatypes) {
  const TableNumber root = m_schema.size();
  const PodioType type = typeOf(scanned);
  for (const TableDefinition& table : tablesOf(type, scanned.name, root, datatypes))
    (void)m_schema.add(table);
  m_collections.push_back(formOf(m_schema, root, type, structs));
}

void PodioFrames::decode(std::uint32_t unit, LoadedSioPage& page, UnitColumns& out) const {
  if (unit == m_parameterUnit)
    return decodeParameters(page, out);
  const CollectionForm& collection = m_collections[m_collectionOf[unit]];
  for (std::size_t entry = 0; entry < page.entries(); ++entry) {
    const LoadedSioRecord& record = page.data(entry);
    const RecordBlock* const block = record.find(collection.name);
    if (block) {
      BlockReader in = record.reader(*block);
      decodeBlock(collection, in, out);
      in.checkEnd();
    }
    out.setPresence(collection.table, block != nullptr);
    out.endList(collection.table);
    out.endEvent();
  }
}

void PodioFrames::decodeParameters(LoadedSioPage& page, UnitColumns& out) const {
  for (std::size_t entry = 0; entry < page.entries(); ++entry) {
    const LoadedSioRecord& record = page.data(entry);
    const RecordBlock& block = record.get(parameterBlock);
    BlockReader in = record.reader(block);
    if (!m_parameters.decode(in, parametersOf(block.version), out))
      warnOnce("some frames have parameters that are not in the frames that kaon reads when it "
               "opens a file; these parameters are not read");
    in.checkEnd();
    out.endEvent();
  }
}

void PodioFrames::decodeBlock(const CollectionForm& collection, BlockReader& in,
                              UnitColumns& out) const {
  if (collection.rowBytes == 0) { // a subset
    const CollectionForm::Side& side = collection.sides.front();
    const std::uint32_t objects = in.count(referenceBytes);
    putRows(side, in.take(std::size_t{objects} * referenceBytes), objects, out);
    out.addRows(side.table, objects);
    return out.addRows(collection.table, objects);
  }
  const std::uint32_t objects = in.count(collection.rowBytes);
  const std::size_t bytes = std::size_t{objects} * collection.rowBytes;
  const std::span rows(in.take(bytes), bytes);
  out.addRows(collection.table, objects);
  for (const CollectionForm::Place& member : collection.members)
    if (objects > 0)
      detail::copyStrided(out.room(member.column, std::size_t{objects} * member.bytes),
                          member.bytes, rows.data() + member.offset, collection.rowBytes, objects,
                          member.bytes);
  for (const CollectionForm::Side& side : collection.sides)
    decodeSide(side, rows, collection.rowBytes, in, out);
}

void PodioFrames::decodeSide(const CollectionForm::Side& side, std::span<const std::byte> objects,
                             std::uint32_t rowBytes, BlockReader& in, UnitColumns& out) const {
  const std::uint32_t rows = in.count(side.rowBytes);
  const std::byte* const from = in.take(std::size_t{rows} * side.rowBytes);
  if (side.isOne) {
    if (rows != objects.size() / rowBytes)
      in.failHere("has different numbers of objects and of references");
    putRows(side, from, rows, out);
    return out.addRows(side.table, rows);
  }
  std::uint32_t used = 0; // no two objects may share a row
  for (std::size_t object = 0; object < objects.size(); object += rowBytes) {
    const auto begin = detail::loadAs<std::uint32_t>(&objects[object + side.begin]);
    const auto end =
        detail::loadAs<std::uint32_t>(&objects[object + side.begin + sizeof(std::uint32_t)]);
    if (begin > end || end > rows || end - begin > rows - used)
      in.failHere("has an object whose lists lie outside of it");
    used += end - begin;
    putRows(side, from + std::size_t{begin} * side.rowBytes, end - begin, out);
    out.addRows(side.table, end - begin);
    out.endList(side.table);
  }
}

void PodioFrames::putRows(const CollectionForm::Side& side, const std::byte* from,
                          std::uint32_t rows, UnitColumns& out) const {
  if (rows == 0)
    return;
  for (const CollectionForm::Place& member : side.members)
    detail::copyStrided(out.room(member.column, std::size_t{rows} * member.bytes), member.bytes,
                        from + member.offset, side.rowBytes, rows, member.bytes);
  if (!side.members.empty())
    return;
  const ColumnNumber column = m_schema.place(side.table, detail::relationIndex).column;
  for (std::uint32_t row = 0; row < rows; ++row, from += side.rowBytes) {
    const auto index = detail::loadAs<std::int32_t>(from);
    const auto table = m_ids.find(detail::loadAs<std::uint32_t>(from + sizeof index));
    const bool isThere = index >= 0 && table != m_ids.end();
    out.put(column, isThere ? index : std::int32_t{-1});
    out.put(column + 1, isThere ? TableNumber(table->second) : m_schema.rootOf(side.table));
  }
}

} // namespace kaon::sio::podio
