#pragma once

#include <kaon/base/Error.h>

namespace kaon {

/// Calls `read()`, which looks into a file. Returns false where that finds damage, an
/// Error(corrupt): what is whole is of use without, and who reads the rest gets the error.
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
