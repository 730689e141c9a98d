#include <kaon/formats/root/container/ZstdPlanes.h>

#include <kaon/base/OfThread.h>
#include <kaon/codec/BlockCompression.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>
#include <zstd.h>

// A zstd frame consists of blocks. A block depends on earlier blocks by entropy tables and three
// repeat offsets. Frames begin without tables, and only matches change the offsets. So blocks of
// several frames can be joined into one frame if at most one of these frames has matches.

namespace kaon::root {
namespace {

using Bytes = std::span<const std::byte>;

enum class BlockForm : std::uint8_t {
  raw,     ///< stored
  coded,   ///< entropy-coded byte by byte, without matches
  searched ///< with matches
};

std::size_t load(Bytes bytes, std::size_t at, std::size_t count) noexcept {
  std::size_t value = 0;
  for (std::size_t i = 0; i < count; ++i)
    value |= std::to_integer<std::size_t>(bytes[at + i]) << 8 * i;
  return value;
}

void put(std::size_t value, int bytes, Buffer& out) {
  for (int i = 0; i < bytes; ++i)
    *out.grow(1) = static_cast<std::byte>(value >> 8 * i);
}

/// A compressor that finds no matches. Null if this version of zstd does not support the settings.
struct Coder {
  struct Release {
    void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
  };
  Coder() {
    constexpr int codesAlways = 1, farthest = 128 * 1024;
    const auto set = [&](ZSTD_cParameter parameter, int value) {
      return context && !ZSTD_isError(ZSTD_CCtx_setParameter(context.get(), parameter, value));
    };
    const bool isSet = set(ZSTD_c_compressionLevel, 1) && set(ZSTD_c_strategy, ZSTD_fast) &&
                       set(ZSTD_c_targetLength, farthest) &&        // steps between attempts
                       set(ZSTD_c_experimentalParam5, codesAlways); // ZSTD_c_literalCompressionMode
    if (!isSet)
      context.reset();
  }

  std::unique_ptr<ZSTD_CCtx, Release> context{ZSTD_createCCtx()};
};
ZSTD_CCtx* coder() { return ofThread<Coder>().context.get(); }

/// Appends a frame of entropy-coded bytes. Returns false if it does not fit into as many bytes as
/// it encodes.
bool code(Bytes bytes, Buffer& out) {
  const std::size_t before = out.size();
  std::byte* const begin = out.grow(bytes.size());
  const std::size_t size = ZSTD_compress2(coder(), begin, bytes.size(), bytes.data(), bytes.size());
  out.shrink(before + (ZSTD_isError(size) ? 0 : size));
  return !ZSTD_isError(size);
}

/// Returns the blocks of a frame, without its header.
Bytes blocksOf(Bytes frame) noexcept {
  constexpr std::array<std::size_t, 4> dictionary{0, 1, 2, 4}, size{0, 2, 4, 8};
  constexpr std::size_t magicBytes = 4, isSingle = 0x20;
  const std::size_t descriptor = load(frame, magicBytes, 1);
  const bool isOneSegment = (descriptor & isSingle) != 0;
  const std::size_t sizeBytes = descriptor >> 6 == 0 && isOneSegment ? 1 : size[descriptor >> 6];
  return frame.subspan(magicBytes + 1 + (isOneSegment ? 0 : 1) + dictionary[descriptor & 3] +
                       sizeBytes);
}

/// Whether a compressed block has no matches.
bool isPlain(Bytes block) noexcept {
  const std::size_t type = load(block, 0, 1) & 3, form = load(block, 0, 1) >> 2 & 3;
  std::size_t literals = 0; // bytes before the matches
  if (type < 2) {
    const std::size_t header = form == 1 ? 2 : form == 3 ? 3 : 1;
    const std::size_t count = load(block, 0, header) >> (header == 1 ? 3 : 4);
    literals = header + (type == 0 ? count : 1);
  } else {
    const std::size_t header = form < 2 ? 3 : form + 2, bits = form < 2 ? 10 : 4 * form + 6;
    literals = header + (load(block, 0, header) >> (4 + bits) & ((std::size_t{1} << bits) - 1));
  }
  return literals + 1 == block.size() && load(block, literals, 1) == 0;
}

/// A frame that is assembled from blocks.
class ZstdFrame {
public:
  static constexpr std::size_t mostInBlock = 128 * 1024;

  ZstdFrame(std::size_t size, Buffer& out) : m_out(out) {
    constexpr std::size_t magic = 0xFD2FB528, oneSegmentWithSizeIn4Bytes = 0xA0;
    put(magic, 4, out);
    put(oneSegmentWithSizeIn4Bytes, 1, out);
    put(size, 4, out);
  }

  void addRaw(Bytes bytes) {
    while (!bytes.empty()) {
      const Bytes block = bytes.first(std::min(bytes.size(), mostInBlock));
      m_last = m_out.size();
      put(block.size() << 3, headerBytes, m_out);
      m_out.append(block);
      bytes = bytes.subspan(block.size());
    }
  }

