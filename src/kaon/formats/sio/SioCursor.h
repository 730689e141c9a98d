#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/sio/LoadedSioPage.h>
#include <kaon/formats/sio/SioContents.h>
#include <kaon/reading/PlannedReads.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace kaon::sio {

/// Reads the entries of a category of a SIO file, one page of SioContents at a time.
class SioCursor final : public detail::Cursor {
public:
  explicit SioCursor(const SioContents& contents);

  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) override;
  [[nodiscard]] std::shared_ptr<const void> hold() override { return m_reads.hold(); }
  [[nodiscard]] detail::PageRange pages(TableNumber group, std::uint64_t entry) override;
  void read(ColumnNumber column, const detail::PageRange& range, std::size_t values,
            detail::Page& page) override;

private:
  [[nodiscard]] PlannedReads::Portion portionAt(std::uint64_t entry) const;

  const SioContents& m_contents;
  PlannedReads m_reads;
  LoadedSioPage m_page;
};

} // namespace kaon::sio
