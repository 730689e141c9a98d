#pragma once

#include <kaon/object/Handle.h>

namespace podio {
using kaon::RelationRange;
} // namespace podio
