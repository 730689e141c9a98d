#pragma once

#include <kaon/batch/Source.h>
#include <kaon/dataset/MissingData.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kaon::detail {

/// The matching entry of another source for each entry of a source.
class Partners {
public:
  /// Matches entries with the same number. Throws Error(usage) if the sources have different
  /// numbers of entries.
  static Partners byEntry(const Source& source, const Source& other);
  /// Matches the first entry with the same values of these keys, see Find.h. Throws the errors of
  /// findEach(). Throws Error(usage) for an entry without a partner if `without` is isError.
  static Partners byKeys(const Source& source, const Source& other,
                         const std::vector<std::string>& keys, WithoutPartner without);

  [[nodiscard]] bool isSame() const noexcept { return m_isSame; }
  /// Returns the partner of each entry, or PickedPages::none. Empty if isSame().
  [[nodiscard]] std::span<const std::uint64_t> list() const noexcept { return m_partners; }

private:
  bool m_isSame = true;
  std::vector<std::uint64_t> m_partners; // see list()
};

/// A source with the tables of a friend beside its own: columns of another file for the same
/// entries. The friend's names have a prefix: "calibration.Muon.pt". Their pages are separate.
/// Friends joined by entry keep their pages; for friends joined by keys, pages are assembled in the
/// order of the entries.
class FriendSource final : public Source {
public:
  /// Both sources must outlive it. Throws Error(usage) if the prefix is empty or already a name in
  /// the source.
  FriendSource(const Source& source, const Source& partner, const std::string& prefix,
               Partners partners);

  [[nodiscard]] const std::string& name() const noexcept override { return m_source.name(); }
  [[nodiscard]] const Schema& schema() const noexcept override { return m_schema; }
  [[nodiscard]] std::uint64_t entries() const noexcept override { return m_source.entries(); }
  [[nodiscard]] std::vector<EntryRange> clusters() const override { return m_source.clusters(); }
  [[nodiscard]] std::unique_ptr<Cursor> cursor() const override;
  [[nodiscard]] std::optional<Extremes> extremes(TableNumber table, MemberNumber member,
                                                 std::size_t cluster) const override;
  [[nodiscard]] std::vector<Extremes> extremesOfClusters(TableNumber table,
                                                         MemberNumber member) const override;
  [[nodiscard]] std::optional<ColumnUsage> usage(ColumnNumber column) const override;
  [[nodiscard]] const Source* sortedKeys() const noexcept override { return m_source.sortedKeys(); }
  [[nodiscard]] std::span<const Unreadable> unreadable() const noexcept override {
    return m_source.unreadable();
  }

private:
  class Reading;

  const Source& m_source;
  const Source& m_partner;
  Partners m_partners;
  Schema m_schema;
  std::uint32_t m_tables;  // of the source; the friend's tables follow
  std::uint32_t m_columns; // of the source; the friend's columns follow
};

} // namespace kaon::detail
