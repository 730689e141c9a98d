#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/codec/Codec.h>
#include <kaon/formats/sio/podio/FramePlan.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::sio::podio {

/// The two records of each frame, and where the first of them begin.
struct EncodedFrames {
  Buffer records;
  std::vector<std::size_t> begins;
};

/// The records of a batch of frames, whose tables are those that were planned. Throws Error(usage)
/// for what is larger than SIO's files can hold; `file` is for the message. Any thread.
[[nodiscard]] EncodedFrames encodeFrames(const FramePlan& plan, const Batch& batch,
                                         std::string_view category, Compression how,
                                         const std::string& file);

} // namespace kaon::sio::podio
