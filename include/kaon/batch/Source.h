#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/EntrySelection.h>
#include <kaon/codec/Encoding.h>
#include <kaon/model/Schema.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

namespace detail {

/// A run of entries for which each column of a group of tables is one page.
struct PageRange {
  std::uint64_t firstEntry = 0;
  std::uint64_t lastEntry = 0; ///< the first one after it
  std::uint64_t cluster = 0;   ///< the source's own numbers, to find the page again
  std::uint32_t page = 0;
  /// Where not 0, the group has no pages in the entries up to there: no rows of counted tables.
  std::uint64_t lastMissing = 0;
  /// Its bytes are those of the pages beside it in its cluster, too: who reads only some of them
  /// decompresses the others as well.
  bool sharesBytes = false;
  [[nodiscard]] bool contains(std::uint64_t entry) const noexcept {
    return entry >= firstEntry && entry < lastEntry;
  }
};

/// The decoded values of one page of a column; of a column of counts, what they add up to.
struct Page {
  PageRange range;
  std::size_t values = 0;          ///< counts: one more than there are, the first is 0
  bool isRepeated = false;         ///< all are the one at `data`
  const std::byte* data = nullptr; ///< in `storage`, `shared` or `room`, or in memory of the source
  Buffer storage;                  ///< the page's own memory, used again for the next one
  std::shared_ptr<const void> shared = {}; ///< keeps what others point to as well
  std::span<std::byte> room = {}; ///< if it has their size, for values that must be decoded, which
                                  ///< then lie there and not in `storage`
  /// Where values of so many bytes are to lie; `data` points there.
  std::span<std::byte> roomFor(std::size_t bytes) {
    const auto out = room.size() == bytes ? room : storage.assign(bytes);
    data = out.data();
    return out;
  }
};

} // namespace detail

/// How some of a column's pages are stored, as the file says: its codec may be a number that is
/// none.
struct StoredForm {
  codec::Encoding encoding = codec::Encoding::raw;
  Codec codec = Codec::none; ///< none where the encoding is not named together with it
  std::uint64_t bytes = 0;   ///< of all these pages
};

/// How a column lies in its file.
struct ColumnUsage {
  std::uint64_t values = 0;
  std::uint64_t storedBytes = 0;
  std::uint64_t decodedBytes = 0;
  std::vector<StoredForm> forms; ///< most bytes first
};

/// The least and the greatest value of a page or cluster, bit for bit as they are. NaNs are left
/// out.
struct Extremes {
  std::uint64_t least = 0;
  std::uint64_t greatest = 0;
  bool hasNone = false; ///< there is no value, or none that is a number
  bool hasNaN = false;
  friend bool operator==(const Extremes&, const Extremes&) = default;
};

/// A page of a column as it is stored, for who decodes it elsewhere: see Encodings in
/// docs/format.md. Its bytes last until the next page is asked for.
struct StoredPage {
  std::uint32_t column = 0; ///< of the schema, which says what it is
  EntryRange entries{0, 0};
  /// Nothing is stored: each value is `missing`, as many as there are rows, or entries.
  bool isMissing = false;
  std::uint64_t missing = 0; ///< the bytes of a scalar
  std::uint64_t values = 0;  ///< of the column, arrays being one each; counts are not added up
  codec::Element element;    ///< the scalars, or rows, that the encoding is of: see docs/format.md
  codec::Encoding encoding = codec::Encoding::raw;
  std::uint8_t codec = 0;     ///< by which it was to be made smaller; the bytes say what was done
  std::uint32_t checksum = 0; ///< the lower half of the bytes' XXH3-64
  std::span<const std::byte> bytes = {};
};

namespace detail {

/// One reader's way through a category: its state, such as bytes that were fetched for it. For one
/// thread at a time; it must not outlive its source.
class Cursor {
public:
  virtual ~Cursor() = default;
  Cursor() = default;
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  /// These columns of these entries will be read soon, front to back: fetch them in one go. Best
  /// effort: what does not fit into the memory budget is read when it is asked for. What was
  /// fetched before and not read yet may be dropped.
  virtual void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) = 0;

  /// Begins to fetch all that is to be fetched, as far as it fits into the memory budget, and keeps
  /// it as long as the result lives, for all cursors of the source: where each request takes long,
  /// and several cursors are going to read parts of it. Null where that would save nothing.
  [[nodiscard]] virtual std::shared_ptr<const void> hold() { return nullptr; }

  /// The pages of a group (Schema::groupOf) in which an entry (less than entries()) lies.
  [[nodiscard]] virtual PageRange pages(std::uint32_t group, std::uint64_t entry) = 0;

  /// Decodes a column's page, which has this number of values, into `page`, or makes it point to
  /// where they lie already. Counts are added up. Throws Error(corrupt) for a page that has another
  /// number of values, does not pass its checksum or does not decode.
  virtual void read(std::uint32_t column, const PageRange& range, std::size_t values,
                    Page& page) = 0;

