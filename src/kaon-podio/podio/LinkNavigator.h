#pragma once

#include <kaon/object/LinkNavigator.h>

namespace podio {
using kaon::LinkNavigator;
} // namespace podio
