#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/detail/formats/arrow/ArrowField.h>
#include <kaon/reading/ColumnReader.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>

namespace kaon::arrow {

/// The values of a table that were read, in memory that Arrow arrays share.
struct TableMemory {
  std::size_t rows = 0;
  TableNumber above = Table::none;      ///< the parent of the table
  std::shared_ptr<Buffer> offsets = {}; ///< of 64 bits; null unless the table is counted
  std::shared_ptr<Buffer> present =
      {}; ///< a byte for each entry; null unless the table can be absent
  std::map<std::uint32_t, std::shared_ptr<Buffer>> members = {};

  [[nodiscard]] std::span<const std::int64_t> begins() const noexcept {
    return {detail::valuesAt<std::int64_t>(offsets->data()),
            offsets->size() / sizeof(std::int64_t)};
  }
};

/// Columns of some entries, in Arrow's memory.
struct ColumnMemory {
  std::size_t entries = 0;
  std::map<std::uint32_t, TableMemory> tables = {};
};

/// Returns the size of a reader's columns in memory, in bytes.
[[nodiscard]] double bytesOf(const ColumnReader& reader, const Schema& schema,
                             const WantedMembers& wanted);

/// Reads the columns, each directly into its final memory. Throws as ColumnReader does.
[[nodiscard]] ColumnMemory readColumns(ColumnReader& reader, const Schema& schema,
                                       const WantedMembers& wanted);

/// Returns a copy of the entries in some runs, which are in ascending order.
[[nodiscard]] ColumnMemory taken(const ColumnMemory& all, std::span<const EntryRange> runs);

} // namespace kaon::arrow