  /// A column's page as it is stored; nothing if the format does not have it so. Throws
  /// Error(corrupt) if it does not match its checksum.
  [[nodiscard]] virtual std::optional<StoredPage> stored(std::uint32_t /*column*/,
                                                         const PageRange& /*range*/) {
    return std::nullopt;
  }

  /// The extremes of a member's values in a page, if the file has them.
  [[nodiscard]] virtual std::optional<Extremes>
  extremes(std::uint32_t /*table*/, std::uint32_t /*member*/, const PageRange& /*range*/) {
    return std::nullopt;
  }
};

} // namespace detail

/// What a category has that is not read.
struct Unreadable {
  std::string name;   ///< as the file calls it
  std::string type;   ///< likewise
  std::string reason; ///< "has a streamer of its own"
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

  /// Runs of entries that were written together and are best read so: one after another, all.
  [[nodiscard]] virtual std::vector<EntryRange> clusters() const = 0;

  /// For a new reader.
  [[nodiscard]] virtual std::unique_ptr<detail::Cursor> cursor() const = 0;

  /// The extremes of a member's values in a cluster, by its number in clusters(), if the file has
  /// them.
  [[nodiscard]] virtual std::optional<Extremes>
  extremes(std::uint32_t /*table*/, std::uint32_t /*member*/, std::size_t /*cluster*/) const {
    return std::nullopt;
  }

  /// Returns the extremes of all clusters if the file has them without reading pages, else nothing.
  [[nodiscard]] virtual std::vector<Extremes> extremesOfClusters(std::uint32_t /*table*/,
                                                                 std::uint32_t /*member*/) const {
    return {};
  }

  /// Reads what the file says about a column's pages, no data; nothing where it does not say.
  [[nodiscard]] virtual std::optional<ColumnUsage> usage(std::uint32_t /*column*/) const {
    return std::nullopt;
  }

  /// What of the category is left out, each by itself; all else is read.
  [[nodiscard]] virtual std::span<const Unreadable> unreadable() const noexcept { return {}; }

  /// The keys of all entries in order, if the file has them so: a source with a row for each entry.
  /// Its values are called as the keys are, and are sorted by the first of them, then the second;
  /// `entryOfKeys` has the number of the entry. It lives as long as this one.
  [[nodiscard]] virtual const Source* sortedKeys() const noexcept { return nullptr; }
};

namespace detail {

/// The value of sorted keys that says whose they are.
inline constexpr std::string_view entryOfKeys = "#entry";

} // namespace detail

/// Bytes of a file that are no pages.
struct Overhead {
  std::string category; ///< "" for what belongs to none
  std::string what;     ///< "index", "schema", "padding", ...
  std::uint64_t bytes = 0;
};

/// An open file of any format: its categories, in the order in which they were first written.
/// All functions are safe for concurrent use.
class File {
public:
  virtual ~File() = default;
  File() = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[nodiscard]] virtual const std::string& name() const noexcept = 0;
  /// "kaon", "memory", ...
  [[nodiscard]] virtual std::string_view format() const noexcept = 0;
  /// Its size in bytes.
  [[nodiscard]] virtual std::uint64_t bytes() const noexcept = 0;
  /// Tells this file from others, wherever it lies.
  [[nodiscard]] virtual std::uint64_t id() const noexcept = 0;
  [[nodiscard]] virtual std::vector<std::string> categories() const = 0;
  /// Throws Error(name) with a suggestion. The source lives as long as the file.
  [[nodiscard]] virtual const Source& category(std::string_view name) const = 0;
  /// Texts that the file carries, by name: "model:NAME" is a data model in JSON.
  [[nodiscard]] virtual std::vector<std::string> documents() const { return {}; }
  /// Throws Error(name) with a suggestion.
  [[nodiscard]] virtual std::string document(std::string_view name) const = 0;
  /// Whether its writer finished it. If not, what is there is read, and a warning was given.
  [[nodiscard]] virtual bool isComplete() const noexcept { return true; }
  /// What of its bytes is not in pages, as far as the file says. Reads no data.
  [[nodiscard]] virtual std::vector<Overhead> overheads() const { return {}; }
};

/// How files are read.
struct OpenOptions {
  /// Files of the local file system are mapped into memory; else they are read where and when
  /// something is asked for, which is right for file systems on which maps are slow or unsafe.
  bool map = true;
  /// What a reader may fetch ahead of what it is asked for, in bytes.
  std::size_t memoryBudget = std::size_t{32} << 20;
  /// Checks that pages match their checksums, whenever they are read.
  bool verify = true;
  /// Arrays of a ROOT tree that have the same counter, such as Muon_pt[nMuon], are one collection;
  /// else lists of their own.
  bool group = true;
  /// Of a HIPO file only the records of events with these tags; empty: all of them.
  std::vector<std::uint64_t> tags = {};
};

} // namespace kaon
