#pragma once

#include <kaon/formats/podio/PodioTypes.h>
#include <kaon/model/ModelDatatypes.h>
#include <kaon/model/Table.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace kaon {

/// Returns kaon's tables for a collection of podio's, each column stored separately. The first
/// table gets the number `root`. Throws Error(version) for types that no model has.
[[nodiscard]] std::vector<TableDefinition> tablesOf(const PodioType& type, std::string_view name,
                                                    TableNumber root,
                                                    const ModelDatatypes& datatypes);

} // namespace kaon
