#pragma once

#include <kaon/base/Buffer.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kaon::hdf5 {

/// The filters that were applied to the bytes of each chunk, in this order. Every libhdf5 has these
/// three. kaon implements them itself, for any thread. See HDF5 File Format Specification,
/// IV.A.2.l.
enum class ChunkFilter : std::uint8_t {
  shuffle,   ///< the first byte of each element, then the second byte of each, ...
  deflate,   ///< a zlib stream
  fletcher32 ///< a checksum of 4 bytes behind the data
};

/// Each filter occurs at most once.
using ChunkFilters = std::vector<ChunkFilter>;

/// Decodes chunks for one reader and reuses its memory.
class ChunkDecoder {
public:
  /// Fills `out`, a chunk, exactly. `skipped` has a bit for each filter that was not applied.
  /// `elementSize` is the size of shuffled elements. Returns false if the bytes decode to another
  /// size or do not match their checksum.
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

/// Shuffles and deflates a chunk with a level of 1 to 12. Skips deflate if it saves nothing.
[[nodiscard]] EncodedChunk encodeChunk(std::span<const std::byte> chunk, std::size_t elementSize,
                                       int level);

} // namespace kaon::hdf5
