#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/codec/Codec.h>
#include <kaon/formats/sio/lcio/LcioEventPlan.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kaon::sio::lcio {

/// The start of an entry in the encoded records, and its numbers in the index.
struct EncodedEntry {
  std::size_t begin = 0;
  std::int32_t run = 0;
  std::int32_t event = 0; ///< -1 for a run header
};

struct EncodedEvents {
  Buffer records;
  std::vector<EncodedEntry> entries;
};

/// Encodes a batch of events, whose tables must be the planned ones. Throws Error(usage) for values
/// that are too large for LCIO's files, and for references to missing objects. `file` is for the
/// message. Any thread may call this.
[[nodiscard]] EncodedEvents encodeEvents(const LcioEventPlan& plan, const Batch& batch,
                                         Compression how, const std::string& file);
/// Encodes a batch of runs.
[[nodiscard]] EncodedEvents encodeRuns(const LcioEventPlan& plan, const Batch& batch,
                                       Compression how, const std::string& file);

} // namespace kaon::sio::lcio
