#pragma once

#include <kaon/object/CollectionData.h>

namespace kaon {

/// Whether two collections have the same content: the same type, values bit for bit, and relations
/// that lead to the same objects. Collections that they refer to may be different ones if they
/// correspond one to one, as the two themselves do; then positions are compared. Decorations are
/// not compared.
[[nodiscard]] bool equalContent(const CollectionData& a, const CollectionData& b);

} // namespace kaon
