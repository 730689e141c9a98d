#include "Module.h"

#include <kaon/base/Error.h>

namespace nb = nanobind;

namespace kaon::python {
namespace {

/// The class in kaon.errors for an error.
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

void translate(const std::exception_ptr& thrown, void* /*payload*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    const nb::object type = nb::module_::import_("kaon.errors").attr(className(error));
    // Paths are bytes, which need not be UTF-8: the message keeps them as Python keeps paths.
    const nb::object message = nb::steal(PyUnicode_DecodeFSDefault(error.what()));
    PyErr_SetObject(type.ptr(), message.ptr());
  }
}

} // namespace

void bindErrors(nb::module_& /*module*/) { nb::register_exception_translator(translate); }

} // namespace kaon::python
