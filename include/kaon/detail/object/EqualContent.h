#pragma once

#include <kaon/detail/object/CollectionData.h>

namespace kaon::detail {

/// Whether two collections have the same content: the same type, values bit for bit, and relations
/// to the same objects. They may refer to different collections if these correspond one to one, as
/// the two themselves do; positions are then compared. Decorations are ignored.
[[nodiscard]] bool equalContent(const CollectionData& a, const CollectionData& b);

} // namespace kaon::detail
