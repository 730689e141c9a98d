#pragma once

#include <kaon/base/Buffer.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kaon::hdf5 {

/// What was done to the bytes of each chunk, in this order. These three every libhdf5 has; kaon
/// does them itself, in any thread. They are described in the HDF5 File Format Specification,
/// IV.A.2.l.
enum class ChunkFilter : std::uint8_t {
  shuffle,   ///< all first bytes of the elements, then all second ones, ...
  deflate,   ///< a zlib stream
  fletcher32 ///< a checksum of 4 bytes behind them
};

/// Each filter once at most.
using ChunkFilters = std::vector<ChunkFilter>;

/// Decodes chunks of one reader, whose memory it uses again.
class ChunkDecoder {
public:
  /// Fills `out`, a chunk, exactly. `skipped` has a bit for each filter that was not applied,
  /// `elementSize` are the bytes of what was shuffled. Returns false if the bytes do not decode to
  /// just that, or do not match their checksum.
  [[nodiscard]] bool decode(const ChunkFilters& filters, std::uint32_t skipped,
                            std::size_t elementSize, std::span<const std::byte> bytes,
                            std::span<std::byte> out);

private:
  std::array<Buffer, 2> m_scratch;
};

/// A chunk as it is stored.
struct EncodedChunk {
  Buffer bytes;
  std::uint32_t skipped = 0; ///< a bit for each filter that was not applied
};

/// Shuffles and deflates a chunk with a level of 1 to 12; deflate is skipped where it saves
/// nothing.
[[nodiscard]] EncodedChunk encodeChunk(std::span<const std::byte> chunk, std::size_t elementSize,
                                       int level);

} // namespace kaon::hdf5
