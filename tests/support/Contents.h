#pragma once

#include <kaon/batch/Source.h>
#include <kaon/model/Schema.h>
#include <kaon/reading/Batches.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kaon::test {

/// The contents of a category in a form that does not depend on its batches.
struct Contents {
  struct Rows {
    std::vector<std::byte> present;             ///< for each entry, if it can be absent
    std::vector<std::uint32_t> counts;          ///< for each entry or row of the parent, if counted
    std::vector<std::vector<std::byte>> values; ///< by member
    friend bool operator==(const Rows&, const Rows&) = default;
  };
  std::size_t entries = 0;
  std::map<std::pair<std::string, std::string>, Rows> tables; ///< by name and type
  friend bool operator==(const Contents&, const Contents&) = default;

  /// Appends the entries of a batch that has all members of all tables.
  void append(const Batch& batch) {
    const Schema& schema = batch.schema();
    for (std::uint32_t number = 0; number < schema.size(); ++number)
      append(batch, schema.table(number), batch.table(number));
    entries += batch.entries();
  }

private:
  void append(const Batch& batch, const Table& info, const TableView& view) {
    const auto [where, isNew] =
        tables.try_emplace({std::string(info.name), std::string(info.type)});
    Rows& rows = where->second;
    if (isNew)
      fillEarlierEntries(batch.schema(), info, rows);
    if (info.canBeAbsent()) {
      if (view.present.empty())
        rows.present.insert(rows.present.end(), batch.entries(), std::byte{1});
      else
        rows.present.insert(rows.present.end(), view.present.begin(), view.present.end());
    }
    if (info.isCounted())
      for (std::size_t i = 0; i + 1 < view.offsets.size(); ++i)
        rows.counts.push_back(view.offsets[i + 1] - view.offsets[i]);
    for (std::size_t m = 0; m < info.members.size(); ++m)
      for (std::size_t row = 0; row < view.rows; ++row) {
        const std::byte* const value = view.members[m].at(row);
        rows.values[m].insert(rows.values[m].end(), value, value + info.members[m].size());
      }
  }

  /// Returns the number of rows that a table has in all earlier entries.
  [[nodiscard]] std::size_t earlierRows(const Schema& schema, std::uint32_t number) const {
    const Table info = schema.table(number);
    const std::size_t above = info.isRoot() ? entries : earlierRows(schema, info.parent);
    if (!info.isCounted())
      return above;
    const auto known = tables.find({std::string(info.name), std::string(info.type)});
    const auto counts = std::span(known->second.counts).first(above);
    return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  }

  /// Fills a later table for all earlier entries. Collections are absent there; values and
  /// decorations have their members' `missing`.
  void fillEarlierEntries(const Schema& schema, const Table& info, Rows& rows) const {
    rows.values.resize(info.members.size());
    if (info.canBeAbsent())
      rows.present.resize(entries);
    const std::size_t above = info.isRoot() ? entries : earlierRows(schema, info.parent);
    if (info.isCounted())
      rows.counts.resize(above);
    const std::size_t missing = info.isCounted() ? 0 : above;
    for (std::size_t m = 0; m < info.members.size(); ++m)
      for (std::size_t value = 0; value < missing * info.members[m].extent; ++value) {
        const std::uint64_t bits = info.members[m].missing;
        const auto bytes = std::as_bytes(std::span(&bits, 1)).first(sizeOf(info.members[m].type));
        rows.values[m].insert(rows.values[m].end(), bytes.begin(), bytes.end());
      }
  }
};

[[nodiscard]] inline std::vector<std::string> tableNames(const Schema& schema) {
  std::vector<std::string> names;
  for (const Table& table : schema.tables())
    names.emplace_back(table.name);
  return names;
}

/// Returns the contents of a category, read batch by batch.
[[nodiscard]] inline Contents contentsOf(const Source& source, const EntrySelection& range = {}) {
  Contents contents;
  for (const Batch& batch : Batches(source, tableNames(source.schema()), range))
    contents.append(batch);
  return contents;
}

} // namespace kaon::test
