#pragma once

#include <kaon/codec/Codec.h>

namespace kaon {

/// Throws Error(usage) if the codec does not have this level: see Compression.
void checkLevel(Compression how);

} // namespace kaon
