#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/EntrySelection.h>
#include <kaon/batch/Source.h>
#include <kaon/detail/batch/PassIterator.h>
#include <kaon/detail/io/FetchedRanges.h>
#include <kaon/io/ByteSource.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::root {

/// The layout of numbers in the decompressed bytes of a page of an RNTuple or a basket of a tree.
struct SerializedForm {
  /// The type of the stored numbers.
  /// Pages of RNTuples have the column type of the format's specification, such as "SplitReal32".
  /// Numbers in trees are big-endian. Their types are "float32", "int64" and so on, and these
  /// three:
  /// "bool" is a byte that is not 0 for true.
  /// "truncated" is a byte with the exponent of a float32, followed by a number of two bytes. Bit
  /// `mantissaBits` + 1 of the number is the sign; the bits below it are the first bits of the
  /// mantissa.
  /// "steps" is a whole number n, see `step`.
  std::string_view type;
  std::uint32_t bits = 0; ///< of each stored number
  std::uint32_t mantissaBits = 0;
  /// If `step` is not 0, the stored numbers are whole numbers n. The value is low + n * step.
  double step = 0;
  double low = 0;

  // Where the entries of a basket begin; their bytes follow one another:
  enum class Bounds : std::uint8_t {
    fixed, ///< each entry has `entryBytes`
    /// An array of 32-bit numbers behind the entries: its length, then the start of each entry,
    /// plus `keyBytes`.
    offsets,
    sizes,  ///< as `offsets`, with the number of bytes of the entry before; 0 for the first entry
    counter ///< not stored: the counter of the entry's values gives its size
  };
  Bounds bounds = Bounds::fixed;
  std::uint32_t keyBytes = 0;
  std::uint64_t dataBytes = 0;  ///< of all entries together
  std::uint32_t entryBytes = 0; ///< for entries of fixed size
  std::uint32_t skipped = 0;    ///< bytes of an entry before its first number
  std::uint32_t extent = 1;     ///< numbers that belong together, such as an array
};

/// Numbers of a column as the file stores them: a page of an RNTuple or a basket of a tree.
struct SerializedPage {
  std::uint32_t column = 0; ///< number of the column in the schema, which describes it
  /// The entries of the basket; for a page, the entries of its cluster.
  EntryRange entries{0, 0};
  /// Pages only: the number of the first element, counted from the beginning of the cluster, and
  /// the number of elements.
  std::uint64_t firstElement = 0, elements = 0;
  SerializedForm form;
  /// Blocks as ROOT compresses them. If there are exactly `decompressedBytes` bytes, they are not
  /// compressed.
  std::span<const std::byte> bytes;
  std::uint64_t decompressedBytes = 0;
  bool hasChecksum = false;
  std::uint64_t checksum = 0; ///< 64-bit XXH3 of `bytes`

  std::uint64_t position = 0; ///< of the page, or of the basket's key, in the file
  /// Bytes from `position` on, including those that are not in `bytes`.
  std::uint64_t storedBytes = 0;
};

/// A source that can return pages as the file stores them.
class SerializedSource {
public:
  virtual ~SerializedSource() = default;
  SerializedSource() = default;
  SerializedSource(const SerializedSource&) = delete;
  SerializedSource& operator=(const SerializedSource&) = delete;

  /// Returns the pages of a column that have values of these entries, in order, without their
  /// bytes. Throws Error(usage) for a column that is not stored as numbers.
  [[nodiscard]] virtual std::vector<SerializedPage> serializedPages(std::uint32_t column,
                                                                    EntryRange entries) const = 0;
  /// Reads the bytes of a page, and the members that depend on them. The bytes are in `fetched`,
  /// `room` or the file. Throws Error(corrupt).
  virtual void readSerialized(SerializedPage& page, const io::FetchedRanges& fetched,
                              Buffer& room) const = 0;
  [[nodiscard]] virtual const io::ByteSource& bytesOfFile() const noexcept = 0;
};

/// Pages of RNTuples, or baskets of trees, in the form that the file stores. Each page has all
/// facts that are needed to decode it elsewhere, on a GPU or another machine. Pages come cluster by
/// cluster. This is a single pass for one thread. The file must outlive it.
///
///   for (const kaon::root::SerializedPage& page : kaon::root::SerializedPages(events.source(),
///                                                                             {"Muon.pt"}))
///     send(page.form, page.bytes);
class SerializedPages {
public:
  /// `names` are as in Schema::membersBelow(); the columns with numbers of rows are added. Only
  /// pages with some of the entries are returned. Throws Error(name) for unknown names. Throws
  /// Error(usage) for columns that are stored as objects of classes, or if the source has another
  /// format.
  SerializedPages(const Source& source, const std::vector<std::string>& names,
                  EntryRange entries = {});

  /// Moves to the next page. Returns false at the end. Throws Error(corrupt).
  bool next();
  /// The current page. Valid until the next call of next().
  [[nodiscard]] const SerializedPage& page() const noexcept { return m_pages[m_next - 1]; }
  /// The schema: `schema().columns()[page.column]` describes the column of a page.
  [[nodiscard]] const Schema& schema() const noexcept { return m_source->schema(); }

  using Iterator = detail::PassIterator<SerializedPages, &SerializedPages::page>;
  [[nodiscard]] Iterator begin() { return Iterator(*this); }
  [[nodiscard]] static std::default_sentinel_t end() { return {}; }

private:
  void fetch();

  const Source* m_source;
  const SerializedSource* m_serialized;
  std::vector<SerializedPage> m_pages;
  std::size_t m_next = 0;
  std::size_t m_fetchedPages = 0; // the pages before this one are fetched
  io::FetchedRanges m_fetched;
  Buffer m_room;
};

/// Returns the decompressed bytes of a page. They are in `room`, or in the file if they are stored
/// uncompressed. ROOT's bulk reading calls them serialized. Throws Error(corrupt).
[[nodiscard]] std::span<const std::byte> decompressed(const SerializedPage& page, Buffer& room);

} // namespace kaon::root
