#pragma once

#include <kaon/object/CollectionData.h>

namespace kaon {

/// Whether two collections have the same content: the same type, values bit for bit, and relations
/// to the same objects, or to those at the same places of collections that correspond one to one;
/// first of all, each collection to the other. Decorations are not compared.
[[nodiscard]] bool equalContent(const CollectionData& a, const CollectionData& b);

} // namespace kaon
