#pragma once

#include <kaon/object/Handle.h>
#ifdef PODIO_JSON_OUTPUT
#include <kaon/object/HandleJson.h>
#endif

namespace podio {
using kaon::ObjectID;
} // namespace podio
