#pragma once

#include <kaon/formats/hipo/Headers.h>
#include <kaon/formats/hipo/Payload.h>

#include <cstddef>
#include <span>
#include <string>

namespace kaon::hipo {

/// Decompresses the record of this header, whose bytes these are: its first `events` at least, and
/// no more of them where that is quicker. `where` names it in messages. Throws Error(corrupt),
/// Error(version) for a type of records that kaon does not know.
void readPayload(const RecordHeader& header, std::span<const std::byte> record, std::size_t events,
                 const IsWanted& isWanted, const std::string& where, Payload& payload);

} // namespace kaon::hipo
