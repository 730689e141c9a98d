#include <kaon/codec/Codec.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>

#include <algorithm>
#include <array>
#include <lz4.h>
#include <memory>
#include <zstd.h>

namespace kaon {
namespace {
constexpr std::array<std::string_view, 3> codecNames{"none", "lz4", "zstd"};
}

std::string_view codecName(Codec codec) noexcept {
  const auto number = static_cast<std::size_t>(codec);
  return number < codecNames.size() ? codecNames[number] : "?";
}

Codec codecNamed(std::string_view name) {
  const auto found = std::ranges::find(codecNames, name);
  if (found == codecNames.end())
    fail(ErrorKind::name, "no codec is called '", name, "'",
         suggestion(name, {codecNames.begin(), codecNames.end()}), "; there are none, lz4, zstd");
  return static_cast<Codec>(found - codecNames.begin());
}

} // namespace kaon

namespace kaon::codec {
namespace {

template <auto release>
struct Release {
  template <class T>
  void operator()(T* thing) const noexcept {
    release(thing);
  }
};

// Contexts are costly to make and cheap to keep: one of each kind a thread.
ZSTD_CCtx* compressor() {
  thread_local const std::unique_ptr<ZSTD_CCtx, Release<ZSTD_freeCCtx>> context{ZSTD_createCCtx()};
  return context.get();
}
ZSTD_DCtx* decompressor() {
  thread_local const std::unique_ptr<ZSTD_DCtx, Release<ZSTD_freeDCtx>> context{ZSTD_createDCtx()};
  return context.get();
}

/// The bytes written to `out`, or 0 where they do not fit.
std::size_t compressInto(Compression how, std::span<const std::byte> bytes,
                         std::span<std::byte> out) {
  switch (how.codec) {
  case Codec::none:
    return 0;
  case Codec::lz4: {
    if (bytes.size() > LZ4_MAX_INPUT_SIZE)
      return 0;
    const int size = LZ4_compress_fast(
        reinterpret_cast<const char*>(bytes.data()), reinterpret_cast<char*>(out.data()),
        static_cast<int>(bytes.size()), static_cast<int>(out.size()), how.level);
    return static_cast<std::size_t>(std::max(size, 0));
  }
  case Codec::zstd: {
    const std::size_t size = ZSTD_compressCCtx(compressor(), out.data(), out.size(), bytes.data(),
                                               bytes.size(), how.level);
    return ZSTD_isError(size) ? 0 : size;
  }
  }
  fail(ErrorKind::usage, "codec number ", int(how.codec), " does not exist");
}

} // namespace

bool compress(Compression how, std::span<const std::byte> bytes, Buffer& out) {
  const std::size_t most = bytes.size() - bytes.size() / 32;
  if (how.codec == Codec::none || bytes.empty())
    return false;
  const std::size_t before = out.size();
  std::byte* const begin = out.grow(most);
  const std::size_t size = compressInto(how, bytes, {begin, most});
  out.shrink(before + size);
  return size > 0;
}

bool decompress(Codec codec, std::span<const std::byte> bytes, std::span<std::byte> out) noexcept {
  switch (codec) {
  case Codec::none:
    if (bytes.size() != out.size())
      return false;
    std::copy(bytes.begin(), bytes.end(), out.begin());
    return true;
  case Codec::lz4:
    return bytes.size() <= LZ4_MAX_INPUT_SIZE && out.size() <= LZ4_MAX_INPUT_SIZE &&
           LZ4_decompress_safe(reinterpret_cast<const char*>(bytes.data()),
                               reinterpret_cast<char*>(out.data()), static_cast<int>(bytes.size()),
                               static_cast<int>(out.size())) == static_cast<int>(out.size());
  case Codec::zstd:
    return ZSTD_decompressDCtx(decompressor(), out.data(), out.size(), bytes.data(),
                               bytes.size()) == out.size();
  }
  return false;
}

} // namespace kaon::codec
