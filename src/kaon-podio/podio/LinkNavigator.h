#pragma once

#include <kaon/event/LinkNavigator.h>

namespace podio {
using kaon::LinkNavigator;
} // namespace podio
