#pragma once

#include <podio/Frame.h>

namespace podio {

/// An entry that a reader returns and that becomes a frame, `podio::Frame(std::move(entry))`.
struct FrameData {
  kaon::Frame frame;
};
using ROOTFrameData = FrameData;
using SIOFrameData = FrameData;

} // namespace podio
