#pragma once

#include <kaon/event/UserDataCollection.h>

namespace podio {
using kaon::UserDataCollection;
} // namespace podio
