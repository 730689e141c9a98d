#pragma once

#include <kaon/object/UserDataCollection.h>

namespace podio {
using kaon::UserDataCollection;
} // namespace podio
