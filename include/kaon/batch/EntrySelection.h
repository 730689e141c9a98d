#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace kaon {

/// Which entries: [first, last).
struct EntryRange {
  std::uint64_t first = 0;
  std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
  [[nodiscard]] std::uint64_t size() const noexcept { return last - first; }
  friend bool operator==(const EntryRange&, const EntryRange&) = default;
};

/// Which entries are wanted: runs of them, ascending, with gaps between. All that is read entry by
/// entry takes one: made of a range, a list, or a mask. Cheap to copy; any thread.
class EntrySelection {
public:
  /// All entries.
  EntrySelection() : EntrySelection(EntryRange{}) {}
  explicit(false) EntrySelection(EntryRange range)
      : m_hull(range.first < range.last ? range : EntryRange{0, 0}) {}
  EntrySelection(std::uint64_t first, std::uint64_t last)
      : EntrySelection(EntryRange{first, last}) {}
  /// Runs of entries, such as clusters. Throws Error(usage) for an empty one, and for one that
  /// begins before the end of the one before.
  explicit EntrySelection(std::vector<EntryRange> runs);

  /// These entries, as find() gives them. Throws Error(usage) unless they ascend, each once.
  [[nodiscard]] static EntrySelection ofList(std::span<const std::uint64_t> entries);
  /// Those for which the mask is true; it begins at an entry, those behind its end are not wanted.
  [[nodiscard]] static EntrySelection ofMask(std::span<const bool> mask, std::uint64_t first = 0);

  /// None of them is empty.
  [[nodiscard]] std::span<const EntryRange> runs() const noexcept {
    if (m_runs)
      return *m_runs;
    return {&m_hull, m_hull.size() > 0 ? std::size_t{1} : std::size_t{0}};
  }
  /// From the first entry to behind the last; of none if nothing is wanted.
  [[nodiscard]] EntryRange hull() const noexcept { return m_hull; }
  /// How many entries are wanted.
  [[nodiscard]] std::uint64_t size() const noexcept;

  /// The wanted entries from this one on, up to where their run ends; of none behind the last.
  [[nodiscard]] EntryRange runFrom(std::uint64_t entry) const noexcept;
  /// Whether one of these is wanted.
  [[nodiscard]] bool overlaps(EntryRange entries) const noexcept {
    return runFrom(entries.first).first < entries.last;
  }
  /// Those of them that lie in a range.
  [[nodiscard]] EntrySelection within(EntryRange range) const;
  /// Returns these entries with `origin` subtracted from their numbers. No number may be below it.
  [[nodiscard]] EntrySelection from(std::uint64_t origin) const;

private:
  EntryRange m_hull;
  std::shared_ptr<const std::vector<EntryRange>> m_runs; // null where there is one at most
};

} // namespace kaon
