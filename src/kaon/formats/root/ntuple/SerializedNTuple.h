#pragma once

#include <kaon/formats/root/SerializedPages.h>
#include <kaon/formats/root/ntuple/NTuple.h>

#include <cstdint>
#include <vector>

namespace kaon::root {

/// Returns the stored pages of a column of the schema, from clusters with these entries. Returns no
/// pages for values that are not stored, such as the length of a fixed array.
[[nodiscard]] std::vector<SerializedPage> serializedPages(const NTuple& ntuple,
                                                          std::uint32_t column, EntryRange entries);

/// Reads the bytes of a page. Verifies its checksum if the options of the file require it. Throws
/// Error(corrupt).
void readSerialized(const NTuple& ntuple, SerializedPage& page, const io::FetchedRanges& fetched,
                    Buffer& room);

} // namespace kaon::root
