#pragma once

#include <kaon/batch/Source.h>
#include <kaon/detail/io/FetchedRanges.h>
#include <kaon/formats/root/ntuple/NTuple.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace kaon::root {

/// Reads the stored bytes of pages for one reader. It fetches the requested columns of a cluster in
/// one request, up to the memory budget, and announces those of the next cluster.
class PageBytes {
public:
  explicit PageBytes(const NTuple& ntuple) : m_ntuple(ntuple) {}

  /// Announces that these stored columns will be read for these entries.
  void plan(std::vector<std::uint32_t> columns, const EntrySelection& entries);
  /// See Cursor::hold().
  [[nodiscard]] std::shared_ptr<const void> hold() const;
  /// Call this before an entry is read. Fetches its cluster if it is planned and not fetched yet.
  void reach(std::uint64_t entry);

  /// Returns fetched bytes of the file, or nothing if they were not fetched. They are valid as long
  /// as keeper().
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
  EntryRange m_reached{0, 0};  // entries of the cluster that was fetched last
  std::size_t m_announced = 0; // the first cluster that was not announced yet
  io::FetchedRanges m_fetched;
};

} // namespace kaon::root
