#pragma once

#include <kaon/codec/Codec.h>
#include <kaon/event/Writer.h>
#include <kaon/model/Schema.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>

namespace bench {

inline constexpr std::array codecs{kaon::uncompressed(), kaon::lz4(), kaon::zstd()};
inline constexpr std::array allCodecs{kaon::uncompressed(), kaon::lz4(), kaon::zstd(), kaon::zlib(),
                                      kaon::lzma()};

/// A number an event.
[[nodiscard]] inline kaon::TableDefinition valueTable(std::string name, kaon::Scalar type,
                                                      std::string unit = {},
                                                      std::string description = {}) {
  return {.name = std::move(name),
          .kind = kaon::TableKind::value,
          .type = std::string(kaon::nameOf(type)),
          .rowSize = kaon::sizeOf(type),
          .members = {{.name = "",
                       .type = type,
                       .unit = std::move(unit),
                       .description = std::move(description)}}};
}

/// Calls `use(first, last)` for the entries of each cluster, if they take `entryBytes` each and
/// clusters are as large as kaon::Writer makes them.
template <class Use>
void forEachCluster(const kaon::Schema& schema, std::size_t entries, std::size_t entryBytes,
                    Use use) {
  const std::size_t bytes = kaon::usualClusterBytes(schema.columns().size());
  const std::size_t most = std::max<std::size_t>(bytes / entryBytes, 1);
  for (std::size_t first = 0; first < entries; first += most)
    use(first, std::min(first + most, entries));
}

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
