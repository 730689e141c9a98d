#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/model/Schema.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// A run of entries for which each column of a root table and of the tables under it is one page.
struct PageRange {
  std::uint64_t firstEntry = 0;
  std::uint64_t lastEntry = 0; ///< the first one after it
  std::uint64_t cluster = 0;   ///< the source's own numbers, to find the page again
  std::uint32_t page = 0;
  [[nodiscard]] bool contains(std::uint64_t entry) const noexcept {
    return entry >= firstEntry && entry < lastEntry;
  }
};

/// The decoded values of one page of a column.
struct Page {
  PageRange range;
  std::size_t values = 0;
  const std::byte* data = nullptr; ///< in `storage`, or in memory that the source keeps
  Buffer storage;
};

/// How a column lies in its file.
struct ColumnUsage {
  std::uint64_t values = 0;
  std::uint64_t storedBytes = 0;
  std::uint64_t decodedBytes = 0;
  std::vector<std::string> codecs; ///< names of the codecs and encodings in use, most bytes first
};

/// One category of a file of any format, as columns. All functions are safe for concurrent use.
class Source {
public:
  virtual ~Source() = default;
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  /// File and category, for messages: "events.kaon:events".
  [[nodiscard]] virtual const std::string& name() const noexcept = 0;
  [[nodiscard]] virtual const Schema& schema() const noexcept = 0;
  [[nodiscard]] virtual std::uint64_t entries() const noexcept = 0;

  /// The pages of a root table in which an entry (less than entries()) lies.
  [[nodiscard]] virtual PageRange pages(std::uint32_t rootTable, std::uint64_t entry) const = 0;

  /// Decodes a column's page into `page`, or makes it point to where the values lie already. Its
  /// number of values is what the file claims: Window checks it against the counts.
  /// Throws Error(corrupt) for a page that does not pass its checksum or does not decode.
  virtual void read(std::uint32_t column, const PageRange& range, Page& page) const = 0;

  /// Reads what the file says about a column's pages, no data.
  [[nodiscard]] virtual ColumnUsage usage(std::uint32_t column) const = 0;
};

/// An open file of any format: its categories, in the order in which they were first written.
class File {
public:
  virtual ~File() = default;
  File() = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[nodiscard]] virtual const std::string& name() const noexcept = 0;
  [[nodiscard]] virtual std::vector<std::string> categories() const = 0;
  /// Throws Error(name) with a suggestion. The source lives as long as the file.
  [[nodiscard]] virtual const Source& category(std::string_view name) const = 0;
  /// Texts that the file carries, by name: "model:NAME" is a data model in JSON.
  [[nodiscard]] virtual std::vector<std::string> documents() const = 0;
  /// Throws Error(name) with a suggestion.
  [[nodiscard]] virtual std::string document(std::string_view name) const = 0;
};

} // namespace kaon
