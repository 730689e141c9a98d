#pragma once

#include <kaon/object/LinkNavigator.h>

namespace podio {
using kaon::LinkNavigator;
inline constexpr kaon::ReturnFromTag ReturnFrom;
inline constexpr kaon::ReturnToTag ReturnTo;
} // namespace podio
