#pragma once

#include <kaon/formats/root/container/Listing.h>
#include <kaon/formats/root/container/RootFileHeader.h>
#include <kaon/io/ByteSource.h>

namespace kaon::root {

/// Walks from record to record up to the first invalid one, and lists all objects found. Use it for
/// a file whose folders were never written. Throws Error(io).
[[nodiscard]] Listing walkRecords(const io::ByteSource& bytes, const RootFileHeader& header);

} // namespace kaon::root
