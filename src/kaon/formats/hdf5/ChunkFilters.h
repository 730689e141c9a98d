#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/codec/Codec.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kaon::hdf5 {

/// A filter that was applied to the bytes of each chunk. kaon undoes all filters itself, in any
/// thread. Shuffle, deflate and fletcher32 are libhdf5's: HDF5 File Format Specification,
/// IV.A.2.l. The others are registered with The HDF Group; ForeignFilters.h describes them.
struct ChunkFilter {
  enum class Kind : std::uint8_t {
    shuffle,    ///< The first byte of each element, then the second byte of each, ...
    deflate,    ///< A zlib stream.
    fletcher32, ///< A checksum of 4 bytes behind the data.
    zstd,       ///< A Zstandard frame.
    lz4,        ///< Blocks of LZ4.
    lzf,        ///< A stream of LibLZF.
    bitshuffle, ///< The first bit of each element, then the second bit of each, ...
    blosc       ///< A buffer of c-blosc.
  };
  Kind kind = Kind::shuffle;
  std::uint32_t elementSize = 1;  ///< Of shuffle and bitshuffle.
  std::uint32_t blockBytes = 0;   ///< Of bitshuffle without a codec; 0: its own choice.
  Codec blockCodec = Codec::none; ///< Of bitshuffle: none, lz4, zstd.
};

/// In the order in which they were applied.
using ChunkFilters = std::vector<ChunkFilter>;

/// Whether the size of a chunk after the filter depends on its values.
[[nodiscard]] bool compresses(const ChunkFilter& filter) noexcept;
/// The codec of a filter that compresses; none if kaon writes nothing like it.
[[nodiscard]] Codec codecOf(const ChunkFilter& filter) noexcept;

/// Decodes chunks for one reader and reuses its memory.
class ChunkDecoder {
public:
  /// Fills `out`, a chunk, exactly. At most one filter may compress. `skipped` has a bit for each
  /// filter that was not applied. Returns false if the bytes decode to another size or do not match
  /// their checksum.
  [[nodiscard]] bool decode(const ChunkFilters& filters, std::uint32_t skipped,
                            std::span<const std::byte> bytes, std::span<std::byte> out);

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
