#pragma once

#include <kaon/codec/Codec.h>

namespace kaon::codec {

/// Makes the state to decompress a codec's bytes in this thread, which is kept. Throws
/// std::bad_alloc if memory is short. Call this where bytes that do not decompress are damaged.
void requireDecompressor(Codec codec);

} // namespace kaon::codec
