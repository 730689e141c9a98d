#pragma once

namespace kaon {

/// The treatment of references to dropped objects.
enum class LostReference {
  becomesNone, ///< the references lead to no object
  isError      ///< dropping the object is an error
};

} // namespace kaon
