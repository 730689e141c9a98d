#pragma once

#include <kaon/object/Link.h>

namespace podio {
using kaon::Link;
using kaon::LinkCollection;
using kaon::MutableLink;
} // namespace podio

/// Links between any two types can be read and written as they are.
#define PODIO_DECLARE_LINK(From, To)
