#pragma once

#include <kaon/codec/Codec.h>
#include <kaon/model/Schema.h>

#include <array>
#include <filesystem>
#include <string>

namespace bench {

inline constexpr std::array codecs{kaon::uncompressed(), kaon::lz4(), kaon::zstd()};

/// The events of a cluster, or whatever takes `bytes` each, so that it is as large as kaon::Writer
/// makes it.
inline constexpr std::size_t clusterBytes = 16 * 1024 * 1024;

/// What the columns of the tables are called: "lz4", or "row/lz4" where there are layouts.
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
