#pragma once

#include <kaon/batch/Source.h>
#include <kaon/detail/io/FetchedRanges.h>
#include <kaon/formats/sio/Contents.h>
#include <kaon/formats/sio/LoadedPage.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace kaon::sio {

/// Reads the entries of a category of a SIO file, one page of Contents at a time.
class SioCursor final : public detail::Cursor {
public:
  explicit SioCursor(const Contents& contents)
      : m_contents(contents), m_page(contents, m_fetched) {}

  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) override;
  [[nodiscard]] detail::PageRange pages(std::uint32_t group, std::uint64_t entry) override;
  void read(std::uint32_t column, const detail::PageRange& range, std::size_t values,
            detail::Page& page) override;

private:
  void fetchPortion(std::size_t first);

  const Contents& m_contents;
  io::FetchedRanges m_fetched;
  LoadedPage m_page;
  EntrySelection m_wanted;
  std::pair<std::size_t, std::size_t> m_planned{0, 0}; // pages that will be read
  std::pair<std::size_t, std::size_t> m_portion{0, 0}; // pages that are fetched
};

} // namespace kaon::sio
