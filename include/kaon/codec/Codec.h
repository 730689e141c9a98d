#pragma once

#include <cstdint>
#include <string_view>

namespace kaon {

/// Compresses bytes. The values are those in files.
///   lz4   one LZ4 block
///   zstd  one or more Zstandard frames
///   zlib  one zlib stream (RFC 1950): deflate with a header of two bytes and an Adler-32
///   lzma  one raw LZMA2 stream: no .xz container; the window is as large as the decoded bytes
enum class Codec : std::uint8_t { none = 0, lz4 = 1, zstd = 2, zlib = 3, lzma = 4 };

/// A codec and its level.
///   lz4   acceleration, 1 (smallest) to 65537 (fastest)
///   zstd  -7 (fastest) to 22 (smallest)
///   zlib  1 (fastest) to 12 (smallest)
///   lzma  0 (fastest) to 9 (smallest)
struct Compression {
  Codec codec = Codec::zstd;
  int level = 1;
};

[[nodiscard]] constexpr Compression uncompressed() { return {Codec::none, 0}; }
[[nodiscard]] constexpr Compression lz4(int level = 1) { return {Codec::lz4, level}; }
[[nodiscard]] constexpr Compression zstd(int level = 1) { return {Codec::zstd, level}; }
[[nodiscard]] constexpr Compression zlib(int level = 1) { return {Codec::zlib, level}; }
[[nodiscard]] constexpr Compression lzma(int level = 1) { return {Codec::lzma, level}; }

/// Returns "none", "lz4", "zstd", "zlib", "lzma"; "?" for an unknown number.
[[nodiscard]] std::string_view codecName(Codec codec) noexcept;
/// Returns the codec of this name. Throws Error(name) with a suggestion.
[[nodiscard]] Codec codecNamed(std::string_view name);

} // namespace kaon
