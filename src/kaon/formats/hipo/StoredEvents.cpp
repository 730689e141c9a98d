#include <kaon/formats/hipo/StoredEvents.h>

#include <kaon/base/Error.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/formats/hipo/HipoCursor.h>

#include <algorithm>
#include <numeric>

namespace kaon::hipo {
namespace {

class StoredEventCursor final : public detail::Cursor {
public:
  explicit StoredEventCursor(const HipoContents& contents)
      : m_contents(contents), m_events(contents), m_columns(contents.schema().columns().size()) {
    std::iota(m_columns.begin(), m_columns.end(), 0);
  }

  void fetch(std::span<const std::uint32_t> /*columns*/, const EntrySelection& entries) override {
    // All columns, so that the cursor checks structures without reading their values.
    m_events.fetch(m_columns, entries);
  }
  [[nodiscard]] detail::PageRange pages(TableNumber group, std::uint64_t entry) override {
    return m_events.pages(group, entry);
  }
  void read(ColumnNumber column, const detail::PageRange& range, std::size_t values,
            detail::Page& page) override;

private:
  const HipoContents& m_contents;
  HipoCursor m_events;
  std::vector<std::uint32_t> m_columns; // all
};

void StoredEventCursor::read(ColumnNumber column, const detail::PageRange& range,
                             std::size_t values, detail::Page& page) {
  const std::shared_ptr<const Payload>& payload = m_events.load(range).payload();
  const HipoRecordLocator& record =
      m_contents.container().records()[static_cast<std::size_t>(range.cluster)];
  if (!payload->isAsStored)
    fail(ErrorKind::version, m_contents.container().where(record),
         ": has another form than the records that kaon read when it opened the file, so its "
         "events cannot be copied as they are stored; set copiesClusters = false");
  const std::uint32_t* const begins =
      payload->begins.data() + static_cast<std::size_t>(range.firstEntry - record.firstEntry);
  const auto events = static_cast<std::size_t>(range.lastEntry - range.firstEntry);
  page.values = values;
  page.shared.reset();
  switch (StoredEvents::tables().columns()[column].role) {
  case ColumnRole::presence: {
    const auto out = page.storage.assign(events);
    std::ranges::fill(out, std::byte{1});
    page.data = out.data();
    return;
  }
  case ColumnRole::counts: {
    const auto out = page.storage.assign((events + 1) * sizeof(std::uint32_t));
    auto* const sums = detail::valuesAt<std::uint32_t>(out.data());
    for (std::size_t event = 0; event <= events; ++event)
      sums[event] = begins[event] - begins[0];
    page.values = events + 1;
    page.data = out.data();
    return;
  }
  default:
    if (values != begins[events] - begins[0])
      fail(ErrorKind::corrupt, m_contents.container().where(record),
           ": has other events than before; the file was changed while it was read");
    page.shared = payload;
    page.data = payload->bytes.data() + begins[0];
  }
}

} // namespace

const Schema& StoredEvents::tables() {
  static const Schema schema = [] {
    Schema one;
    (void)one.add({.name = "(events as they are stored)",
                   .rowSize = 1,
                   .members = {{.name = "byte", .type = Scalar::UInt8}}});
    return one;
  }();
  return schema;
}

std::unique_ptr<detail::Cursor> StoredEvents::cursor() const {
  return std::make_unique<StoredEventCursor>(m_contents);
}

} // namespace kaon::hipo
