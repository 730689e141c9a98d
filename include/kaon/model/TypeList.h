#pragma once

namespace kaon {

/// A list of types, such as all datatypes of a model. Its values have no members.
template <class... Types>
struct TypeList {};

} // namespace kaon
