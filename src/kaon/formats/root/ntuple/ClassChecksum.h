#pragma once

#include <kaon/formats/root/ntuple/NTupleDescriptor.h>

#include <cstdint>
#include <vector>

namespace kaon::root {

/// Returns ROOT's checksum of a class with exactly these members: TClass::GetCheckSum() on Linux.
/// It covers the names of the class and its members, and their types. `fields` has the record and
/// its children.
[[nodiscard]] std::uint32_t classChecksum(const std::vector<NTupleField>& fields,
                                          const NTupleField& record);

} // namespace kaon::root
