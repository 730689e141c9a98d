#pragma once

#include <kaon/object/Ranges.h>

namespace podio {
using kaon::RelationRange;
} // namespace podio
