#pragma once

#include <kaon/formats/root/ntuple/Mapping.h>
#include <kaon/formats/root/ntuple/NTupleDescriptor.h>
#include <kaon/model/SchemaDocument.h>

namespace kaon::root {

/// Creates the tables that kaon's own description of the file names. Throws Error(type) if the
/// fields differ from it, because another program changed them.
[[nodiscard]] Mapping mapAsStored(const SchemaDocument& document,
                                  const NTupleDescriptor& descriptor);

} // namespace kaon::root
