#pragma once

#include <nanobind/nanobind.h>

// kaon._core, the C++ part of the Python package: files, schemas and arrays. The Python modules
// define the interface for users.

namespace kaon::python {

void bindErrors(nanobind::module_& module);
void bindWarnings(nanobind::module_& module);
void bindSchema(nanobind::module_& module);
void bindModelMatch(nanobind::module_& module);
void bindMetadata(nanobind::module_& module);
void bindStorage(nanobind::module_& module);
void bindArrays(nanobind::module_& module);
void bindReading(nanobind::module_& module);
void bindArrow(nanobind::module_& module);
void bindEntryArrays(nanobind::module_& module);
void bindWriting(nanobind::module_& module);
void bindBadFiles(nanobind::module_& module);
void bindTools(nanobind::module_& module);
void bindMomenta(nanobind::module_& module);
void bindDataframe(nanobind::module_& module);
void bindTrain(nanobind::module_& module);

} // namespace kaon::python
