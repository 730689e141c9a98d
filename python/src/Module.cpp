#include "Module.h"

NB_MODULE(_core, module) {
  // C++ threads cannot tell which sub-interpreter to call; they would wait for ever.
  if (PyInterpreterState_Get() != PyInterpreterState_Main())
    throw nanobind::import_error("kaon works in Python's main interpreter, in no sub-interpreter");
  module.doc() = "Files, schemas and arrays of kaon, for the Python modules of the package.";
  module.attr("__version__") = KAON_VERSION;
  // A script's functions refer to its globals, and therefore to the dataframes that call them.
  // These cycles last until the process ends; they are no leaks.
  nanobind::set_leak_warnings(false);
  kaon::python::bindErrors(module);
  kaon::python::bindWarnings(module);
  kaon::python::bindSchema(module);
  kaon::python::bindMetadata(module);
  kaon::python::bindStorage(module);
  kaon::python::bindModelMatch(module);
  kaon::python::bindArrays(module);
  kaon::python::bindReading(module);
  kaon::python::bindArrow(module);
  kaon::python::bindEntryArrays(module);
  kaon::python::bindWriting(module);
  kaon::python::bindBadFiles(module);
  kaon::python::bindTools(module);
  kaon::python::bindMomenta(module);
  kaon::python::bindDataframe(module);
  kaon::python::bindTrain(module);
}
