#include <kaon/formats/root/podio/FrameBatch.h>

#include <kaon/detail/base/Memory.h>
#include <kaon/detail/batch/StridedCopy.h>
#include <kaon/formats/podio/PodioReference.h>

#include <cstring>
#include <string_view>

namespace kaon::root::podio {
namespace {

ColumnView columnOf(const std::vector<std::uint32_t>& values) {
  return {detail::bytesAt(values.data()), sizeof values[0]};
}

void appendRows(const ColumnView& values, std::size_t first, std::size_t count, std::size_t size,
                Buffer& to) {
  if (count > 0)
    detail::copyStrided(to.grow(count * size), size, values.at(first), values.stride, count, size);
}

} // namespace

FrameBatch::FrameBatch(const RootFramePlan& plan, const Batch& frames)
    : m_plan(plan), m_frames(frames), m_schema(frames.schema()), m_values(frames),
      m_batch(plan.schema, frames.firstEntry(), frames.entries()) {
  for (const StoredRows& rows : plan.rows)
    addRows(rows);
  for (const PodioParameters& parameters : plan.parameters)
    addParameters(parameters);
}

/// Returns the start of each entry's rows in a table of a collection, and the end of the last.
std::span<const std::uint32_t> FrameBatch::entryOffsets(TableNumber number) {
  const Table info = m_schema.table(number);
  const auto offsets = m_frames.table(number).offsets;
  if (info.isRoot())
    return offsets;
  const auto above = m_frames.table(info.parent).offsets;
  if (!info.isCounted())
    return above;
  Numbers& begins = addNumbers();
  for (const std::uint32_t row : above)
    begins.push_back(offsets[row]);
  return begins;
}

void FrameBatch::addRows(const StoredRows& rows) {
  TableView& to = m_batch.table(rows.stored);
  to.offsets = entryOffsets(rows.table);
  to.rows = to.offsets.back();
  const TableKind kind = m_schema.table(rows.table).kind;
  if (kind == TableKind::oneRelation || kind == TableKind::manyRelation)
    addReferences(rows);
  else
    addMembers(rows);
}

void FrameBatch::addMembers(const StoredRows& rows) {
  TableView& to = m_batch.table(rows.stored);
  const TableView& from = m_frames.table(rows.table);
  for (std::size_t member = 0; member < rows.members.size(); ++member)
    to.members.push_back(rows.members[member].size() == 1 ? from.members[rows.members[member][0]]
                                                          : gathered(rows, member));
  for (const std::uint32_t list : rows.lists)
    addSlices(list, to);
}

/// Copies the values of several members of each row one after another.
ColumnView FrameBatch::gathered(const StoredRows& rows, std::size_t member) {
  const TableView& to = m_batch.table(rows.stored);
  const TableView& from = m_frames.table(rows.table);
  const std::size_t stride = m_plan.schema.table(rows.stored).members[member].size();
  const std::size_t size = stride / rows.members[member].size(); // all have the same type
  std::byte* const values = m_buffers.emplace_back().grow(to.rows * stride);
  for (std::size_t row = to.offsets.front(); row < to.rows; ++row)
    for (std::size_t part = 0; part < rows.members[member].size(); ++part)
      std::memcpy(values + row * stride + part * size,
                  from.members[rows.members[member][part]].at(row), size);
  return {values, stride};
}

/// Adds the start and end of each object's rows, counted from the rows of its entry.
void FrameBatch::addSlices(std::uint32_t list, TableView& to) {
  const auto offsets = m_frames.table(list).offsets;
  Numbers &begins = addNumbers(), &ends = addNumbers();
  begins.resize(to.rows);
  ends.resize(to.rows);
  for (std::size_t entry = 0; entry + 1 < to.offsets.size(); ++entry) {
    const std::uint32_t first = offsets[to.offsets[entry]];
    for (std::size_t row = to.offsets[entry]; row < to.offsets[entry + 1]; ++row) {
      begins[row] = offsets[row] - first;
      ends[row] = offsets[row + 1] - first;
    }
  }
  to.members.push_back(columnOf(begins));
  to.members.push_back(columnOf(ends));
}

void FrameBatch::addReferences(const StoredRows& rows) {
  TableView& to = m_batch.table(rows.stored);
  const TableView& from = m_frames.table(rows.table);
  Numbers &indexes = addNumbers(), &collections = addNumbers();
  indexes.resize(to.rows);
  collections.resize(to.rows);
  for (std::size_t row = to.offsets.front(); row < to.rows; ++row) {
    const PodioReference reference = podioReference(m_schema, m_plan.ids, from, row);
    indexes[row] = static_cast<std::uint32_t>(reference.index);
    collections[row] = reference.collection;
  }
  to.members = {columnOf(indexes), columnOf(collections)};
}

/// Calls `use(parameter, entry)` for each parameter of each entry, in order of entries.
template <class Use>
void FrameBatch::forEach(const PodioParameters& parameters, Use use) const {
  for (std::size_t entry = 0; entry < m_frames.entries(); ++entry)
    for (const FrameParameter& parameter : parameters.all)
      if (m_values.has(parameter, entry))
        use(parameter, entry);
}

void FrameBatch::addParameters(const PodioParameters& parameters) {
  Numbers& offsets = addNumbers();
  offsets.assign(m_frames.entries() + 1, 0);
  forEach(parameters, [&](const auto& /*parameter*/, std::size_t entry) { ++offsets[entry + 1]; });
  for (std::size_t entry = 0; entry < m_frames.entries(); ++entry)
    offsets[entry + 1] += offsets[entry];
  for (const TableNumber table : {parameters.keys, parameters.values}) {
    m_batch.table(table).offsets = offsets;
    m_batch.table(table).rows = offsets.back();
  }
  addKeys(parameters);
  addLists(parameters);
}

void FrameBatch::addKeys(const PodioParameters& parameters) {
  Buffer& characters = m_buffers.emplace_back();
  Numbers& offsets = addNumbers();
  offsets.push_back(0);
  forEach(parameters, [&](const FrameParameter& parameter, std::size_t /*entry*/) {
    const std::string_view key = m_schema.table(parameter.root).name;
    characters.append(std::as_bytes(std::span(key)));
    offsets.push_back(static_cast<std::uint32_t>(characters.size()));
  });
  TableView& to = m_batch.table(parameters.keys + 1);
  to.rows = characters.size();
  to.offsets = offsets;
  to.members = {{characters.data(), 1}};
}

void FrameBatch::addLists(const PodioParameters& parameters) {
  const std::uint32_t stored = parameters.values + 1;
  const Members members = m_plan.schema.table(stored).members;
  const std::size_t size = members.empty() ? 0 : members[0].size();
  Buffer& values = m_buffers.emplace_back();
  Numbers& offsets = addNumbers();
  offsets.push_back(0);
  forEach(parameters, [&](const FrameParameter& parameter, std::size_t entry) {
    const detail::RowRange rows = m_values.rows(parameter, entry);
    if (size > 0)
      appendRows(m_frames.table(parameter.values).members[0], rows.first, rows.size(), size,
                 values);
    offsets.push_back(offsets.back() + static_cast<std::uint32_t>(rows.size()));
  });
  TableView& to = m_batch.table(stored);
  to.rows = offsets.back();
  to.offsets = offsets;
  if (size > 0)
    to.members = {{values.data(), size}};
  else
    addTexts(parameters);
}

void FrameBatch::addTexts(const PodioParameters& parameters) {
  Buffer& characters = m_buffers.emplace_back();
  Numbers& offsets = addNumbers();
  offsets.push_back(0);
  forEach(parameters, [&](const FrameParameter& parameter, std::size_t entry) {
    const detail::RowRange strings = m_values.rows(parameter, entry);
    for (std::size_t string = strings.first; string < strings.last; ++string) {
      const std::string_view text = m_values.text(parameter, string);
      characters.append(std::as_bytes(std::span(text)));
      offsets.push_back(static_cast<std::uint32_t>(characters.size()));
    }
  });
  TableView& to = m_batch.table(parameters.values + 2);
  to.rows = characters.size();
  to.offsets = offsets;
  to.members = {{characters.data(), 1}};
}

} // namespace kaon::root::podio
