#include <kaon/formats/sio/lcio/LcioEvents.h>

#include <kaon/base/Error.h>
#include <kaon/formats/sio/LoadedSioPage.h>
#include <kaon/formats/sio/lcio/EventHeader.h>
#include <kaon/formats/sio/lcio/HeaderTables.h>
#include <kaon/formats/sio/lcio/LcioModel.h>
#include <kaon/formats/sio/lcio/LcioVersion.h>
#include <kaon/formats/sio/lcio/ObjectReader.h>
#include <kaon/model/CollectionTables.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace kaon::sio::lcio {
namespace {

std::string typeName(std::string_view type) { return std::string(typePrefix).append(type); }

/// Returns the weight of an event, which is one of its parameters.
double weightIn(BlockReader in, std::uint32_t version) {
  double weight = 1;
  forParameters(in, parametersOf(version), [&](const StoredParameter& parameter) {
    if (parameter.type == ParameterType::float32 && parameter.key == weightKey &&
        parameter.values > 0) {
      BlockReader values = parameter.reader;
      weight = static_cast<double>(values.get<float>());
    }
  });
  return weight;
}

/// Returns the block of a collection in a record, or null if the event lacks it.
const RecordBlock* blockOf(const LoadedSioRecord& record, const std::string& collection) {
  const RecordBlock* const block = record.find(collection);
  if (block)
    checkVersion(record, *block);
  return block;
}

} // namespace

LcioEvents::LcioEvents(const SioContainer& container) : SioContents(container, eventsCategory) {
  EventScan scan = scanEvents(container);
  addHeader(scan.keys);
  for (const ScannedLcioCollection& collection : scan.collections)
    addCollection(collection);
  findTargets();
  setEntries(std::move(scan.entries));
}

void LcioEvents::addHeader(const ParameterKeys& keys) {
  m_runNumber = addValue(m_schema, "runNumber", Scalar::Int32, TableUse::key);
  m_eventNumber = addValue(m_schema, "eventNumber", Scalar::Int32, TableUse::key);
  m_timeStamp = addValue(m_schema, "timeStamp", Scalar::Int64);
  m_weight = addValue(m_schema, "weight", Scalar::Float64);
  m_detectorName = addText(m_schema, "detectorName");
  m_parameters.addTo(m_schema, keys, "", m_unreadable);
  (void)addUnit();
  m_units.push_back({});
}

void LcioEvents::addCollection(const ScannedLcioCollection& scanned) {
  const auto refuse = [&](std::string reason) {
    m_unreadable.push_back({scanned.name, scanned.type, std::move(reason)});
  };
  Collection collection{
      .name = scanned.name, .layout = findLayout(scanned.type), .isSubset = scanned.isSubset};
  if (scanned.isMixed)
    return refuse("its type is not the same in all events");
  if (!collection.layout)
    return refuse("its type is not one of LCIO's own");
  if (scanned.leastVersion <= collection.layout->since && !scanned.isSubset)
    return refuse(collection.layout->reasonForOld());
  if (!addTables(collection, scanned.type))
    return;
  const std::size_t number = m_collections.size();
  (void)addUnit();
  m_units.push_back({UnitContents::Kind::objects, number});
  std::uint32_t before = m_schema.size();
  collection.flag =
      addParameterTable(m_schema, ParameterType::int32, scanned.name + "__flag", m_unreadable);
  collection.parameters.addTo(m_schema, scanned.keys, scanned.name + "__", m_unreadable);
  if (m_schema.size() > before) {
    (void)addUnit();
    m_units.push_back({UnitContents::Kind::head, number});
  }
  m_collections.push_back(std::move(collection));
}

/// Adds the tables of a collection. If that fails, adds it to the unreadable ones and returns
/// false.
bool LcioEvents::addTables(Collection& collection, const std::string& type) {
  collection.datatype = &modelDatatypes().get(typeName(type));
  collection.table = m_schema.size();
  try {
    for (const TableDefinition& table :
         collection.isSubset ? subsetTables(*collection.datatype, collection.name, collection.table)
                             : kaon::tablesOf(*collection.datatype, collection.name,
                                              collection.table, Layout::split))
      (void)m_schema.add(table);
    const std::string_view inner = collection.isSubset ? "" : innerType(*collection.layout);
    if (!inner.empty()) {
      collection.inner = &modelDatatypes().get(typeName(inner));
      collection.innerTable = m_schema.size();
      for (const TableDefinition& table :
           kaon::tablesOf(*collection.inner, innerName(*collection.layout, collection.name),
                          collection.innerTable, Layout::split))
        (void)m_schema.add(table);
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage)
      throw;
    m_schema = m_schema.first(collection.table);
    m_unreadable.push_back({collection.name, type, error.what()});
    return false;
  }
  if (collection.isSubset)
    return true;
  collection.plan =
      planObjects(m_schema, *collection.layout, collection.table, collection.innerTable);
  if (type == "MCParticle")
    m_particles.push_back(particleTables(m_schema, collection.table));
  return true;
}

