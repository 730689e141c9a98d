#pragma once

#include <kaon/object/Collection.h>

namespace podio {
using kaon::CollectionBase;
} // namespace podio
