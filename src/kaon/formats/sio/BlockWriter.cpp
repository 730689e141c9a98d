#include <kaon/formats/sio/BlockWriter.h>

#include <kaon/base/Error.h>
#include <kaon/codec/BlockCompression.h>
#include <kaon/codec/Contexts.h>
#include <kaon/formats/sio/SioRecord.h>

#include <algorithm>
#include <libdeflate.h>
#include <limits>
#include <new>

namespace kaon::sio {
namespace {

/// A record has at most 4 GiB, even if its blocks do not shrink: zlib adds five bytes to each piece
/// of at least 5000 bytes.
constexpr std::size_t mostBlockBytes =
    std::numeric_limits<std::uint32_t>::max() - (std::size_t{8} << 20);

constexpr std::size_t filled(std::size_t bytes) noexcept { return (bytes + 3) / 4 * 4; }

void appendWord(std::uint32_t word, Buffer& out) { storeBigEndian(word, out.grow(sizeof word)); }

void appendName(std::string_view name, Buffer& out) {
  appendWord(static_cast<std::uint32_t>(name.size()), out);
  out.append(std::as_bytes(std::span(name)));
  const std::size_t rest = filled(name.size()) - name.size();
  if (rest > 0)
    std::memset(out.grow(rest), 0, rest);
}

void append(std::string_view name, std::span<const std::byte> data, std::size_t decompressed,
            bool isCompressed, Buffer& out) {
  appendWord(static_cast<std::uint32_t>(recordHeaderBytes + filled(name.size())), out);
  appendWord(recordMark, out);
  appendWord(isCompressed ? 1 : 0, out);
  appendWord(static_cast<std::uint32_t>(data.size()), out);
  appendWord(static_cast<std::uint32_t>(decompressed), out);
  appendName(name, out);
  out.append(data);
  const std::size_t rest = filled(data.size()) - data.size();
  if (rest > 0)
    std::memset(out.grow(rest), 0, rest);
}

libdeflate_compressor& deflaterOf(int level) {
  libdeflate_compressor* const deflater = codec::deflateCompressor(level);
  if (!deflater)
    throw std::bad_alloc();
  return *deflater;
}

} // namespace

bool isBlockName(std::string_view name) {
  return !name.empty() && name.size() <= mostNameBytes && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

void BlockWriter::beginBlock(std::string_view name, std::uint32_t version) {
  m_block = m_bytes.size();
  appendWord(0, m_bytes);
  appendWord(blockMark, m_bytes);
  appendWord(version, m_bytes);
  appendName(name, m_bytes);
}

void BlockWriter::endBlock() {
  if (m_bytes.size() > mostBlockBytes)
    failSize();
  setCount(m_block, static_cast<std::uint32_t>(m_bytes.size() - m_block));
}

void BlockWriter::put(std::string_view text) {
  putCount(text.size());
  if (!text.empty())
    std::memcpy(room(text.size()), text.data(), text.size());
}

std::byte* BlockWriter::room(std::size_t bytes) {
  const std::size_t whole = filled(bytes);
  std::byte* const begin = m_bytes.grow(whole);
  if (whole > bytes)
    std::memset(begin + bytes, 0, whole - bytes);
  return begin;
}

void BlockWriter::putCount(std::size_t count) {
  if (count > std::numeric_limits<std::int32_t>::max())
    failSize();
  put(static_cast<std::uint32_t>(count));
}

std::size_t BlockWriter::laterCount() {
  put(std::uint32_t{0});
  return m_bytes.size() - sizeof(std::uint32_t);
}

void BlockWriter::failSize() const {
  fail(ErrorKind::usage, m_where, " is larger than the 4 GiB that a record of SIO can have");
}

Compression compressionOfRecords(Compression how, const std::string& where) {
  constexpr int usual = 6;
  switch (how.codec) {
  case Codec::none:
  case Codec::zlib:
    return how;
  case Codec::zstd:
    return zlib(usual);
  default:
    fail(ErrorKind::usage, where, ": SIO's records are plain or zlib, not ", codecName(how.codec));
  }
}

void appendRecord(std::string_view name, std::span<const std::byte> blocks, Compression how,
                  Buffer& out) {
  Buffer compressed;
  const bool isCompressed = how.codec != Codec::none && codec::compress(how, blocks, compressed);
  append(name, isCompressed ? compressed.bytes() : blocks, blocks.size(), isCompressed, out);
}

void appendDeflatedRecord(std::string_view name, std::span<const std::byte> blocks, Compression how,
                          Buffer& out) {
  libdeflate_compressor& deflater = deflaterOf(how.codec == Codec::none ? 0 : how.level);
  Buffer compressed;
  const auto room = compressed.assign(libdeflate_zlib_compress_bound(&deflater, blocks.size()));
  const std::size_t size =
      libdeflate_zlib_compress(&deflater, blocks.data(), blocks.size(), room.data(), room.size());
  append(name, room.first(size), blocks.size(), true, out);
}

} // namespace kaon::sio