void LcioEvents::findTargets() {
  m_targetsOf.assign(m_schema.size(), none);
  const auto addOf = [&](TableNumber table, const Datatype& datatype) {
    const std::string name(m_schema.table(table).name);
    for (const Relation& relation : datatype.relations)
      if (relation.name != "daughters" && relation.name != "contributions" &&
          relation.name != "particleIDs")
        m_targetsOf[m_schema.find(name + "." + std::string(relation.name))] =
            targetsOf(relation.datatypes);
  };
  for (const Collection& collection : m_collections) {
    const detail::DatatypeFunction datatype(collection.datatype);
    if (collection.isSubset) {
      m_targetsOf[collection.table + 1] = targetsOf({&datatype, 1});
      continue;
    }
    addOf(collection.table, *collection.datatype);
    if (collection.inner)
      addOf(collection.innerTable, *collection.inner);
  }
}

/// Returns the number of the targets of relations to these datatypes. Many relations share them.
std::uint32_t LcioEvents::targetsOf(std::span<const detail::DatatypeFunction> datatypes) {
  Targets targets;
  for (const detail::DatatypeFunction& each : datatypes)
    targets.datatypes.push_back(&each());
  const auto known = std::ranges::find(m_targets, targets.datatypes, &Targets::datatypes);
  const auto number = static_cast<std::uint32_t>(known - m_targets.begin());
  if (known != m_targets.end())
    return number;
  const auto isWanted = [&](const Datatype* datatype) {
    return std::ranges::find(targets.datatypes, datatype) != targets.datatypes.end();
  };
  for (const Collection& collection : m_collections) {
    if (collection.isSubset)
      continue;
    const bool hasObjects = isWanted(collection.datatype);
    const bool hasInner = collection.inner && isWanted(collection.inner);
    if (hasObjects)
      targets.tables.push_back(collection.table);
    if (hasInner)
      targets.tables.push_back(collection.innerTable);
    if (hasObjects || hasInner)
      targets.units.push_back(unitOf(collection.table));
  }
  m_targets.push_back(std::move(targets));
  return number;
}

void LcioEvents::decode(std::uint32_t unit, LoadedSioPage& page, UnitColumns& out) const {
  const UnitContents& contents = m_units[unit];
  if (contents.kind == UnitContents::Kind::header)
    return decodeHeaders(page, out);
  const Collection& collection = m_collections[contents.collection];
  if (contents.kind == UnitContents::Kind::head)
    return decodeHeads(collection, page, out);
  decodeObjects(collection, page, out);
}

void LcioEvents::decodeHeaders(LoadedSioPage& page, UnitColumns& out) const {
  EventHeader header;
  for (std::size_t entry = 0; entry < page.entries(); ++entry) {
    const LoadedSioRecord& record = page.header(entry);
    const RecordBlock& block = record.get(eventHeaderBlock);
    BlockReader in = record.reader(block);
    header.read(in);
    putValue(m_schema, m_runNumber, header.runNumber, out);
    putValue(m_schema, m_eventNumber, header.eventNumber, out);
    putValue(m_schema, m_timeStamp, header.timeStamp, out);
    putValue(m_schema, m_weight, weightIn(in.rest(), block.version), out);
    putTexts(m_schema, m_detectorName, {&header.detectorName, 1}, out);
    (void)m_parameters.decode(in, parametersOf(block.version), out);
    in.checkEnd();
    out.endEvent();
  }
}

void LcioEvents::decodeObjects(const Collection& collection, LoadedSioPage& page,
                               UnitColumns& out) const {
  for (std::size_t entry = 0; entry < page.entries(); ++entry) {
    const LoadedSioRecord& record = page.data(entry);
    const RecordBlock* const block = blockOf(record, collection.name);
    if (block) {
      BlockReader in = record.reader(*block);
      const BlockHead head = readHead(in, block->version, *collection.layout);
      if (head.isSubset() != collection.isSubset)
        in.failHere("its subset flag disagrees with the event header");
      if (collection.isSubset)
        decodeSubset(collection, in, out);
      else
        lcio::decodeObjects(in, head, block->version, collection.plan, out);
    }
    for (const TableNumber table : {collection.table, collection.innerTable})
      if (table != Table::none) {
        out.setPresence(table, block != nullptr);
        out.endList(table);
      }
    out.endEvent();
  }
}

void LcioEvents::decodeSubset(const Collection& collection, BlockReader& in,
                              UnitColumns& out) const {
  const std::uint32_t relation = collection.table + 1;
  const std::uint32_t objects = in.count(sizeof(std::uint32_t));
  const ColumnNumber column = m_schema.place(relation, detail::relationIndex).column;
  for (std::uint32_t i = 0; i < objects; ++i)
    out.put(column, in.get<std::uint32_t>());
  out.addRows(collection.table, objects);
  out.addRows(relation, objects);
  in.checkEnd();
}

