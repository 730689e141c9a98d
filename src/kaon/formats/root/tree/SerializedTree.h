#pragma once

#include <kaon/formats/root/SerializedSource.h>
#include <kaon/formats/root/tree/TreeContents.h>

#include <cstdint>
#include <vector>

namespace kaon::root {

/// The baskets of the branch that a column of the schema comes from, with some of these entries:
/// none of what is not stored, or lies with the values that it counts. Throws Error(usage) for a
/// branch of objects.
[[nodiscard]] std::vector<SerializedPage>
serializedBaskets(const TreeContents& contents, std::uint32_t column, EntryRange entries);

/// Reads the bytes of one. Throws Error(corrupt), Error(version).
void readSerialized(const TreeContents& contents, SerializedPage& page,
                    const io::FetchedRanges& fetched, Buffer& room);

} // namespace kaon::root
