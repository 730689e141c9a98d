#pragma once

#include <kaon/event/Collection.h>

namespace podio {
using kaon::CollectionBase;
} // namespace podio
