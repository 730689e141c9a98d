#pragma once

namespace kaon {

/// The treatment of references to objects that are dropped.
enum class LostReference {
  becomesNone, ///< they lead to no object
  isError      ///< dropping the object is an error
};

} // namespace kaon
