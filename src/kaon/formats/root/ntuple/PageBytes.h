#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/root/ntuple/NTuple.h>
#include <kaon/io/FetchedRanges.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace kaon::root {

/// Gets the stored bytes of pages for one reader: those of all wanted columns of a cluster in one
/// request, as far as they fit into the memory budget; and announces those of the next one.
class PageBytes {
public:
  explicit PageBytes(const NTuple& ntuple) : m_ntuple(ntuple) {}

  /// The pages of these stored columns will be read in these entries.
  void plan(std::vector<std::uint32_t> columns, const EntrySelection& entries);
  /// As Cursor::hold().
  [[nodiscard]] std::shared_ptr<const void> hold() const;
  /// An entry is about to be read: fetches its cluster if it is planned and not there yet.
  void reach(std::uint64_t entry);

  /// What was fetched of the file, nothing if it was not. It lasts as long as keeper().
  [[nodiscard]] std::optional<std::span<const std::byte>> find(std::uint64_t position,
                                                               std::uint64_t size) const {
    return m_fetched.find(position, size);
  }
  [[nodiscard]] std::shared_ptr<const void> keeper() const noexcept { return m_fetched.keeper(); }

private:
  [[nodiscard]] std::vector<io::ByteRange> rangesOf(std::size_t cluster) const;

  const NTuple& m_ntuple;
  std::vector<std::uint32_t> m_columns;
  EntrySelection m_planned{0, 0};
  EntryRange m_reached{0, 0};  // of the cluster that was fetched last
  std::size_t m_announced = 0; // the first cluster that was not announced yet
  io::FetchedRanges m_fetched;
};

} // namespace kaon::root
