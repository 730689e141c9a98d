#pragma once

#include <podio/FrameCategories.h>

#include <kaon/event/Frame.h>

namespace podio {
using kaon::Frame;
} // namespace podio
