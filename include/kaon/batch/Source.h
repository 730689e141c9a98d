#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/EntrySelection.h>
#include <kaon/codec/Codec.h>
#include <kaon/codec/Encoding.h>
#include <kaon/detail/codec/Element.h>
#include <kaon/io/ByteSource.h>
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

class ObjectStore;

namespace detail {

/// Entries for which each column of a group of tables has one page.
struct PageRange {
  std::uint64_t firstEntry = 0;
  std::uint64_t lastEntry = 0; ///< one past the last entry
  std::uint64_t cluster = 0;   ///< the source's own numbers, to find the page again
  std::uint32_t page = 0;
  /// If not 0, the group has no pages up to this entry; its counted tables have no rows there.
  std::uint64_t lastMissing = 0;
  /// Whether the page shares compressed bytes with other pages of its cluster. Reading one of them
  /// decompresses all of them.
  bool sharesBytes = false;
  [[nodiscard]] bool contains(std::uint64_t entry) const noexcept {
    return entry >= firstEntry && entry < lastEntry;
  }
};

/// The decoded values of one page of a column. Counts are summed up.
struct Page {
  PageRange range;
  /// The number of values. Counts have one more than stored; the first is 0.
  std::size_t values = 0;
  /// Whether all values equal the one at `data`.
  bool isRepeated = false;
  /// In `storage`, `shared` or `room`, or in memory of the source.
  const std::byte* data = nullptr;
  /// The page's own memory, reused for the next page.
  Buffer storage;
  /// Keeps data alive that other pages use too.
  std::shared_ptr<const void> shared = {};
  /// Memory for decoded values, used instead of `storage` if it has their size.
  std::span<std::byte> room = {};
  /// Returns memory for values of this many bytes, and sets `data` to it.
  std::span<std::byte> roomFor(std::size_t bytes) {
    const auto out = room.size() == bytes ? room : storage.assign(bytes);
    data = out.data();
    return out;
  }
};

} // namespace detail

/// How some pages of a column are stored, as stated in the file. Its codec may be an unknown
/// number.
struct StoredForm {
  codec::Encoding encoding = codec::Encoding::raw;
  Codec codec = Codec::none; ///< none if the file does not state it together with the encoding
  std::uint64_t bytes = 0;   ///< of all these pages
};

/// How a column is stored in its file.
struct ColumnUsage {
  std::uint64_t values = 0;
  std::uint64_t storedBytes = 0;
  std::uint64_t decodedBytes = 0;
  std::vector<StoredForm> forms; ///< most bytes first
};

/// The least and the greatest value of a page or cluster, as bits of the member's type. NaNs are
/// ignored.
struct Extremes {
  std::uint64_t least = 0;
  std::uint64_t greatest = 0;
  bool hasNone = false; ///< there are no values, or only NaNs
  bool hasNaN = false;
  friend bool operator==(const Extremes&, const Extremes&) = default;
};

/// A page of a column as stored, for programs that decode it themselves: see Encodings in
/// docs/format.md. Its bytes are valid until you request the next page.
struct StoredPage {
  ColumnNumber column = 0; ///< its number in the schema, which describes it
  EntryRange entries{0, 0};
  /// Whether nothing is stored. Each value is then `missing`; there are as many as rows, or
  /// entries.
  bool isMissing = false;
  std::uint64_t missing = 0; ///< the bytes of a scalar
  /// Values of the column, where an array is one value. Counts are not summed up.
  std::uint64_t values = 0;
  /// The scalars or rows that are encoded: see docs/format.md.
  codec::Element element;
  codec::Encoding encoding = codec::Encoding::raw;
  /// The codec that was requested. The bytes tell which codec was used.
  std::uint8_t codec = 0;
  std::uint32_t checksum = 0; ///< the lower half of the bytes' XXH3-64
  std::span<const std::byte> bytes = {};
};

namespace detail {

/// The state of one reader in a category, such as bytes that were fetched for it. For one thread at
/// a time. The source must outlive it.
class Cursor {
public:
  virtual ~Cursor() = default;
  Cursor() = default;
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  /// Announces columns and entries that will be read soon, in ascending order, to fetch them
  /// together. Data beyond the memory budget are read on demand. Data that were fetched before and
  /// not read yet may be dropped.
  virtual void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) = 0;

  /// Begins to fetch all announced data, as far as the memory budget allows. Keeps them for all
  /// cursors of the source as long as the result lives. Useful if requests are slow and several
  /// cursors read parts of the data. Returns null if it saves nothing.
  [[nodiscard]] virtual std::shared_ptr<const void> hold() { return nullptr; }

  /// Returns the pages of a group (Schema::groupOf) that contain an entry, which must be less than
  /// entries().
  [[nodiscard]] virtual PageRange pages(TableNumber group, std::uint64_t entry) = 0;

  /// Decodes a column's page of `values` values into `page`, or sets `page` to existing memory.
  /// Sums up counts. Throws Error(corrupt) if the number of values or the checksum is wrong, or if
  /// decoding fails.
  virtual void read(ColumnNumber column, const PageRange& range, std::size_t values,
                    Page& page) = 0;

  /// Returns a column's page as stored; nothing if the format does not store pages this way. Throws
  /// Error(corrupt) if the checksum is wrong.
  [[nodiscard]] virtual std::optional<StoredPage> stored(ColumnNumber /*column*/,
                                                         const PageRange& /*range*/) {
    return std::nullopt;
  }

