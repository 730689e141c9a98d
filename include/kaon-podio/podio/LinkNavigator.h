#pragma once

#include <podio/LinkCollection.h>

#include <kaon/object/LinkNavigator.h>

namespace podio {

using kaon::LinkNavigator;
inline constexpr kaon::detail::ReturnFromTag ReturnFrom;
inline constexpr kaon::detail::ReturnToTag ReturnTo;

namespace detail::links {
using kaon::WeightedObject;
} // namespace detail::links

} // namespace podio
