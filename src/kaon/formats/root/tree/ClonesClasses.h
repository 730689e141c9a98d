#pragma once

#include <kaon/formats/root/container/Container.h>
#include <kaon/formats/root/tree/Shapes.h>
#include <kaon/formats/root/tree/Unit.h>

#include <functional>
#include <string>

namespace kaon::root {

/// Makes the unit of a branch. Of which classes the objects in its TClonesArrays are stands only
/// beside the values: they are looked up in its first entries, and `shapes` is told. `make` gives
/// the unit by what `shapes` knows; `tree` is for messages. Throws what it throws.
[[nodiscard]] Unit withClonesClasses(const Container& container, const std::string& tree,
                                     Shapes& shapes, const std::function<Unit()>& make);

} // namespace kaon::root