void LcioEvents::decodeHeads(const Collection& collection, LoadedSioPage& page,
                             UnitColumns& out) const {
  for (std::size_t entry = 0; entry < page.entries(); ++entry) {
    const LoadedSioRecord& record = page.data(entry);
    const RecordBlock* const block = blockOf(record, collection.name);
    std::uint32_t flag = 0;
    if (block) {
      BlockReader in = record.reader(*block);
      flag = collection.layout->currentFlag(in.get<std::uint32_t>(), block->version);
      if (!collection.parameters.decode(in, parametersOf(block->version), out))
        warnOnce(collection.name + " has parameters that are not in the events that kaon reads "
                                   "when it opens a file; these parameters are not read");
    } else {
      collection.parameters.decodeNone(out);
    }
    if (collection.flag != Table::none) {
      out.setPresence(collection.flag, block != nullptr);
      if (block) {
        out.put(m_schema.columnsOf(collection.flag).last - 1, flag);
        out.addRows(collection.flag, 1);
      }
      out.endList(collection.flag);
    }
    out.endEvent();
  }
}

void LcioEvents::complete(ColumnNumber column, LoadedSioPage& page) const {
  const TableNumber table = m_schema.columns()[column].table;
  if (m_targetsOf[table] != none && m_schema.columns()[column].role == ColumnRole::member)
    return followPointers(table, page);
  const TableNumber root = m_schema.rootOf(table);
  const auto own = std::ranges::lower_bound(m_particles, root, {}, &ParticleTables::particles);
  if (own == m_particles.end() || own->particles != root ||
      !isMadeOfDaughters(m_schema, *own, column) ||
      page.columnsOf(table).isComplete(own->daughters))
    return;
  for (const ParticleTables& each : m_particles)
    followPointers(each.parents, page);
  completeParticles(m_schema, m_particles, page);
}

/// Replaces the numbers of a relation's objects by their places.
void LcioEvents::followPointers(std::uint32_t relation, LoadedSioPage& page) const {
  UnitColumns& columns = page.columnsOf(relation);
  if (columns.isComplete(relation))
    return;
  const Targets& targets = m_targets[m_targetsOf[relation]];
  const ColumnNumber column = m_schema.place(relation, detail::relationIndex).column;
  const auto numbers = columns.values<std::uint32_t>(column);
  const auto rows = columns.eventRows(relation);
  const TableNumber nowhere =
      targets.tables.empty() ? m_schema.rootOf(relation) : TableNumber(targets.tables.front());
  const auto putPlace = [&](std::uint32_t row, std::uint32_t index, TableNumber table) {
    numbers[row] = index;
    columns.put(column + 1, table);
  };
  for (std::size_t entry = 0; entry < page.entries(); ++entry)
    if (rows[entry] < rows[entry + 1])
      findNumbers(m_targetsOf[relation], entry, page);
  bool isLost = false;
  for (std::size_t entry = 0; entry < page.entries(); ++entry) {
    PointerTargets& objects = page.objects(entry);
    for (std::uint32_t row = rows[entry]; row < rows[entry + 1]; ++row) {
      const EventObject* const place = numbers[row] == 0 ? nullptr : objects.find(numbers[row]);
      if (place && std::ranges::binary_search(targets.tables, place->table)) {
        putPlace(row, place->index, place->table);
        continue;
      }
      isLost |= numbers[row] != 0;
      putPlace(row, ~std::uint32_t{0}, nowhere);
    }
  }
  columns.setComplete(relation);
  if (isLost) // last, because a program may turn warnings into exceptions
    warnOnce(std::string(m_schema.table(relation).name) +
             " refers to objects outside of the collections that it can refer to; these references "
             "are empty");
}

/// Finds all objects of an event to which some relations can point, once.
void LcioEvents::findNumbers(std::uint32_t targets, std::size_t entry, LoadedSioPage& page) const {
  PointerTargets& objects = page.objects(entry);
  if (objects.hasTargets(targets))
    return;
  for (const std::uint32_t unit : m_targets[targets].units)
    if (!objects.hasUnit(unit))
      findNumbersOf(unit, entry, page);
  objects.setHasTargets(targets);
}

void LcioEvents::findNumbersOf(std::uint32_t unit, std::size_t entry, LoadedSioPage& page) const {
  PointerTargets& objects = page.objects(entry);
  const Collection& collection = m_collections[m_units[unit].collection];
  const LoadedSioRecord& record = page.data(entry);
  if (const RecordBlock* const block = blockOf(record, collection.name)) {
    BlockReader in = record.reader(*block);
    const BlockHead head = readHead(in, block->version, *collection.layout);
    if (head.isSubset())
      in.failHere("its subset flag disagrees with the event header");
    lcio::findNumbers(in, head, block->version, collection.plan, objects);
  }
  objects.setHasUnit(unit);
}

} // namespace kaon::sio::lcio
