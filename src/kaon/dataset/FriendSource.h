#pragma once

#include <kaon/batch/Source.h>
#include <kaon/dataset/WithoutPartner.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kaon::detail {

/// Which entry of another source goes with each entry of one.
class Partners {
public:
  /// The entry with the same number. Throws Error(usage) if both sources differ in entries.
  static Partners byEntry(const Source& source, const Source& other);
  /// The first one with the same values of these keys, see Find.h. Throws as findEach(), and
  /// Error(usage) for an entry without a partner, if that is to be an error.
  static Partners byKeys(const Source& source, const Source& other,
                         const std::vector<std::string>& keys, WithoutPartner without);

  [[nodiscard]] bool isSame() const noexcept { return m_isSame; }
  /// The partner of each entry, or PickedPages::none; unless it is the same.
  [[nodiscard]] std::span<const std::uint64_t> list() const noexcept { return m_partners; }

private:
  bool m_isSame = true;
  std::vector<std::uint64_t> m_partners; // of each entry, unless it is the same
};

/// A source with the tables of a friend beside its own: columns of another file for the same
/// entries. The friend's are called as there, behind a prefix: "calibration.Muon.pt"; they have
/// pages of their own. Joined by entry, these are the friend's; joined by keys, they are put
/// together from them in the order of the entries.
class FriendSource final : public Source {
public:
  /// Both sources outlive it. Throws Error(usage) if there is no prefix, or the source has
  /// something that is called so.
  FriendSource(const Source& source, const Source& partner, const std::string& prefix,
               Partners partners);

  [[nodiscard]] const std::string& name() const noexcept override { return m_source.name(); }
  [[nodiscard]] const Schema& schema() const noexcept override { return m_schema; }
  [[nodiscard]] std::uint64_t entries() const noexcept override { return m_source.entries(); }
  [[nodiscard]] std::vector<EntryRange> clusters() const override { return m_source.clusters(); }
  [[nodiscard]] std::unique_ptr<Cursor> cursor() const override;
  [[nodiscard]] std::optional<Extremes> extremes(std::uint32_t table, std::uint32_t member,
                                                 std::size_t cluster) const override;
  [[nodiscard]] std::vector<Extremes> extremesOfClusters(std::uint32_t table,
                                                         std::uint32_t member) const override;
  [[nodiscard]] std::optional<ColumnUsage> usage(std::uint32_t column) const override;
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
  std::uint32_t m_tables;  // of the source; the friend's come behind them
  std::uint32_t m_columns; // likewise
};

} // namespace kaon::detail
