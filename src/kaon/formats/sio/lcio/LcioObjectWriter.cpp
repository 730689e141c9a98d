#include <kaon/formats/sio/lcio/LcioObjectWriter.h>

#include <kaon/base/Bytes.h>
#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <set>

namespace kaon::sio::lcio {
namespace {

constexpr std::uint32_t isMarked = 1;

/// Returns the flag with which all fields are stored.
std::uint32_t fullFlag(std::span<const LcioField> fields) {
  std::uint32_t flag = 0;
  for (const LcioField& field : fields) {
    if (field.when.kind == Condition::Kind::ifSet)
      flag |= 1U << field.when.bit;
    flag |= fullFlag(field.fields);
  }
  return flag;
}

template <class T, class Stored>
void encodeAs(const std::byte* from, std::size_t values, std::byte* to) {
  for (std::size_t i = 0; i < values; ++i)
    storeBigEndian(static_cast<Stored>(detail::loadAs<T>(from + i * sizeof(T))),
                   to + i * sizeof(Stored));
}

void encodeNumbers(const std::byte* from, Scalar type, std::size_t values, Scalar stored,
                   std::byte* to) {
  switch (stored) {
  case Scalar::Int16:
    return encodeAs<std::uint16_t, std::uint16_t>(from, values, to);
  case Scalar::Float64:
    return encodeAs<std::uint64_t, std::uint64_t>(from, values, to);
  case Scalar::Float32:
    if (type == Scalar::Float64)
      return encodeAs<double, float>(from, values, to);
    [[fallthrough]];
  default:
    return encodeAs<std::uint32_t, std::uint32_t>(from, values, to);
  }
}

} // namespace

LcioObjectWriter::LcioObjectWriter(const LcioEventPlan& plan, const Batch& batch,
                                   const std::string& file)
    : m_plan(plan), m_batch(batch), m_file(file), m_numbers(batch.schema().size()),
      m_isNumbered(batch.schema().size()) {
  for (const CollectionPlan& collection : plan.collections)
    if (collection.type == "MCParticle")
      m_particles.emplace(collection.table, particleTables(batch.schema(), collection.table));
}

LcioObjectWriter::Rows LcioObjectWriter::rowsOf(TableNumber root) const {
  const auto offsets = m_batch.table(root).offsets;
  return {offsets[m_entry], offsets[m_entry + 1]};
}

/// Returns the rows of a table below a row of the table above.
LcioObjectWriter::Rows LcioObjectWriter::rowsUnder(TableNumber table, std::size_t row) const {
  if (!m_batch.schema().table(table).isCounted())
    return {row, row + 1};
  const auto offsets = m_batch.table(table).offsets;
  return {offsets[row], offsets[row + 1]};
}

const std::byte* LcioObjectWriter::value(const Step& step, ColumnNumber column,
                                         std::size_t row) const {
  return m_batch.table(step.table).members[step.member + column].at(row);
}

LcioObjectWriter::Target LcioObjectWriter::target(std::uint32_t relation, std::size_t row) const {
  const TableView& view = m_batch.table(relation);
  const auto index = detail::loadAs<std::int32_t>(view.members[detail::relationIndex].at(row));
  if (index < 0)
    return {};
  const auto table =
      detail::loadAs<std::uint32_t>(view.members[detail::relationCollection].at(row));
  const Schema& schema = m_batch.schema();
  if (table >= schema.size() || schema.table(table).kind != TableKind::collection ||
      static_cast<std::size_t>(index) >= rowsOf(table).second - rowsOf(table).first)
    failEntry("'", schema.table(relation).name, "' leads to no object");
  return {table, rowsOf(table).first + static_cast<std::size_t>(index)};
}

std::uint32_t& LcioObjectWriter::numberOf(const Target& target) {
  return m_numbers[target.table][target.row - rowsOf(target.table).first];
}

bool LcioObjectWriter::has(const CollectionPlan& collection) const {
  const auto present = m_batch.table(collection.table).present;
  return present.empty() || present[m_entry] != std::byte{0};
}

std::uint32_t LcioObjectWriter::flag(const CollectionPlan& collection) const {
  std::uint32_t flag = 0;
  const auto layout = collection.objects.layout;
  const FrameParameterValues values(m_batch);
  const detail::RowRange rows =
      collection.flag ? values.rows(*collection.flag, m_entry) : detail::RowRange{};
  if (rows.size() > 0)
    flag = detail::loadAs<std::uint32_t>(values.number(*collection.flag, rows.first));
  else if (layout)
    flag = fullFlag(layout->fields);
  if (collection.isSubset)
    return flag | subsetFlag;
  flag &= ~subsetFlag;
  return layout->isGeneric() && !isFixed(collection) ? flag & ~fixedSizeFlag : flag;
}

/// Whether all generic objects have lists of the same lengths.
bool LcioObjectWriter::isFixed(const CollectionPlan& collection) const {
  const Rows rows = rowsOf(collection.table);
  for (const Step& step : collection.objects.steps) {
    if (step.field->kind != LcioFieldKind::list)
      continue;
    for (std::size_t row = rows.first; row < rows.second; ++row) {
      const Rows first = rowsUnder(step.table, rows.first), here = rowsUnder(step.table, row);
      if (here.second - here.first != first.second - first.first)
        return false;
    }
  }
  return true;
}

/// Whether pointers can refer to objects of a collection.
bool LcioObjectWriter::hasNumbers(const CollectionPlan& collection) const {
  if (collection.isSubset || !has(collection))
    return false;
  const std::uint32_t flag = this->flag(collection);
  return std::ranges::any_of(collection.objects.layout->fields, [&](const LcioField& field) {
    return field.kind == LcioFieldKind::tag &&
           (field.when.kind == Condition::Kind::always || (flag >> field.when.bit & 1) == 0);
  });
}

void LcioObjectWriter::begin(std::size_t entry) {
  m_entry = entry;
  const auto clear = [&](TableNumber table, bool isNumbered) {
    const Rows rows = rowsOf(table);
    m_isNumbered[table] = isNumbered;
    m_numbers[table].assign(rows.second - rows.first, 0);
  };
  for (const CollectionPlan& collection : m_plan.collections)
    clear(collection.table, hasNumbers(collection));
  for (const auto& [table, steps] : m_plan.inner)
    clear(table, true);
  for (const CollectionPlan& collection : m_plan.collections) {
    const Rows rows = rowsOf(collection.table);
    for (std::size_t row = rows.first; row < rows.second; ++row)
      if (collection.isSubset)
        markTarget(collection.table + 1, row);
      else
        mark(collection.objects.steps, row);
  }
  std::uint32_t next = 1;
  const auto number = [&](TableNumber table) {
    for (std::uint32_t& each : m_numbers[table])
      each = each == isMarked ? next++ : 0;
  };
  for (const CollectionPlan& collection : m_plan.collections)
    number(collection.table);
  for (const auto& [table, steps] : m_plan.inner)
    number(table);
}

/// Returns the steps of an inner object. Types of inner objects differ in their first fields.
std::span<const Step> LcioObjectWriter::stepsOfInner(const Step& step, const Target& inner) const {
  const auto plan = m_plan.inner.find(inner.table);
  if (plan == m_plan.inner.end() ||
      plan->second.front().field->name != step.field->fields.front().name)
    failEntry("'", m_batch.schema().table(step.table).name,
              "' leads to an object of another type, '", m_batch.schema().table(inner.table).type,
              "'");
  return plan->second;
}

LcioObjectWriter::Coordinates LcioObjectWriter::coordinatesAt(std::uint32_t particles,
                                                              MemberNumber member,
                                                              std::size_t row) const {
  Coordinates values;
  for (std::uint32_t i = 0; i < coordinates; ++i)
    values[i] = detail::loadAs<double>(m_batch.table(particles).members[member + i].at(row));
  return values;
}

std::uint32_t LcioObjectWriter::statusOf(const ParticleTables& tables, std::size_t row) const {
  return detail::loadAs<std::uint32_t>(
      m_batch.table(tables.particles).members[tables.status].at(row));
}

/// Returns the endpoint that LCIO computes for a particle without a stored one: the vertex of the
/// first daughter that begins there.
LcioObjectWriter::Coordinates LcioObjectWriter::computedEndpoint(const ParticleTables& tables,
                                                                 std::size_t row) const {
  for (auto [each, last] = rowsUnder(tables.daughters, row); each < last; ++each) {
    const Target to = target(tables.daughters, each);
    const auto daughter = m_particles.find(to.table);
    if (daughter != m_particles.end() &&
        (statusOf(daughter->second, to.row) & ownVertexStatus) == 0)
      return coordinatesAt(to.table, daughter->second.vertex, to.row);
  }
  return {};
}

/// Returns the status with which a particle is written. LCIO stores an endpoint and the momentum
/// there only if its bit is set. The bit is added for values that LCIO does not compute.
std::uint32_t LcioObjectWriter::storedStatus(const ParticleTables& tables, std::size_t row) const {
  const std::uint32_t status = statusOf(tables, row);
  const bool isComputed =
      coordinatesAt(tables.particles, tables.momentumAtEndpoint, row) == Coordinates{} &&
      coordinatesAt(tables.particles, tables.endpoint, row) == computedEndpoint(tables, row);
  return isComputed ? status : status | endpointStatus;
}

/// Marks the objects to which an object points.
void LcioObjectWriter::mark(std::span<const Step> steps, std::size_t row) {
  for (const Step& step : steps)
    switch (step.field->kind) {
    case LcioFieldKind::pointer:
    case LcioFieldKind::pointers:
      for (auto [each, last] = rowsUnder(step.table, row); each < last; ++each)
        markTarget(step.table, each);
      break;
    case LcioFieldKind::rows:
      mark(step.inner, row);
      break;
    case LcioFieldKind::objects:
      for (auto [each, last] = rowsUnder(step.table, row); each < last; ++each)
        if (const Target inner = target(step.table, each); inner.table != Table::none)
          mark(stepsOfInner(step, inner), inner.row);
      break;
    default:
      break;
    }
}

void LcioObjectWriter::markTarget(std::uint32_t relation, std::size_t row) {
  const Target to = target(relation, row);
  if (to.table != Table::none && m_isNumbered[to.table])
    numberOf(to) = isMarked;
}

std::string_view LcioObjectWriter::textAt(TableNumber table, std::size_t row) const {
  const auto [first, last] = rowsUnder(table, row);
  if (first == last)
    return {};
  return {detail::valuesAt<char>(m_batch.table(table).members[0].at(first)), last - first};
}

std::vector<std::string> LcioObjectWriter::algorithms(const CollectionPlan& collection) const {
  std::set<std::string, std::less<>> names;
  for (const Step& step : collection.objects.steps)
    if (step.field->kind == LcioFieldKind::algorithm)
      for (auto [row, last] = rowsOf(collection.table); row < last; ++row)
        if (names.emplace(textAt(step.table, row)).first->size() > mostAlgorithmBytes)
          failEntry("'", m_batch.schema().table(step.table).name, "' has a text of more than the ",
                    mostAlgorithmBytes, " bytes that kaon reads of it in LCIO's files");
  return {names.begin(), names.end()};
}

void LcioObjectWriter::put(const CollectionPlan& collection,
                           std::span<const std::string> algorithms, BlockWriter& out) {
  m_out = &out;
  m_collection = &collection;
  m_algorithms = algorithms;
  m_flag = flag(collection);
  const auto [first, last] = rowsOf(collection.table);
  m_isFixed = !collection.isSubset && collection.objects.layout->isGeneric() &&
              (m_flag & fixedSizeFlag) != 0;
  if (m_isFixed)
    putCounts(collection, first);
  out.putCount(last - first);
  for (std::size_t row = first; row < last; ++row)
    if (collection.isSubset)
      putPointer(collection.table + 1, row);
    else
      putSteps(collection.objects.steps, row, collection.table, true);
}

/// Writes the lengths of the lists of a generic object, or 0 if there is no object.
void LcioObjectWriter::putCounts(const CollectionPlan& collection, std::size_t row) {
  for (const Step& step : collection.objects.steps)
    if (step.field->kind == LcioFieldKind::list) {
      const bool isThere = row < rowsOf(collection.table).second;
      const Rows rows = isThere ? rowsUnder(step.table, row) : Rows{};
      m_out->putCount(rows.second - rows.first);
    }
}

void LcioObjectWriter::putSteps(std::span<const Step> steps, std::size_t row, TableNumber table,
                                bool hasTags) {
  for (const Step& step : steps) {
    if (step.isStatus)
      m_status = storedStatus(m_particles.at(table), row);
    if (step.field->when.holds(m_flag, m_status) &&
        (hasTags || step.field->kind != LcioFieldKind::tag))
      putStep(step, row, table);
  }
}

void LcioObjectWriter::putStep(const Step& step, std::size_t row, TableNumber table) {
  switch (step.field->kind) {
  case LcioFieldKind::tag: {
    const std::uint32_t number = numberOf({table, row});
    return m_out->put(number == 0 ? noObject : number);
  }
  case LcioFieldKind::values:
    return putValues(step, row);
  case LcioFieldKind::list:
    return putList(step, row);
  case LcioFieldKind::texts: {
    const auto [first, last] = rowsUnder(step.table, row);
    m_out->putCount(last - first);
    for (std::size_t each = first; each < last; ++each)
      m_out->put(textAt(step.table + 1, each));
    return;
  }
  case LcioFieldKind::algorithm: {
    const auto place = std::ranges::find(m_algorithms, textAt(step.table, row));
    return m_out->put(static_cast<std::uint32_t>(place - m_algorithms.begin()));
  }
  case LcioFieldKind::pointer:
    return putPointer(step.table, row);
  case LcioFieldKind::pointers: {
    const auto [first, last] = rowsUnder(step.table, row);
    m_out->putCount(last - first);
    for (std::size_t each = first; each < last; ++each)
      putPointer(step.table, each);
    return;
  }
  case LcioFieldKind::rows:
    return putRows(step, row);
  case LcioFieldKind::objects:
    return putInner(step, row);
  case LcioFieldKind::counts:
    if (!m_isFixed)
      putCounts(*m_collection, row);
  }
}

void LcioObjectWriter::putValues(const Step& step, std::size_t row) {
  if (step.isStatus)
    return m_out->put(m_status);
  const LcioField& field = *step.field;
  if (field.type == Scalar::Bool) { // one byte, and padding
    *m_out->room(1) = *value(step, 0, row) == std::byte{0} ? std::byte{0} : std::byte{1};
    return;
  }
  std::byte* to = m_out->room(std::size_t{field.count} * sizeOf(field.type));
  for (ColumnNumber column = 0; column < step.columns; ++column) {
    encodeNumbers(value(step, column, row), step.type, step.extent, field.type, to);
    to += std::size_t{step.extent} * sizeOf(field.type);
  }
}

void LcioObjectWriter::putList(const Step& step, std::size_t row) {
  const auto [first, last] = rowsUnder(step.table, row);
  if (!m_collection->objects.layout->isGeneric())
    m_out->putCount(last - first);
  const std::uint32_t bytes = sizeOf(step.field->type);
  std::byte* to = m_out->room((last - first) * bytes);
  for (std::size_t each = first; each < last; ++each, to += bytes)
    encodeNumbers(value(step, 0, each), step.type, 1, step.field->type, to);
}

/// Writes rows of one table or of several. The first of several tables has the most rows.
void LcioObjectWriter::putRows(const Step& step, std::size_t row) {
  const auto [first, last] = rowsUnder(step.counted.front(), row);
  for (const TableNumber table : step.counted)
    if (const Rows rows = rowsUnder(table, row); rows.second - rows.first > last - first)
      failEntry("'", m_batch.schema().table(table).name, "' has more values than there are in '",
                m_batch.schema().table(step.counted.front()).name, "'");
  m_out->putCount(last - first);
  for (std::size_t each = 0; each < last - first; ++each)
    for (const Step& inner : step.inner) {
      const TableNumber table = inner.table;
      const Rows rows = rowsUnder(table, row);
      const std::size_t here = rows.first + each;
      if (inner.field->kind == LcioFieldKind::pointer)
        putPointer(table, here);
      else if (here < rows.second)
        putValues(inner, here);
      else
        m_out->put(0.F); // a hit without a weight
    }
}

/// Writes the inner objects of an object.
void LcioObjectWriter::putInner(const Step& step, std::size_t row) {
  const bool hasTags = std::ranges::any_of(
      step.field->fields, [](const LcioField& field) { return field.kind == LcioFieldKind::tag; });
  const std::size_t count = m_out->laterCount();
  std::uint32_t objects = 0;
  for (auto [each, last] = rowsUnder(step.table, row); each < last; ++each) {
    const Target inner = target(step.table, each);
    if (inner.table == Table::none)
      continue;
    ++objects;
    putSteps(stepsOfInner(step, inner), inner.row, inner.table, hasTags);
  }
  m_out->setCount(count, objects);
}

void LcioObjectWriter::putPointer(std::uint32_t relation, std::size_t row) {
  const Target to = target(relation, row);
  m_out->put(to.table == Table::none || !m_isNumbered[to.table] ? std::uint32_t{0} : numberOf(to));
}

} // namespace kaon::sio::lcio
