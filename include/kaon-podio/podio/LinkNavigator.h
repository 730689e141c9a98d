#pragma once

#include <kaon/object/LinkNavigator.h>

namespace podio {
using kaon::LinkNavigator;
inline constexpr kaon::detail::ReturnFromTag ReturnFrom;
inline constexpr kaon::detail::ReturnToTag ReturnTo;
} // namespace podio
