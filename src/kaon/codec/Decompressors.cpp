#include <kaon/codec/Decompressors.h>

#include <kaon/codec/Contexts.h>

#include <new>

namespace kaon::codec {

void requireDecompressor(Codec codec) {
  if ((codec == Codec::zstd && !zstdDecompressor()) ||
      (codec == Codec::zlib && !deflateDecompressor()))
    throw std::bad_alloc();
}

} // namespace kaon::codec