  /// Returns the extremes of a member's values in a page, if the file has them.
  [[nodiscard]] virtual std::optional<Extremes>
  extremes(TableNumber /*table*/, MemberNumber /*member*/, const PageRange& /*range*/) {
    return std::nullopt;
  }
};

} // namespace detail

/// A part of a category that cannot be read.
struct Unreadable {
  std::string name;   ///< its name in the file
  std::string type;   ///< its type in the file
  std::string reason; ///< "has a streamer of its own"
};

/// One category of a file of any format, as columns. All functions are thread-safe.
class Source {
public:
  virtual ~Source() = default;
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  /// Returns file and category for messages: "events.kaon:events".
  [[nodiscard]] virtual const std::string& name() const noexcept = 0;
  [[nodiscard]] virtual const Schema& schema() const noexcept = 0;
  [[nodiscard]] virtual std::uint64_t entries() const noexcept = 0;

  /// Returns the runs of entries that were written together, in order; they cover all entries.
  /// Reading is fastest if you read one cluster after another.
  [[nodiscard]] virtual std::vector<EntryRange> clusters() const = 0;

  /// Returns the state for a new reader.
  [[nodiscard]] virtual std::unique_ptr<detail::Cursor> cursor() const = 0;

  /// Returns the extremes of a member's values in a cluster, if the file has them. `cluster` is an
  /// index in clusters().
  [[nodiscard]] virtual std::optional<Extremes>
  extremes(TableNumber /*table*/, MemberNumber /*member*/, std::size_t /*cluster*/) const {
    return std::nullopt;
  }

  /// Returns the extremes of all clusters if the file has them without reading pages. Otherwise
  /// returns an empty vector.
  [[nodiscard]] virtual std::vector<Extremes> extremesOfClusters(TableNumber /*table*/,
                                                                 MemberNumber /*member*/) const {
    return {};
  }

  /// Returns the file's description of a column's pages, without reading data; nothing if the file
  /// has none.
  [[nodiscard]] virtual std::optional<ColumnUsage> usage(ColumnNumber /*column*/) const {
    return std::nullopt;
  }

  /// Returns the parts of the category that cannot be read. Everything else can be read.
  [[nodiscard]] virtual std::span<const Unreadable> unreadable() const noexcept { return {}; }

  /// Returns the sorted keys of all entries, if the file stores them; otherwise null. The result is
  /// a source with one row for each entry. Its values have the names of the keys. They are sorted
  /// by the first key, then by the second. The value `entryOfKeys` is the number of the entry. The
  /// result lives as long as this source.
  [[nodiscard]] virtual const Source* sortedKeys() const noexcept { return nullptr; }
};

namespace detail {

/// The value of sorted keys that holds the entry's number.
inline constexpr std::string_view entryOfKeys = "#entry";

} // namespace detail

/// Bytes of a file outside pages.
struct Overhead {
  std::string category; ///< "" if they belong to no category
  std::string what;     ///< "index", "schema", "padding", ...
  std::uint64_t bytes = 0;
};

/// An open file of any format, with its categories in the order in which they were first written.
/// All functions are thread-safe.
class File {
public:
  virtual ~File() = default;
  File() = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[nodiscard]] virtual const std::string& name() const noexcept = 0;
  /// Returns the name of the format: "kaon", "memory", ...
  [[nodiscard]] virtual std::string_view format() const noexcept = 0;
  /// Returns the size in bytes.
  [[nodiscard]] virtual std::uint64_t bytes() const noexcept = 0;
  /// Returns a number that identifies the file, wherever it is stored.
  [[nodiscard]] virtual std::uint64_t id() const noexcept = 0;
  [[nodiscard]] virtual std::vector<std::string> categories() const = 0;
  /// Returns a category by name. Throws Error(name) with a suggestion. The source lives as long as
  /// the file.
  [[nodiscard]] virtual const Source& category(std::string_view name) const = 0;
  /// Returns the names of the texts in the file. For example, "model:NAME" is a data model in JSON.
  [[nodiscard]] virtual std::vector<std::string> documents() const { return {}; }
  /// Returns a text by name. Throws Error(name) with a suggestion.
  [[nodiscard]] virtual std::string document(std::string_view name) const = 0;
  /// Returns whether the writer finished the file. If not, opening it warned, and kaon reads its
  /// intact part.
  [[nodiscard]] virtual bool isComplete() const noexcept { return true; }
  /// Returns whether kaon wrote columns as optional only if values were missing. A column of this
  /// file may then be optional in another file.
  [[nodiscard]] virtual bool hasOptionalsByValues() const { return false; }
  /// Returns the bytes outside pages, as far as the file states them. Reads no data.
  [[nodiscard]] virtual std::vector<Overhead> overheads() const { return {}; }
  /// The objects that are not categories, such as histograms. Null if the format has none.
  [[nodiscard]] virtual const ObjectStore* objectStore() const noexcept { return nullptr; }
};

/// How files are read.
struct OpenOptions {
  /// Whether files of the file system are mapped into memory.
  MapUse map = MapUse::automatic;
  /// The maximum number of bytes that a reader fetches in advance.
  std::size_t memoryBudget = std::size_t{32} << 20;
  /// Checks each page that is read against its checksum.
  bool verify = true;
  /// Combines arrays of a ROOT tree with the same counter, such as Muon_pt[nMuon], or projections
  /// of one collection of an RNTuple into one collection. Otherwise each is a list of its own.
  bool group = true;
  /// Selects the records of a HIPO file whose events have one of these tags; empty to select all.
  std::vector<std::uint64_t> tags = {};
};

} // namespace kaon
