#pragma once

#include <kaon/batch/Source.h>
#include <kaon/detail/io/FetchedRanges.h>
#include <kaon/formats/hipo/HipoContents.h>
#include <kaon/formats/hipo/LoadedRecord.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace kaon::hipo {

/// Reads the events of a HIPO file record by record. Its pages are ranges of a record's events.
class HipoCursor final : public detail::Cursor {
public:
  explicit HipoCursor(const HipoContents& contents);

  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) override;
  [[nodiscard]] detail::PageRange pages(std::uint32_t group, std::uint64_t entry) override;
  void read(std::uint32_t column, const detail::PageRange& range, std::size_t values,
            detail::Page& page) override;

  /// Loads the record of a page. If the record is not planned, loads only the events up to the
  /// page's end.
  const LoadedRecord& load(const detail::PageRange& range);

private:
  void want(std::uint32_t table);
  void fetchPortion(std::size_t first);
  [[nodiscard]] std::span<const Piece> piecesIn(std::uint32_t form,
                                                const detail::PageRange& range) const;
  void readWords(std::size_t place, const detail::PageRange& range, detail::Page& page) const;
  void readPresence(std::uint32_t form, const detail::PageRange& range, detail::Page& page) const;
  void readCounts(std::uint32_t form, const detail::PageRange& range, detail::Page& page) const;
  void readLengths(std::uint32_t form, const detail::PageRange& range, detail::Page& page) const;
  void readMember(std::uint32_t form, std::uint32_t member, const Member& info,
                  const detail::PageRange& range, std::size_t values, detail::Page& page) const;

  const HipoContents& m_contents;
  const Container& m_container;
  LoadedRecord m_record;
  io::FetchedRanges m_fetched;
  Buffer m_room; // for a record that was not fetched
  EntrySelection m_wanted;
  std::pair<std::size_t, std::size_t> m_planned{0, 0}; // records that will be read
  std::pair<std::size_t, std::size_t> m_portion{0, 0}; // records that are fetched
};

} // namespace kaon::hipo
