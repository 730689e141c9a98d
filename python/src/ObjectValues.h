#pragma once

#include <kaon/batch/ObjectStore.h>

#include <nanobind/nanobind.h>

#include <string>

namespace kaon::python {

/// Text of a file, which can have invalid characters.
[[nodiscard]] nanobind::str textOf(const std::string& text);

/// Turns an object into Python's values. `make` receives a class and the reason why its members
/// could not be read; it returns the mapping that gets the members. Members of bases that others
/// hide are called "Base::member".
[[nodiscard]] nanobind::object toPython(const ObjectTree& tree, const nanobind::callable& make);

/// The reverse: mappings with an attribute `type` become objects, NumPy arrays become numbers.
/// Throws Error(usage) for other values.
[[nodiscard]] ObjectTree treeFrom(const nanobind::object& value);

} // namespace kaon::python
