#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/root/container/RootContainer.h>

#include <memory>
#include <string_view>

namespace kaon::root {

/// Opens an RNTuple as columns. Reads its description: anchor, header, footer and page lists.
/// Mapping.h explains the tables. The container must outlive the source. `stored` is kaon's own
/// description of the tables (SchemaDocument.h), or "" without one. It is used if the fields
/// still agree with it. Throws Error(corrupt), Error(version), Error(io).
[[nodiscard]] std::unique_ptr<Source> openNTuple(const RootContainer& container,
                                                 const ListedObject& object,
                                                 std::string_view stored = {});

/// Throws Error(version): the RNTuple is of a form before version 1.0 of the format.
[[nodiscard]] std::unique_ptr<Source> openEarlyNTuple(const RootContainer& container,
                                                      const ListedObject& object,
                                                      std::string_view stored = {});

} // namespace kaon::root
