#pragma once

#include <kaon/batch/Source.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon {

/// What a column takes, its pages alone.
struct ColumnSize : ColumnUsage {
  std::string name;       ///< the member's, or the table's
  std::string collection; ///< collection, parameter or value that it belongs to
  ColumnRole role = ColumnRole::member;
};

/// What a category takes in its file.
struct CategorySize {
  std::string name;
  std::uint64_t entries = 0;
  std::vector<ColumnSize> columns; ///< by number, as in Schema::columns()
  std::uint64_t pageBytes = 0;     ///< that these store, all together
  std::uint64_t metaBytes = 0;     ///< say where the pages are and what is in them
  std::uint64_t paddingBytes = 0;  ///< align pages and records
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return pageBytes + metaBytes + paddingBytes;
  }
};

/// What takes the bytes of a file: everything but `bytes` adds up to it.
struct FileSize {
  std::uint64_t bytes = 0;
  std::vector<CategorySize> categories;
  std::uint64_t schemaBytes = 0;   ///< records of tables
  std::uint64_t documentBytes = 0; ///< models, and other texts
  std::uint64_t indexBytes = 0;    ///< of all that is in the file, and of its entries by their keys
  std::uint64_t otherBytes = 0;    ///< the file's header, and what belongs to nothing that is known
};

/// Reads what the file says about itself, no data. Throws as opening it does.
[[nodiscard]] FileSize sizeOf(const std::string& path);

} // namespace kaon
