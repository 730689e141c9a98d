#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/formats/root/container/BigEndian.h>
#include <kaon/formats/root/tree/Pointers.h>
#include <kaon/formats/root/tree/Shape.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace kaon::root {

/// Decodes values of any shape into columns, entry by entry, for the entries of a page.
class ShapeDecoder {
public:
  /// The shape must have its output numbers. It must outlive the stream.
  explicit ShapeDecoder(const ShapePart& part);

  /// Forgets all values.
  void clear();
  /// Begins with the bytes of another reader. `bytesBefore` is their position in the basket,
  /// including its key.
  void beginPiece(std::size_t bytesBefore) noexcept { m_pointers.beginPiece(bytesBefore); }
  /// Decodes the `count` values of an entry, which ends at `end` in the reader's bytes. `sizes` has
  /// the lengths of arrays whose counter is another unit. Throws Error(corrupt), Error(version) for
  /// bytes that do not match the shape. Both can be due to code of the class that the file does not
  /// describe.
  void decode(BigEndianReader& reader, std::size_t end, std::size_t count,
              std::span<const std::uint32_t> sizes = {});
  /// Decodes the values of an entry, at least one. Finds out the classes of objects in those
  /// TClonesArrays whose class the shape does not know. newClones() returns them by place. Throws
  /// like decode().
  void lookAt(BigEndianReader& reader);
  [[nodiscard]] const std::map<std::string, std::string>& newClones() const noexcept {
    return m_newClones;
  }

  /// The decoded values of an output. For counts: their cumulative sums, beginning with 0.
  [[nodiscard]] std::span<const std::byte> values(std::uint32_t output) const noexcept {
    return m_outputs[output].bytes.bytes();
  }

private:
  struct Output {
    bool isCounts = false;
    std::uint32_t total = 0; // of counts
    Buffer bytes;
  };
  void prepare(const Shape& shape);
  void beginEntry(std::size_t bytes);
  void decodeEntry(std::size_t count, BigEndianReader& reader);
  void put(std::uint32_t output, std::uint32_t number);
  void putCount(std::uint32_t output, std::size_t count, const BigEndianReader& reader);
  void decodePart(const ShapePart& part, std::size_t count, bool isBare, BigEndianReader& reader);
  void decodeOnce(const ShapePart& part, std::size_t count, BigEndianReader& reader);
  void decodeEach(const ShapePart& part, std::size_t count, BigEndianReader& reader);
  void decodeClones(const ShapePart& part, std::size_t count, BigEndianReader& reader);
  void decodeCounted(const ShapePart& part, std::size_t count, BigEndianReader& reader);
  void decodeSized(const ShapePart& part, std::size_t count, BigEndianReader& reader);
  void decodeElements(const Shape& list, std::size_t size, BigEndianReader& reader);
  void decodeLoop(const ShapePart& part, std::size_t count, BigEndianReader& reader);
  void decodeFramed(const ShapePart& part, std::size_t count, BigEndianReader& reader);
  void decodePrefixed(const ShapePart& part, std::size_t count, BigEndianReader& reader);
  void decodeRest(const ShapePart& part, std::size_t count, BigEndianReader& reader);
  void decodeValues(const Shape& shape, std::size_t count, BigEndianReader& reader);
  void readClassName(BigEndianReader& reader);
  void decodeList(const Shape& shape, BigEndianReader& reader);
  void skipPointer(BigEndianReader& reader);
  static void skipFrame(BigEndianReader& reader);
  void decodePointer(const Shape& shape, BigEndianReader& reader);
  void decodeMemberWise(const Shape& shape, std::size_t count, BigEndianReader& reader);
  void decodeColumns(const Shape& record, std::size_t count, BigEndianReader& reader);
  void decodeRecord(const Shape& record, bool isBare, BigEndianReader& reader);
  void decodeText(const Shape& shape, BigEndianReader& reader);
  void decodeReferences(const Shape& shape, BigEndianReader& reader);
  void putZeros(const Shape& shape, std::size_t count, const BigEndianReader& reader);
  void spend(std::uint64_t bytes, const BigEndianReader& reader);
  void decodeNumber(const Shape& shape, std::size_t count, BigEndianReader& reader);
  [[nodiscard]] std::size_t counterOf(const ShapePart& array, std::size_t fromLast,
                                      const BigEndianReader& reader) const;

  const ShapePart& m_part;
  std::vector<Output> m_outputs;
  const Shape* m_record = nullptr;        // the record that is being decoded
  std::span<const std::uint32_t> m_sizes; // lengths of the arrays in the entry
  std::size_t m_end = 0;                  // of the entry, or of the part behind a header
  Pointers m_pointers;
  std::map<std::string, std::string> m_newClones;
  std::uint64_t m_left = 0; // bytes left for values that are not in the file
};

} // namespace kaon::root
