#pragma once

#include <kaon/object/Link.h>

namespace podio {
using kaon::Link;
using kaon::LinkCollection;
using kaon::MutableLink;
} // namespace podio

/// kaon reads and writes links between any two types without this declaration.
#define PODIO_DECLARE_LINK(From, To)
