#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Verification.h>
#include <kaon/formats/kaonfile/ClusterMeta.h>
#include <kaon/formats/kaonfile/FileContents.h>
#include <kaon/formats/kaonfile/PageBounds.h>
#include <kaon/formats/kaonfile/RelationTargets.h>
#include <kaon/io/ByteSource.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::kaonfile {

/// Checks the pages of one cluster or tags record, each by itself and against the others. For one
/// thread.
class ClusterCheck {
public:
  /// The arguments must outlive the check; `result` gets the findings.
  ClusterCheck(const io::ByteSource& bytes, const CategoryContents& category, ClusterMeta& cluster,
               const RelationTargets& targets, Verification& result);

  void check();

  /// Returns the actual bounds of a key's values; nothing if some values cannot be read.
  [[nodiscard]] std::optional<PageBounds> keyBounds(TableNumber table) const;
  /// Returns all values of a table with one member and one row per entry, such as a tag. Entries of
  /// clusters without the table have the missing value. Returns nothing if some values cannot be
  /// read.
  [[nodiscard]] std::optional<Buffer> values(TableNumber table) const;

private:
  /// A page of a column.
  struct Place {
    ColumnNumber column;
    TableNumber group;
    std::uint32_t page;
    const PageEntry& entry;
  };
  /// The rows of a table in one page.
  struct Rows {
    std::optional<std::size_t> count;   // empty: its source is damaged
    std::vector<std::uint32_t> offsets; // of counted tables; empty if damaged
    Buffer present;                     // of tables that can be absent; empty: no row absent
  };

  void checkGaps();
  [[nodiscard]] bool checkColumns();
  void checkStructure(TableNumber group, TableNumber table);
  [[nodiscard]] Rows rowsOf(TableNumber group, TableNumber table, std::uint32_t page);
  void readCounts(const Place& place, Rows& rows);
  void checkPresence(TableNumber group, TableNumber table);
  void checkValues(TableNumber group, TableNumber table);
  void checkBools(const Place& place, std::span<const std::byte> values);
  void checkPadding(const Place& place, std::span<const std::byte> rows);
  void checkBounds(const Place& place, std::span<const std::byte> values);
  void checkReferences(const Place& place, std::span<const std::byte> indices,
                       std::span<const std::byte> collections);
  [[nodiscard]] std::string wrongReference(std::string_view type, std::uint64_t entry,
                                           std::int32_t index, TableNumber collection) const;
  [[nodiscard]] std::optional<std::uint32_t> objectsOf(TableNumber collection,
                                                       std::uint64_t entry) const;

  [[nodiscard]] std::optional<Place> placeOf(TableNumber group, ColumnNumber column,
                                             std::uint32_t page) const;
  [[nodiscard]] EntryRange entriesOf(TableNumber group, std::uint32_t page) const;
  [[nodiscard]] bool hasTable(TableNumber table) const;
  [[nodiscard]] std::optional<std::size_t> parentsOf(TableNumber group, const Table& info,
                                                     std::uint32_t page) const;
  [[nodiscard]] bool decode(const Place& place, std::optional<std::size_t> expected, Buffer& out);
  [[nodiscard]] std::uint64_t positionOf(const Place& place) const;
  void report(const Place& place, std::string what);
  void report(std::string what);

  const io::ByteSource& m_bytes;
  const CategoryContents& m_category;
  const Schema& m_schema;
  ClusterMeta& m_cluster;
  const RelationTargets& m_targets;
  Verification& m_result;
  std::map<std::uint32_t, std::vector<Rows>> m_rows; // by table and page
  std::uint64_t m_kept = 0;                          // bytes of counts in m_rows
};

} // namespace kaon::kaonfile
