#pragma once

#include <kaon/batch/Source.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon {

/// The bytes of a column's pages.
struct ColumnSize : ColumnUsage {
  std::string name;       ///< the name of the member or table
  std::string collection; ///< the collection, parameter or value that it belongs to
  ColumnRole role = ColumnRole::member;
};

/// The bytes of a category in its file.
struct CategorySize {
  std::string name;
  std::uint64_t entries = 0;
  std::vector<ColumnSize> columns; ///< by number, as in Schema::columns()
  std::uint64_t pageBytes = 0;     ///< the sum of the columns
  std::uint64_t metaBytes = 0;     ///< locations and properties of the pages
  std::uint64_t paddingBytes = 0;  ///< aligns pages and records
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return pageBytes + metaBytes + paddingBytes;
  }
};

/// The bytes of a file, by use: all other numbers add up to `bytes`.
struct FileSize {
  std::uint64_t bytes = 0;
  std::vector<CategorySize> categories;
  std::uint64_t schemaBytes = 0;   ///< records of tables
  std::uint64_t documentBytes = 0; ///< models, and other texts
  std::uint64_t indexBytes = 0;    ///< of the file's contents, and of entries by their keys
  std::uint64_t otherBytes = 0;    ///< the file's header, and bytes of no known use
};

/// Reads metadata only, no data. Throws the errors of opening the file.
[[nodiscard]] FileSize sizeOf(const std::string& path);

} // namespace kaon
