#include "Module.h"

#include <kaon/base/Error.h>
#include <kaon/batch/UnreadColumns.h>

namespace nb = nanobind;

namespace kaon::python {
namespace {

/// Returns the class in kaon.errors for an error.
const char* className(const Error& error) {
  switch (error.kind()) {
  case ErrorKind::io:
    return "FileError";
  case ErrorKind::missing:
    return "MissingFileError";
  case ErrorKind::corrupt:
    return "CorruptFileError";
  case ErrorKind::version:
    return "FormatError";
  case ErrorKind::name:
    return "UnknownNameError";
  case ErrorKind::type:
    return "WrongTypeError";
  case ErrorKind::usage:
    return "UsageError";
  case ErrorKind::memory:
    return "MemoryLimitError";
  }
  return "Error";
}

/// Decodes a message as Python decodes paths: the bytes of paths and names need not be UTF-8.
nb::object decodedText(const char* bytes) { return nb::steal(PyUnicode_DecodeFSDefault(bytes)); }

/// Returns the exception for an error.
nb::object asPython(const Error& error) {
  return nb::module_::import_("kaon.errors").attr(className(error))(decodedText(error.what()));
}

void translate(const std::exception_ptr& thrown, void* /*payload*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const UnreadableColumns& error) {
    const nb::object raised = asPython(error);
    nb::list names;
    for (const std::string& name : error.names())
      names.append(decodedText(name.c_str()));
    raised.attr("columns") = nb::tuple(names);
    PyErr_SetObject(raised.type().ptr(), raised.ptr());
  } catch (const Error& error) {
    const nb::object raised = asPython(error);
    PyErr_SetObject(raised.type().ptr(), raised.ptr());
  }
}

} // namespace

void bindErrors(nb::module_& /*module*/) { nb::register_exception_translator(translate); }

} // namespace kaon::python
