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

/// Decodes values of any shape into columns: entry by entry, for as many as make a page.
class Stream {
public:
  /// The shape must have its numbers and outlive the stream.
  explicit Stream(const Part& part);

  /// Forgets all values.
  void clear();
  /// The next entries lie in a reader's bytes of which so many of the basket, with its key, come
  /// before.
  void beginPiece(std::size_t bytesBefore) noexcept { m_pointers.beginPiece(bytesBefore); }
  /// Decodes the values of an entry, `count` of them, which end at `end` of the reader's bytes.
  /// Where these are arrays whose counter lies elsewhere, `sizes` are theirs. Throws
  /// Error(corrupt), Error(version).
  void decode(BigEndianReader& reader, std::size_t end, std::size_t count,
              std::span<const std::uint32_t> sizes = {});
  /// Decodes the values of an entry, one at least, to learn of which classes the objects in its
  /// TClonesArrays are that the shape does not say it of: by their places. Throws as decode().
  void lookAt(BigEndianReader& reader);
  [[nodiscard]] const std::map<std::string, std::string>& newClones() const noexcept {
    return m_newClones;
  }

  /// The values of an output. Of counts: what they add up to, from 0 on.
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
  void decodePart(const Part& part, std::size_t count, bool isBare, BigEndianReader& reader);
  void decodeOnce(const Part& part, std::size_t count, BigEndianReader& reader);
  void decodeEach(const Part& part, std::size_t count, BigEndianReader& reader);
  void decodeClones(const Part& part, std::size_t count, BigEndianReader& reader);
  void decodeCounted(const Part& part, std::size_t count, BigEndianReader& reader);
  void decodeValues(const Shape& shape, std::size_t count, BigEndianReader& reader);
  void readClassName(BigEndianReader& reader);
  void decodeList(const Shape& shape, BigEndianReader& reader);
  void skipPointer(BigEndianReader& reader);
  void decodePointer(const Shape& shape, BigEndianReader& reader);
  void decodeMemberWise(const Shape& shape, std::size_t count, BigEndianReader& reader);
  void decodeColumns(const Shape& record, std::size_t count, BigEndianReader& reader);
  void decodeRecord(const Shape& record, bool isBare, BigEndianReader& reader);
  void decodeText(const Shape& shape, BigEndianReader& reader);
  void decodeReferences(const Shape& shape, BigEndianReader& reader);
  void putZeros(const Shape& shape, std::size_t count, const BigEndianReader& reader);
  void spend(std::uint64_t bytes, const BigEndianReader& reader);
  void decodeNumber(const Shape& shape, std::size_t count, BigEndianReader& reader);
  [[nodiscard]] std::size_t counterOf(const Part& array, std::size_t fromLast,
                                      const BigEndianReader& reader) const;

  const Part& m_part;
  std::vector<Output> m_outputs;
  const Shape* m_record = nullptr;        // whose members are being decoded
  std::span<const std::uint32_t> m_sizes; // of the arrays of the entry
  Pointers m_pointers;
  std::map<std::string, std::string> m_newClones;
  std::uint64_t m_left = 0; // bytes of values that the entries do not have themselves
};

} // namespace kaon::root
