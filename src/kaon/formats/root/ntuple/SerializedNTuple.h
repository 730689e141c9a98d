#pragma once

#include <kaon/formats/root/SerializedSource.h>
#include <kaon/formats/root/ntuple/NTuple.h>

#include <cstdint>
#include <vector>

namespace kaon::root {

/// The stored pages of a column of the schema that lie in clusters with these entries: none of what
/// is not stored, such as the number of rows of a fixed array.
[[nodiscard]] std::vector<SerializedPage> serializedPages(const NTuple& ntuple,
                                                          std::uint32_t column, EntryRange entries);

/// Reads the bytes of one, and checks them if the file's options ask for it. Throws
/// Error(corrupt).
void readSerialized(const NTuple& ntuple, SerializedPage& page, const io::FetchedRanges& fetched,
                    Buffer& room);

} // namespace kaon::root
