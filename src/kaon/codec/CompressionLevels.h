#pragma once

#include <kaon/codec/Codec.h>

namespace kaon {

/// Throws Error(usage) if the codec has no such level: see Compression.
void checkLevel(Compression how);

} // namespace kaon
