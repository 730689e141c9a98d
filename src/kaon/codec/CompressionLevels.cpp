#include <kaon/codec/CompressionLevels.h>

#include <kaon/base/Error.h>

#include <utility>

namespace kaon {
namespace {

/// Returns the lowest and the highest level.
std::pair<int, int> levelsOf(Compression how) noexcept {
  switch (how.codec) {
  case Codec::lz4:
    return {1, 65537};
  case Codec::zstd:
    return {-7, 22};
  case Codec::zlib:
    return {1, 12};
  case Codec::lzma:
    return {0, 9};
  case Codec::none:
    break;
  }
  return {how.level, how.level}; // the codec has no levels
}

} // namespace

void checkLevel(Compression how) {
  const auto [least, most] = levelsOf(how);
  if (how.level < least || how.level > most)
    fail(ErrorKind::usage, codecName(how.codec), " has the levels ", least, " to ", most, ", not ",
         how.level);
}

} // namespace kaon