  /// Adds the blocks of another frame. Returns false if `mustBePlain` and one of them has matches.
  bool addBlocksOf(Bytes frame, bool mustBePlain) {
    for (Bytes blocks = blocksOf(frame); !blocks.empty();) {
      const std::size_t header = load(blocks, 0, headerBytes), type = header >> 1 & 3;
      // Type 1: a single byte that is repeated.
      const std::size_t bytes = type == 1 ? 1 : header >> 3;
      if (mustBePlain && type == 2 && !isPlain(blocks.subspan(headerBytes, bytes)))
        return false;
      m_last = m_out.size();
      put(header & ~std::size_t{1}, headerBytes, m_out);
      m_out.append(blocks.subspan(headerBytes, bytes));
      blocks = blocks.subspan(headerBytes + bytes);
    }
    return true;
  }

  /// Sets the flag of the last block.
  void finish() noexcept { m_out.data()[m_last] |= std::byte{1}; }

private:
  static constexpr int headerBytes = 3;
  Buffer& m_out;
  std::size_t m_last = 0; // where the last block begins
};

/// Chooses the best way for a plane by a sample from its middle. The search for matches takes
/// longest. It is skipped if earlier planes have no matches and coding leaves a fifth to a half of
/// the bytes.
BlockForm wayFor(Compression how, Bytes plane, bool isUnrepeated, Buffer& scratch) {
  constexpr std::size_t sampleBytes = 4 * 1024;
  const Bytes sample = plane.subspan((plane.size() - sampleBytes) / 2, sampleBytes);
  scratch.clear();
  const std::size_t coded = code(sample, scratch) ? scratch.size() : sampleBytes;
  if (isUnrepeated && coded > sampleBytes / 5 && coded < sampleBytes / 2)
    return BlockForm::coded;
  scratch.clear();
  const std::size_t searched = codec::compress(how, sample, scratch) ? scratch.size() : sampleBytes;
  if (std::min(coded, searched) == sampleBytes)
    return BlockForm::raw;
  return coded <= searched ? BlockForm::coded : BlockForm::searched;
}

/// Chooses the way of each plane. All planes between the first and the last searched one are
/// searched, too, because only one frame may have matches.
std::vector<BlockForm> waysFor(Compression how, Bytes bytes, std::size_t planeBytes,
                               Buffer& scratch) {
  std::vector<BlockForm> ways;
  for (std::size_t at = 0; at < bytes.size(); at += planeBytes) {
    const bool isUnrepeated = at > 0 && std::ranges::find(ways, BlockForm::searched) == ways.end();
    ways.push_back(wayFor(how, bytes.subspan(at, planeBytes), isUnrepeated, scratch));
  }
  const auto first = std::ranges::find(ways, BlockForm::searched);
  const auto last = std::ranges::find(ways.rbegin(), ways.rend(), BlockForm::searched).base();
  if (first != ways.end())
    std::fill(first, last, BlockForm::searched);
  return ways;
}

/// Adds consecutive planes to a frame. Returns false if that is impossible.
bool addPlanes(Compression how, BlockForm way, Bytes planes, ZstdFrame& frame, Buffer& scratch) {
  scratch.clear();
  const bool isSmaller = way == BlockForm::searched
                             ? codec::compress(how, planes, scratch)
                             : way == BlockForm::coded && code(planes, scratch);
  if (isSmaller)
    return frame.addBlocksOf(scratch.bytes(), way == BlockForm::coded);
  frame.addRaw(planes);
  return true;
}

} // namespace

bool compressPlanes(int level, Bytes bytes, std::size_t planeBytes, Buffer& out) {
  // In smaller planes the samples would cost too much time.
  constexpr std::size_t leastPlane = 64 * 1024;
  constexpr int slowLevel = 6; // the search at this level finds matches that samples do not show
  const Compression how = zstd(level);
  if (planeBytes < leastPlane || level >= slowLevel || bytes.size() % planeBytes != 0 || !coder())
    return codec::compress(how, bytes, out);
  Buffer scratch;
  const std::vector<BlockForm> ways = waysFor(how, bytes, planeBytes, scratch);
  const std::size_t before = out.size();
  ZstdFrame frame(bytes.size(), out);
  bool isWhole = true;
  for (std::size_t plane = 0; plane < ways.size() && isWhole;) {
    std::size_t end = plane + 1;
    while (end < ways.size() && ways[end] == ways[plane] && ways[plane] != BlockForm::coded)
      ++end; // each block has its own codes, so each coded plane gets its own block
    isWhole =
        addPlanes(how, ways[plane], bytes.subspan(plane * planeBytes, (end - plane) * planeBytes),
                  frame, scratch);
    plane = end;
  }
  if (!isWhole) {
    out.shrink(before);
    return codec::compress(how, bytes, out);
  }
  frame.finish();
  const bool isSmaller = out.size() - before <= bytes.size() - (bytes.size() + 31) / 32;
  if (!isSmaller)
    out.shrink(before);
  return isSmaller;
}

} // namespace kaon::root
