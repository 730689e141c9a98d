#include "Module.h"

NB_MODULE(_core, module) {
  module.doc() = "Files, schemas and arrays of kaon, for the Python modules of the package.";
  module.attr("version") = KAON_VERSION;
  kaon::python::bindErrors(module);
  kaon::python::bindWarnings(module);
  kaon::python::bindSchema(module);
  kaon::python::bindStorage(module);
  kaon::python::bindArrays(module);
  kaon::python::bindReading(module);
  kaon::python::bindWriting(module);
  kaon::python::bindTools(module);
  kaon::python::bindDataframe(module);
}
