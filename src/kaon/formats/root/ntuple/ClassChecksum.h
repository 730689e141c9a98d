#pragma once

#include <kaon/formats/root/ntuple/Descriptor.h>

#include <cstdint>
#include <vector>

namespace kaon::root {

/// The number by which ROOT knows a class of just these members, on Linux: TClass::GetCheckSum(),
/// of the names of the class, its members and their types. `fields` has the record and its
/// children.
[[nodiscard]] std::uint32_t classChecksum(const std::vector<Field>& fields, const Field& record);

} // namespace kaon::root
