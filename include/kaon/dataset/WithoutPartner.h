#pragma once

namespace kaon {

/// What becomes of an entry that a friend has no entry for.
enum class WithoutPartner {
  isError, ///< it is an error that says which
  isEmpty  ///< of the friend it has no collections, no parameters, and values of 0
};

} // namespace kaon
