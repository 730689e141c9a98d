#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/detail/formats/arrow/Field.h>
#include <kaon/reading/ColumnReader.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>

namespace kaon::arrow {

/// What was read of a table, in memory that arrays share.
struct TableMemory {
  std::size_t rows = 0;
  std::uint32_t above = Table::none;    ///< the table that it lies under
  std::shared_ptr<Buffer> offsets = {}; ///< of 64 bits, where the table is counted
  std::shared_ptr<Buffer> present =
      {}; ///< a byte an entry, or row above, where the table can be absent
  std::map<std::uint32_t, std::shared_ptr<Buffer>> members = {};

  [[nodiscard]] std::span<const std::int64_t> begins() const noexcept {
    return {reinterpret_cast<const std::int64_t*>(offsets->data()),
            offsets->size() / sizeof(std::int64_t)};
  }
};

/// Columns of some entries, in Arrow's memory.
struct ColumnMemory {
  std::size_t entries = 0;
  std::map<std::uint32_t, TableMemory> tables = {};
};

/// The bytes that the columns of a reader take.
[[nodiscard]] double bytesOf(const ColumnReader& reader, const Schema& schema,
                             const WantedMembers& wanted);

/// Reads them, each straight into where it stays. Throws as ColumnReader.
[[nodiscard]] ColumnMemory readColumns(ColumnReader& reader, const Schema& schema,
                                       const WantedMembers& wanted);

/// Some of the entries, in memory of their own: those of these runs, which are ascending.
[[nodiscard]] ColumnMemory taken(const ColumnMemory& all, std::span<const EntryRange> runs);

} // namespace kaon::arrow
