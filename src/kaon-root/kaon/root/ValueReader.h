#pragma once

#include <kaon/root/ColumnList.h>
#include <kaon/root/Slot.h>

#include <ROOT/RDF/RColumnReaderBase.hxx>

#include <memory>
#include <typeinfo>

namespace kaon::root {

/// Reads a column in a slot as values of a type, for RDataFrame. Null if the column is of another
/// one. Where C++ has two types of the same numbers, such as long and long long, both are right;
/// so is void, of who only asks whether there is a value.
[[nodiscard]] std::unique_ptr<ROOT::Detail::RDF::RColumnReaderBase>
valueReader(std::shared_ptr<Slot> slot, const FrameColumn& column, const std::type_info& type);

} // namespace kaon::root
