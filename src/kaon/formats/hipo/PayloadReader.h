#pragma once

#include <kaon/formats/hipo/Headers.h>
#include <kaon/formats/hipo/Payload.h>

#include <cstddef>
#include <span>
#include <string>

namespace kaon::hipo {

/// Decompresses the record with this header and these bytes. Decompresses at least the first
/// `events` events, and no more if that is faster. `where` names the record in messages. Throws
/// Error(corrupt). Throws Error(version) for a type of records that kaon does not know.
void readPayload(const HipoRecordHeader& header, std::span<const std::byte> record,
                 std::size_t events, const IsWanted& isWanted, const std::string& where,
                 Payload& payload);

} // namespace kaon::hipo
