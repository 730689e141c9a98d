#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/EntrySelection.h>
#include <kaon/io/ByteSource.h>
#include <kaon/io/FetchedRanges.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace kaon::root {

/// How numbers lie in the decompressed bytes of a page of an RNTuple, or of a basket of a tree.
struct SerializedForm {
  /// Of an RNTuple the type of the column as its specification has it: "SplitReal32". Of a tree,
  /// where all numbers are big-endian: "float32", "int64", ...; "bool", a byte that is not 0;
  /// "truncated", a byte with the exponent of a float32 and a number of two bytes, of which the bit
  /// `mantissaBits` + 1 is the sign and those below it are the mantissa's first; "steps".
  std::string_view type;
  std::uint32_t bits = 0; ///< of each number as it is stored
  std::uint32_t mantissaBits = 0;
  /// Where this is not 0, what is stored are whole numbers n, which stand for low + n * step.
  double step = 0;
  double low = 0;

  // Of baskets, which have the bytes of one entry after another:
  enum class Bounds : std::uint8_t {
    fixed,   ///< each entry has `entryBytes`
    offsets, ///< behind them, 32 bits each: how many follow, then where each entry begins, plus
             ///< `keyBytes`
    sizes,   ///< the same with the bytes of the entry before, of the first one 0
    counter  ///< nowhere: what counts the values of an entry says it
  };
  Bounds bounds = Bounds::fixed;
  std::uint32_t keyBytes = 0;
  std::uint64_t dataBytes = 0;  ///< of all entries
  std::uint32_t entryBytes = 0; ///< if they are fixed
  std::uint32_t skipped = 0;    ///< bytes of an entry before its first number
  std::uint32_t extent = 1;     ///< numbers that belong together, such as an array
};

/// Numbers of a column as they lie in the file: a page of an RNTuple or a basket of a tree.
struct SerializedPage {
  std::uint32_t column = 0; ///< of the schema, which says what it is
  /// Of a basket; of a page those of its cluster.
  EntryRange entries{0, 0};
  /// Of a page: the number of its first element, counted from the beginning of its cluster, and how
  /// many it has.
  std::uint64_t firstElement = 0, elements = 0;
  SerializedForm form;
  /// Blocks as ROOT compresses them; where there are as many as `decompressedBytes`, the
  /// decompressed ones themselves.
  std::span<const std::byte> bytes;
  std::uint64_t decompressedBytes = 0;
  bool hasChecksum = false;
  std::uint64_t checksum = 0; ///< XXH3 of `bytes`, of 64 bits

  std::uint64_t position = 0;    ///< in the file: of the page, or the basket's key
  std::uint64_t storedBytes = 0; ///< from there on, with what is not among `bytes`
};

/// A source whose pages can be had as they lie in the file.
class SerializedSource {
public:
  virtual ~SerializedSource() = default;
  SerializedSource() = default;
  SerializedSource(const SerializedSource&) = delete;
  SerializedSource& operator=(const SerializedSource&) = delete;

  /// The pages of a column that have values of these entries, in order, without their bytes. Throws
  /// Error(usage) for a column that is not stored as numbers.
  [[nodiscard]] virtual std::vector<SerializedPage> serializedPages(std::uint32_t column,
                                                                    EntryRange entries) const = 0;
  /// Fills in the bytes, which lie in `fetched`, `room` or the file, and what only they say. Throws
  /// Error(corrupt).
  virtual void readSerialized(SerializedPage& page, const io::FetchedRanges& fetched,
                              Buffer& room) const = 0;
  [[nodiscard]] virtual const io::ByteSource& bytesOfFile() const noexcept = 0;
};

} // namespace kaon::root
