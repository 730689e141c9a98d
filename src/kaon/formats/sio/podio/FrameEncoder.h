#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/codec/Codec.h>
#include <kaon/formats/sio/podio/SioFramePlan.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::sio::podio {

/// The two records of each frame, and the start of the first of them.
struct EncodedFrames {
  Buffer records;
  std::vector<std::size_t> begins;
};

/// Encodes a batch of frames, whose tables must be the planned ones. Throws Error(usage) for frames
/// that are too large for SIO files. `file` is for the message. Any thread may call this.
[[nodiscard]] EncodedFrames encodeFrames(const SioFramePlan& plan, const Batch& batch,
                                         std::string_view category, Compression how,
                                         const std::string& file);

} // namespace kaon::sio::podio
