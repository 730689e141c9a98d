#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/root/container/Container.h>

#include <memory>

namespace kaon::root {

/// Opens an RNTuple as columns: Mapping.h says which tables its fields become. Reads what describes
/// it: its anchor, header, footer and page lists. The container must outlive the source. Throws
/// Error(corrupt), Error(version), Error(io).
[[nodiscard]] std::unique_ptr<Source> openNTuple(const Container& container,
                                                 const ListedObject& object);

} // namespace kaon::root
