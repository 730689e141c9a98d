#include "Module.h"

NB_MODULE(_core, module) {
  // Threads of C++ could not tell which interpreter they call: they would wait for ever.
  if (PyInterpreterState_Get() != PyInterpreterState_Main())
    throw nanobind::import_error("kaon works in Python's main interpreter, in no sub-interpreter");
  module.doc() = "Files, schemas and arrays of kaon, for the Python modules of the package.";
  module.attr("__version__") = KAON_VERSION;
  // A script's functions refer to its globals, and so to dataframes that call them: such circles
  // last until the end, and are no mistake.
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
  kaon::python::bindWriting(module);
  kaon::python::bindTools(module);
  kaon::python::bindDataframe(module);
  kaon::python::bindTrain(module);
}
