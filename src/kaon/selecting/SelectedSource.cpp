#include <kaon/selecting/SelectedSource.h>

#include <kaon/selecting/PickedPages.h>

#include <span>

namespace kaon {
namespace {

class SelectedCursor final : public detail::Cursor {
public:
  SelectedCursor(const Source& source, std::span<const std::uint64_t> picked)
      : m_pages(source, picked) {}

  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) override {
    m_pages.fetch(columns, entries);
  }
  [[nodiscard]] detail::PageRange pages(TableNumber group, std::uint64_t entry) override {
    return m_pages.pages(group, entry);
  }
  void read(ColumnNumber column, const detail::PageRange& range, std::size_t values,
            detail::Page& page) override {
    m_pages.read(column, range, values, page);
  }

private:
  PickedPages m_pages;
};

} // namespace

SelectedSource::SelectedSource(const Source& source, const EntrySelection& entries)
    : m_source(source) {
  const EntrySelection selected = entries.within({0, source.entries()});
  m_picked.reserve(static_cast<std::size_t>(selected.size()));
  for (const EntryRange& cluster : source.clusters()) {
    const std::uint64_t first = m_picked.size();
    const EntrySelection inCluster = selected.within(cluster);
    for (const EntryRange& run : inCluster.runs())
      for (std::uint64_t entry = run.first; entry < run.last; ++entry)
        m_picked.push_back(entry);
    if (m_picked.size() > first)
      m_clusters.push_back({first, m_picked.size()});
  }
}

std::unique_ptr<detail::Cursor> SelectedSource::cursor() const {
  return std::make_unique<SelectedCursor>(m_source, m_picked);
}

} // namespace kaon
