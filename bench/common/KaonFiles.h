#pragma once

#include <kaon/codec/Codec.h>
#include <kaon/event/Writer.h>

#include <array>
#include <filesystem>
#include <string>

namespace bench {

inline constexpr std::array codecs{kaon::uncompressed(), kaon::lz4(), kaon::zstd()};
inline constexpr std::array allCodecs{kaon::uncompressed(), kaon::lz4(), kaon::zstd(), kaon::zlib(),
                                      kaon::lzma()};

/// Returns the names of the columns of tables: "lz4", or "row/lz4" with layouts.
[[nodiscard]] inline std::string variant(kaon::Compression compression) {
  return std::string(kaon::codecName(compression.codec));
}
[[nodiscard]] inline std::string variant(kaon::Layout layout, kaon::Compression compression) {
  return std::string(kaon::layoutName(layout)) + "/" + variant(compression);
}

[[nodiscard]] inline double sizeOf(const std::string& path) {
  return static_cast<double>(std::filesystem::file_size(path));
}

} // namespace bench
