#include <kaon/detail/loop/Event.h>

#include <kaon/base/Error.h>
#include <kaon/event/FrameContents.h>

#include <algorithm>

namespace kaon::loop {

Event::Event(const Schedule& schedule)
    : m_schedule(&schedule), m_collections(schedule.inputs().size()),
      m_products(schedule.outputs().size()) {}

void Event::enter(const BoundCategory& category, EntryRange entries) {
  if (m_category != &category) {
    m_frame.reset();
    m_frameEntry = nowhere;
    std::ranges::fill(m_collections, nullptr);
  }
  m_category = &category;
  m_entries = entries;
  m_first = entries.first;
  m_rows = 0;
  m_row = 0;
  if (category.columns.empty())
    m_columns.reset();
  else
    m_columns.emplace(category.source(), category.columns, entries);
  if (m_frame) // fetch the columns used so far: they will be used again
    m_frame->contents().reader()->withWindow(
        [&](detail::Window& window) { window.fetch(window.usedColumns(), entries); });
}

bool Event::nextBatch() {
  m_row = 0;
  ++m_batch;
  if (!m_columns) {
    m_first = m_entries.first;
    m_rows = static_cast<std::size_t>(m_entries.size());
    m_entries.first = m_entries.last;
    return m_rows > 0;
  }
  if (!m_columns->next())
    return false;
  m_first = m_columns->firstEntry();
  m_rows = m_columns->entries();
  return true;
}

void Event::moveFrame() {
  m_frameEntry = nowhere; // remains so if reading fails
  if (m_frame)
    m_frame->contents().moveTo(entry());
  else
    m_frame.emplace(m_category->category.at(entry()));
  m_frameEntry = entry();
}

const CollectionBase* Event::findCollection(std::size_t input) {
  const BoundCategory::Input& bound = m_category->inputs[input];
  if (bound.origin == InputOrigin::algorithm)
    return m_products[bound.number];
  if (bound.origin == InputOrigin::nothing)
    return nullptr;
  detail::FrameContents& contents = frame().contents();
  const InputInfo& info = *m_schedule->inputs()[input].info;
  const CollectionBase* const collection = contents.find(info.name, *info.collection);
  if (collection)
    m_collections[input] = collection;
  return collection;
}

const detail::ColumnValues* Event::column(std::size_t input) {
  const BoundCategory::Input& bound = m_category->inputs[input];
  return bound.origin == InputOrigin::column ? &m_columns->values(bound.number) : nullptr;
}

void Event::put(std::size_t output, std::unique_ptr<CollectionBase> collection) {
  const std::string& name = m_schedule->outputs()[output].info->name;
  m_products[output] = &frame().put(std::move(collection), name);
}

void Event::failMissing(std::size_t input) const {
  fail(ErrorKind::name, "there is no '", m_schedule->inputs()[input].info->name,
       "' in this event; take inputs that events may lack by a pointer or std::optional");
}

void Event::failNotOne(std::size_t input, std::size_t values) const {
  fail(ErrorKind::type, "this event has ", values, " values of '",
       m_schedule->inputs()[input].info->name, "', but the algorithm takes one number");
}

} // namespace kaon::loop
