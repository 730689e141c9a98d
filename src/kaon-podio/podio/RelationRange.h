#pragma once

#include <kaon/event/Ranges.h>

namespace podio {
using kaon::RelationRange;
} // namespace podio
