#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/codec/Codec.h>
#include <kaon/formats/hipo/HipoEventPlan.h>
#include <kaon/formats/hipo/HipoRecordWriter.h>

#include <string>
#include <vector>

namespace kaon::hipo {

/// Throws Error(usage) for a structure or event that is too long. `file` is for the message.
void checkSizes(const HipoEventPlan& plan, const Batch& batch, const std::string& file);
/// Encodes a batch's events as records. Each tag has its own records. They have at most 8 MiB
/// before compression, as in the C++ library. Throws like checkSizes(). Any thread may call this.
[[nodiscard]] std::vector<EncodedRecord> encodeEvents(const HipoEventPlan& plan, const Batch& batch,
                                                      Compression how, const std::string& file);
/// Like encodeEvents(), for events from StoredEvents.
[[nodiscard]] std::vector<EncodedRecord> encodeStoredEvents(const Batch& batch, Compression how);

} // namespace kaon::hipo
