#pragma once

#include <kaon/event/Handle.h>

namespace podio {
using kaon::ObjectID;
} // namespace podio
