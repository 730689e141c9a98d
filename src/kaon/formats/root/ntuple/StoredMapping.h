#pragma once

#include <kaon/formats/root/ntuple/Descriptor.h>
#include <kaon/formats/root/ntuple/Mapping.h>
#include <kaon/model/SchemaDocument.h>

namespace kaon::root {

/// Makes the tables that a file which kaon wrote says its fields are. Throws Error(type) if the
/// fields are others: another program changed them.
[[nodiscard]] Mapping mapAsStored(const SchemaDocument& document, const Descriptor& descriptor);

} // namespace kaon::root
