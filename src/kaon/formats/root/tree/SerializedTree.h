#pragma once

#include <kaon/formats/root/SerializedPages.h>
#include <kaon/formats/root/tree/TreeContents.h>

#include <cstdint>
#include <vector>

namespace kaon::root {

/// Returns the baskets of a column's branch that have some of these entries. Returns none if the
/// values are not stored, or are stored together with the values that they count. Throws
/// Error(usage) for a branch of objects.
[[nodiscard]] std::vector<SerializedPage>
serializedBaskets(const TreeContents& contents, std::uint32_t column, EntryRange entries);

/// Reads the bytes of a basket. Throws Error(corrupt), Error(version).
void readSerialized(const TreeContents& contents, SerializedPage& page,
                    const io::FetchedRanges& fetched, Buffer& room);

} // namespace kaon::root
