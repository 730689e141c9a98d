#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/codec/Codec.h>
#include <kaon/formats/hipo/EventPlan.h>
#include <kaon/formats/hipo/RecordWriter.h>

#include <string>
#include <vector>

namespace kaon::hipo {

/// Throws Error(usage) for a structure or event that is too long. `file` is for the message.
void checkSizes(const EventPlan& plan, const Batch& batch, const std::string& file);
/// Makes records of a batch's events: those of each tag are records of their own, of at most 8 MiB
/// decompressed, as the C++ library has them. Throws as checkSizes(). Any thread.
[[nodiscard]] std::vector<EncodedRecord> encodeEvents(const EventPlan& plan, const Batch& batch,
                                                      Compression how, const std::string& file);
/// The same of events as StoredEvents has them.
[[nodiscard]] std::vector<EncodedRecord> encodeStoredEvents(const Batch& batch, Compression how);

} // namespace kaon::hipo
