#include <kaon/codec/Stored.h>

#include <kaon/base/OfThread.h>
#include <kaon/codec/BlockCompression.h>

#include <cstring>

namespace kaon::codec {
namespace {

constexpr std::uint8_t allTheSame = 255;
constexpr std::size_t storedHeadSize = 5;

bool areTheSame(Bytes bytes) {
  return std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

thread_local std::uint64_t shrunk = 0;

Codec shrinkWith(Compression how, Bytes bytes, Buffer& out) {
  auto& other = ofThread<Buffer>();
  const std::size_t before = out.size();
  if (how.codec == Codec::lzma) {
    other.clear();
    const std::size_t least = compress(zstd(3), bytes, out) ? out.size() - before : bytes.size();
    if (compress(how, bytes, other) && other.size() < least - least / 50) {
      out.shrink(before);
      out.append(other.bytes());
      return Codec::lzma;
    }
    if (out.size() > before)
      return Codec::zstd;
  } else if (compress(how, bytes, out)) {
    return how.codec;
  }
  out.append(bytes);
  return Codec::none;
}

} // namespace

Codec shrink(Compression how, Bytes bytes, Buffer& out) {
  const Codec codec = shrinkWith(how, bytes, out);
  if (codec != Codec::none)
    shrunk += bytes.size();
  return codec;
}

std::uint64_t bytesShrunk() noexcept { return shrunk; }

void putPiece(Compression how, Bytes bytes, Buffer& out) {
  const std::size_t head = out.size();
  out.grow(storedHeadSize);
  auto kind = allTheSame;
  if (areTheSame(bytes))
    out.append(bytes.first(1));
  else
    kind = static_cast<std::uint8_t>(shrink(how, bytes, out));
  const auto size = static_cast<std::uint32_t>(out.size() - head - storedHeadSize);
  std::memcpy(out.data() + head, &kind, 1);
  std::memcpy(out.data() + head + 1, &size, 4);
}

Bytes takePiece(StoredReader& stored, std::size_t size, std::byte* scratch) noexcept {
  const auto kind = stored.get<std::uint8_t>();
  const Bytes bytes = stored.take(stored.get<std::uint32_t>());
  if (!stored.ok())
    return {};
  if (kind == static_cast<std::uint8_t>(Codec::none))
    return bytes;
  const std::span<std::byte> decoded(scratch, size);
  if (kind == allTheSame) {
    if (bytes.size() != 1)
      return {};
    std::memset(scratch, std::to_integer<int>(bytes[0]), size);
  } else if (!decompress(static_cast<Codec>(kind), bytes, decoded)) {
    return {};
  }
  return decoded;
}

} // namespace kaon::codec
