#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/codec/Codec.h>
#include <kaon/formats/sio/lcio/EventPlan.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kaon::sio::lcio {

/// Where an entry begins in the records that were encoded, and what the index says of it.
struct EncodedEntry {
  std::size_t begin = 0;
  std::int32_t run = 0;
  std::int32_t event = 0; ///< -1: a run header
};

struct EncodedEntries {
  Buffer records;
  std::vector<EncodedEntry> entries;
};

/// The records of a batch of events. Its tables are those that were planned. Throws Error(usage)
/// for what is larger than LCIO's files can hold, and references that lead nowhere; `file` is for
/// the message. Any thread.
[[nodiscard]] EncodedEntries encodeEvents(const EventPlan& plan, const Batch& batch,
                                          Compression how, const std::string& file);
/// The records of a batch of runs.
[[nodiscard]] EncodedEntries encodeRuns(const EventPlan& plan, const Batch& batch, Compression how,
                                        const std::string& file);

} // namespace kaon::sio::lcio
