#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/hipo/HipoContents.h>
#include <kaon/formats/hipo/LoadedHipoRecord.h>
#include <kaon/reading/PlannedReads.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace kaon::hipo {

/// Reads the events of a HIPO file record by record. Its pages are ranges of a record's events.
class HipoCursor final : public detail::Cursor {
public:
  explicit HipoCursor(const HipoContents& contents);

  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) override;
  [[nodiscard]] std::shared_ptr<const void> hold() override { return m_reads.hold(); }
  [[nodiscard]] detail::PageRange pages(TableNumber group, std::uint64_t entry) override;
  void read(ColumnNumber column, const detail::PageRange& range, std::size_t values,
            detail::Page& page) override;

  /// Loads the record of a page. If the record is not planned, loads only the events up to the
  /// page's end.
  const LoadedHipoRecord& load(const detail::PageRange& range);

private:
  void want(std::uint32_t table);
  [[nodiscard]] PlannedReads::Portion portionAt(std::uint64_t entry) const;
  [[nodiscard]] std::span<const StructureRows> piecesIn(std::uint32_t form,
                                                        const detail::PageRange& range) const;
  void readWords(std::size_t place, const detail::PageRange& range, detail::Page& page) const;
  void readPresence(std::uint32_t form, const detail::PageRange& range, detail::Page& page) const;
  void readCounts(std::uint32_t form, const detail::PageRange& range, detail::Page& page) const;
  void readLengths(std::uint32_t form, const detail::PageRange& range, detail::Page& page) const;
  void readMember(std::uint32_t form, std::uint32_t member, const Member& info,
                  const detail::PageRange& range, std::size_t values, detail::Page& page) const;

  const HipoContents& m_contents;
  const HipoContainer& m_container;
  LoadedHipoRecord m_record;
  PlannedReads m_reads;
  Buffer m_room; // for a record that was not fetched
};

} // namespace kaon::hipo
