#pragma once

namespace kaon {

/// The treatment of an entry for which a friend has no entry.
enum class WithoutPartner {
  isError, ///< raises an error that names the entry
  isEmpty  ///< the friend's collections and parameters are empty, and its values are 0
};

} // namespace kaon
