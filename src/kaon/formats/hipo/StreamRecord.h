#pragma once

#include <kaon/formats/hipo/Compression.h>
#include <kaon/formats/hipo/Headers.h>
#include <kaon/formats/hipo/Payload.h>

#include <cstddef>
#include <span>
#include <string>

namespace kaon::hipo {

/// Puts the events of a record together again that has a stream for each bank, or for each column
/// of a bank, as oxihipo (https://github.com/mathieuouillon/oxihipo, 0.9) writes it. The streams of
/// banks that are not wanted are not decompressed. As readPayload().
void joinStreams(const RecordHeader& header, RecordType type, std::span<const std::byte> stored,
                 const IsWanted& isWanted, const std::string& where, Payload& payload);

} // namespace kaon::hipo
