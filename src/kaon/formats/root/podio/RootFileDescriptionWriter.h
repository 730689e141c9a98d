#pragma once

#include <kaon/codec/Codec.h>
#include <kaon/formats/root/container/ContainerWriter.h>
#include <kaon/formats/root/podio/RootFileDescription.h>

namespace kaon::root::podio {

/// Writes the RNTuple `podio_metadata` of a file. Throws Error(io).
void writeDescription(ContainerWriter& file, const RootFileDescription& description,
                      Compression codec);

} // namespace kaon::root::podio
