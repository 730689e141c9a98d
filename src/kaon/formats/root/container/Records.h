#pragma once

#include <kaon/formats/root/container/FileHeader.h>
#include <kaon/formats/root/container/Listing.h>
#include <kaon/io/ByteSource.h>

namespace kaon::root {

/// Goes from record to record, up to the first that is none, and takes what lies there for what
/// folders list: for a file whose folders were never written. Throws Error(io).
[[nodiscard]] Listing walkRecords(const io::ByteSource& bytes, const FileHeader& header);

} // namespace kaon::root
