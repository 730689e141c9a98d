#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/root/container/Container.h>

#include <memory>
#include <string_view>

namespace kaon::root {

/// Opens an RNTuple as columns: Mapping.h says which tables its fields become. Reads what describes
/// it: its anchor, header, footer and page lists. The container must outlive the source. `stored`
/// is what kaon wrote of its tables (SchemaDocument.h), "" for nothing: where the fields are those,
/// the tables are. Throws Error(corrupt), Error(version), Error(io).
[[nodiscard]] std::unique_ptr<Source>
openNTuple(const Container& container, const ListedObject& object, std::string_view stored = {});

} // namespace kaon::root
