#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace kaon {

/// A range of entries: [first, last).
struct EntryRange {
  std::uint64_t first = 0;
  std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
  [[nodiscard]] std::uint64_t size() const noexcept { return last - first; }
  friend bool operator==(const EntryRange&, const EntryRange&) = default;
};

/// The entries to read: ascending runs with gaps between them, made from a range, a list, or a
/// mask. All functions that read entry by entry accept one. Cheap to copy. Thread-safe.
class EntrySelection {
public:
  /// Selects all entries.
  EntrySelection() : EntrySelection(EntryRange{}) {}
  explicit(false) EntrySelection(EntryRange range)
      : m_hull(range.first < range.last ? range : EntryRange{0, 0}) {}
  EntrySelection(std::uint64_t first, std::uint64_t last)
      : EntrySelection(EntryRange{first, last}) {}
  /// Selects runs of entries, such as clusters. Throws Error(usage) if a run is empty, or begins
  /// before the end of the previous run.
  explicit EntrySelection(std::vector<EntryRange> runs);

  /// Selects the entries of a list, such as the result of find(). Throws Error(usage) unless the
  /// list is strictly ascending.
  [[nodiscard]] static EntrySelection ofList(std::span<const std::uint64_t> entries);
  /// Selects the entries where the mask is true. The mask begins at entry `first`; entries behind
  /// its end are not selected.
  [[nodiscard]] static EntrySelection ofMask(std::span<const bool> mask, std::uint64_t first = 0);

  /// Returns the runs, none of them empty.
  [[nodiscard]] std::span<const EntryRange> runs() const noexcept {
    if (m_runs)
      return *m_runs;
    return {&m_hull, m_hull.size() > 0 ? std::size_t{1} : std::size_t{0}};
  }
  /// Returns the range from the first selected entry to the end of the last one; empty if no entry
  /// is selected.
  [[nodiscard]] EntryRange hull() const noexcept { return m_hull; }
  /// Returns the number of selected entries.
  [[nodiscard]] std::uint64_t size() const noexcept;

  /// Returns the selected entries at or behind `entry`, to the end of their run; empty behind the
  /// last run.
  [[nodiscard]] EntryRange runFrom(std::uint64_t entry) const noexcept;
  /// Returns whether any of these entries is selected.
  [[nodiscard]] bool overlaps(EntryRange entries) const noexcept {
    return runFrom(entries.first).first < entries.last;
  }
  /// Returns the selected entries in a range.
  [[nodiscard]] EntrySelection within(EntryRange range) const;
  /// Returns these entries with `origin` subtracted from their numbers. No number may be below it.
  [[nodiscard]] EntrySelection from(std::uint64_t origin) const;

private:
  EntryRange m_hull;
  std::shared_ptr<const std::vector<EntryRange>> m_runs; // null if there is at most one run
};

/// The treatment of references to dropped objects.
enum class LostReference {
  becomesNone, ///< the references lead to no object
  isError      ///< dropping the object is an error
};

} // namespace kaon
