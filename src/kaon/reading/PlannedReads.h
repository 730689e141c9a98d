#pragma once

#include <kaon/batch/EntrySelection.h>
#include <kaon/detail/io/FetchedRanges.h>
#include <kaon/io/ByteSource.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace kaon {

/// Reads the bytes of planned entries for one cursor. It fetches them in portions, each in one
/// request within the memory budget, and announces the next portion to the source of bytes. If the
/// source has its bytes in place, it only announces. For one thread.
class PlannedReads {
public:
  /// Consecutive entries whose bytes are fetched together.
  struct Portion {
    EntryRange entries{0, 0};
    std::vector<io::ByteRange> ranges = {};
    std::uint64_t bytes = 0; ///< of a portion that extend() makes
    [[nodiscard]] bool contains(std::uint64_t entry) const noexcept {
      return entry >= entries.first && entry < entries.last;
    }
  };
  /// Returns the portion with a planned entry. The ranges are in order and do not overlap.
  using PortionAt = std::function<Portion(std::uint64_t entry)>;

  /// `budget` in bytes. The source must outlive this.
  PlannedReads(const io::ByteSource& bytes, std::uint64_t budget, PortionAt portionAt);

  /// Plans to read these entries, in ascending order.
  void plan(EntrySelection entries);
  [[nodiscard]] const EntrySelection& planned() const noexcept { return m_planned; }
  /// Returns whether any of these entries is planned.
  [[nodiscard]] bool isPlanned(EntryRange entries) const noexcept {
    return m_planned.overlaps(entries);
  }
  /// See Cursor::hold().
  [[nodiscard]] std::shared_ptr<const void> hold() const;

  /// Call this before entries are read. If any of them is planned and the first one is not in the
  /// current portion, moves to the portion with the first one.
  void reach(EntryRange entries) {
    if (isDue(entries)) {
      begin(entries.first);
      load();
      announceNext();
    }
  }

  // The steps of reach(), for cursors that read more than planned bytes.
  [[nodiscard]] bool isDue(EntryRange entries) const noexcept {
    return !m_portion.contains(entries.first) && isPlanned(entries);
  }
  /// Moves to the portion with an entry. Throws the errors of finding it, and stays then.
  void begin(std::uint64_t entry);
  /// Fetches the current portion.
  void load();
  /// Fetches ranges in one request, in place of those that were fetched before, and returns them.
  /// If the source has its bytes in place, announces them and returns nothing.
  std::vector<std::span<const std::byte>> fetch(std::span<const io::ByteRange> ranges);
  /// Finds and announces the portion behind the current one, unless that fails.
  void announceNext();

  [[nodiscard]] const Portion& portion() const noexcept { return m_portion; }
  /// The bytes that were fetched.
  [[nodiscard]] const io::FetchedRanges& fetched() const noexcept { return m_fetched; }

  /// Adds the bytes of the next entries to a portion that is being made: those of a record or page,
  /// which is read as a whole. Returns false if the portion ends before them.
  [[nodiscard]] bool extend(Portion& portion, EntryRange entries,
                            std::span<const io::ByteRange> ranges) const;

private:
  const io::ByteSource& m_bytes;
  std::uint64_t m_budget;
  PortionAt m_portionAt;
  EntrySelection m_planned{0, 0};
  Portion m_portion;          // the current one
  Portion m_next;             // announced; empty if unknown
  bool m_isAnnounced = false; // whether m_portion was announced
  io::FetchedRanges m_fetched;
};

} // namespace kaon
