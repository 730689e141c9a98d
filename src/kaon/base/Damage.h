#pragma once

#include <kaon/base/Error.h>

namespace kaon {

/// Calls `read()`, which reads part of a file. Returns false if that throws Error(corrupt): the
/// undamaged parts are useful without it, and reading the damaged part reports the error.
template <class Read>
bool unlessDamaged(Read read) {
  try {
    read();
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::corrupt)
      throw;
    return false;
  }
}

} // namespace kaon
