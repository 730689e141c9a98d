#pragma once

#include <kaon/root/ColumnList.h>
#include <kaon/root/Slot.h>

#include <ROOT/RDF/RColumnReaderBase.hxx>

#include <memory>
#include <typeinfo>

namespace kaon::root {

/// Returns a reader of a column in a slot for RDataFrame, or null if the column has another type.
/// If C++ has two types for the same numbers, such as long and long long, both are accepted.
/// RDataFrame passes void to ask only whether a value exists.
[[nodiscard]] std::unique_ptr<ROOT::Detail::RDF::RColumnReaderBase>
valueReader(std::shared_ptr<Slot> slot, const FrameColumn& column, const std::type_info& type);

} // namespace kaon::root
