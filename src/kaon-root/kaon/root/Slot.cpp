#include <kaon/root/Slot.h>

#include <kaon/base/Error.h>
#include <kaon/base/SortUnique.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/detail/batch/StridedCopy.h>

#include <algorithm>
#include <limits>

namespace kaon::root {
namespace {

constexpr std::byte nothing[8]{}; // the address of a page without values

/// RVec has a signed 32-bit size.
void checkSize(const Source& source, const std::string& column, std::size_t values) {
  if (values > std::numeric_limits<std::int32_t>::max())
    fail(ErrorKind::memory, source.name(), ": a page of '", column, "' has ", values,
         " values, more than an RVec can hold; write the file again with smaller pages");
}

} // namespace

PagedColumn::PagedColumn(std::shared_ptr<Slot> slot, const FrameColumn& column)
    : m_slot(std::move(slot)), m_name(column.name), m_type(column.typeName()) {
  m_slot->add(*this);
}

PagedColumn::~PagedColumn() { m_slot->remove(*this); }

void PagedColumn::bind(const FilePart& part) {
  forget();
  m_column = part.columns->find(m_name);
  m_levels.clear();
  if (!m_column)
    return; // reported when a value is read
  if (const std::string type = m_column->typeName(); type != m_type)
    fail(ErrorKind::type, part.source->name(), ": '", m_name, "' is ", type, ", but ", m_type,
         " in the first file that has it");
  for (const Level& level : m_column->levels)
    m_levels.push_back({level.table, level.extent});
}

void PagedColumn::listColumns(std::vector<std::uint32_t>& columns) const {
  if (!m_column)
    return;
  const Schema& schema = m_slot->window().source().schema();
  const auto addCounts = [&](TableNumber table) {
    columns.push_back(schema.countsColumn(table));
    if (schema.table(table).canBeAbsent())
      columns.push_back(schema.presenceColumn(table));
  };
  for (const PageLevel& level : m_levels)
    if (level.table != Table::none)
      addCounts(level.table);
  if (m_column->element == ElementKind::size)
    addCounts(m_column->table);
  else
    columns.push_back(schema.place(m_column->table, m_column->member).column);
  for (const auto [table, member] : m_column->presences)
    columns.push_back(schema.place(table, member).column);
}

bool PagedColumn::load(std::uint64_t entry) {
  detail::Window& window = m_slot->window();
  if (!m_column) {
    if (m_slot->mayBeMissing(m_name))
      return false;
    fail(ErrorKind::name, window.source().name(), ": has no column '", m_name,
         "', which another file has");
  }
  forget(); // stays empty if reading fails
  const detail::PageRange range = window.pages(m_column->table, entry);
  for (PageLevel& level : m_levels)
    if (level.table != Table::none) {
      const auto offsets = window.offsets(level.table, entry);
      checkSize(window.source(), m_name, offsets.back());
      level.offsets = offsets.data();
    }
  m_values = m_column->element == ElementKind::size ? sizes(entry) : memberValues(entry);
  if (m_column->isOptional())
    findPresentRows(entry);
  m_first = range.firstEntry;
  m_entries = range.lastEntry - range.firstEntry;
  return true;
}

/// Returns a member's values without gaps, in the window's memory or as a copy.
const std::byte* PagedColumn::memberValues(std::uint64_t entry) {
  detail::Window& window = m_slot->window();
  const Schema& schema = window.source().schema();
  const Member member = schema.table(m_column->table).members[m_column->member];
  const detail::MemberPosition place = schema.place(m_column->table, m_column->member);
  const detail::Page& page = window.page(place.column, entry);
  checkSize(window.source(), m_name, page.values * member.extent);
  if (page.values == 0)
    return nothing;
  const std::size_t size = member.size();
  const std::size_t stride = page.isRepeated ? 0 : schema.stride(place);
  const std::byte* const values = page.data + place.offset;
  if (stride == size)
    return values;
  std::byte* const gathered = m_gathered.assign(page.values * size).data();
  detail::copyStrided(gathered, size, values, stride, page.values, size);
  return gathered;
}

/// Finds the rows of the page that have a value: in all optionals around the member.
void PagedColumn::findPresentRows(std::uint64_t entry) {
  detail::Window& window = m_slot->window();
  const Schema& schema = window.source().schema();
  const TableMember first = m_column->presences.front();
  const detail::MemberPosition place = schema.place(first.table, first.member);
  m_isPresent.assign(window.page(place.column, entry).values, true);
  for (const auto [table, member] : m_column->presences) {
    const ColumnView bools = window.member(table, member, entry);
    for (std::size_t row = 0; row < m_isPresent.size(); ++row)
      if (bools.base[row * bools.stride] == std::byte{0})
        m_isPresent[row] = false;
  }
}

/// Returns the number of rows below each row above, or entry, in the page.
const std::byte* PagedColumn::sizes(std::uint64_t entry) {
  const auto offsets = m_slot->window().offsets(m_column->table, entry);
  std::byte* const gathered = m_gathered.assign((offsets.size() - 1) * sizeof(std::size_t)).data();
  auto* const out = detail::valuesAt<std::size_t>(gathered);
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
    out[i] = offsets[i + 1] - offsets[i];
  return gathered;
}

void Slot::enter(const FilePart& part, EntryRange task) {
  leave(); // stays empty if a column has another type
  if (m_part != &part) {
    m_part = nullptr;
    m_window.emplace(*part.source);
    for (PagedColumn* const column : m_columns)
      column->bind(part);
    m_part = &part;
  }
  std::vector<std::uint32_t> columns;
  for (PagedColumn* const column : m_columns) {
    column->forget();
    column->listColumns(columns);
  }
  sortUnique(columns);
  m_window->fetch(columns, {inFile(task.first), inFile(task.last)});
  m_task = task;
}

void Slot::close() {
  leave();
  m_part = nullptr;
  m_window.reset();
}

void Slot::add(PagedColumn& column) {
  if (m_part)
    column.bind(*m_part);
  m_columns.push_back(&column);
}

void Slot::remove(PagedColumn& column) noexcept { std::erase(m_columns, &column); }

} // namespace kaon::root
