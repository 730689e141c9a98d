#pragma once

#include <kaon/batch/Source.h>
#include <kaon/detail/base/SparseVector.h>
#include <kaon/formats/root/podio/FrameTables.h>
#include <kaon/formats/root/podio/PodioPages.h>
#include <kaon/formats/root/podio/SideRows.h>
#include <kaon/formats/root/podio/StoredParameterRows.h>

#include <cstdint>
#include <span>
#include <vector>

namespace kaon::root::podio {

/// Reads the frames of one category for one reader. Members use the stored pages. Counts,
/// references and parameters are computed page by page.
class FrameCursor final : public detail::Cursor {
public:
  FrameCursor(const Source& stored, const FrameTables& tables);

  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) override;
  [[nodiscard]] std::shared_ptr<const void> hold() override { return m_pages.cursor().hold(); }
  [[nodiscard]] detail::PageRange pages(TableNumber group, std::uint64_t entry) override;
  void read(ColumnNumber column, const detail::PageRange& range, std::size_t values,
            detail::Page& page) override;

private:
  void readRowCounts(const PodioOrigin& origin, const detail::PageRange& range, detail::Page& page);
  void readRows(const PodioOrigin& origin, const detail::PageRange& range, std::size_t values,
                detail::Page& page);
  void readElements(const PodioOrigin& origin, const detail::PageRange& range, std::size_t values,
                    detail::Page& page);
  void readIndex(const PodioOrigin& origin, const detail::PageRange& range, detail::Page& page);
  void readCollection(const PodioOrigin& origin, const detail::PageRange& range,
                      detail::Page& page);
  void readParameterPresence(const PodioOrigin& origin, const detail::PageRange& range,
                             detail::Page& page);
  void readParameterCounts(const PodioOrigin& origin, const detail::PageRange& range,
                           detail::Page& page);
  void readParameterValues(const PodioOrigin& origin, const detail::PageRange& range,
                           detail::Page& page);
  void readTextCounts(const PodioOrigin& origin, const detail::PageRange& range,
                      detail::Page& page);
  void readText(const PodioOrigin& origin, const detail::PageRange& range, detail::Page& page);
  [[nodiscard]] TableNumber tableOf(std::uint32_t collectionId) const;
  [[nodiscard]] const SideRows& rowsOf(const PodioOrigin& origin, const detail::PageRange& range);
  [[nodiscard]] std::span<const StoredParameterRows::Place>
  placesOf(const PodioOrigin& origin, const detail::PageRange& range);

  const Source& m_stored;
  const FrameTables& m_tables;
  PodioPages m_pages;
  detail::SparseVector<SideRows> m_sides;
  std::vector<StoredParameterRows> m_parameters; // by type
};

/// Returns the stored columns that are needed to compute a column.
[[nodiscard]] std::vector<std::uint32_t>
storedColumns(const PodioOrigin& origin, const FrameTables& tables, const Schema& stored);

} // namespace kaon::root::podio
