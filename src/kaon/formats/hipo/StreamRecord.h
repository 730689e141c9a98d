#pragma once

#include <kaon/formats/hipo/Compression.h>
#include <kaon/formats/hipo/Headers.h>
#include <kaon/formats/hipo/Payload.h>

#include <cstddef>
#include <span>
#include <string>

namespace kaon::hipo {

/// Assembles the events of a record that has a stream for each bank, or for each column of a bank.
/// oxihipo writes these records (https://github.com/mathieuouillon/oxihipo, 0.9). Streams of banks
/// that are not requested are not decompressed. Throws like readPayload().
void joinStreams(const HipoRecordHeader& header, RecordEncoding type,
                 std::span<const std::byte> stored, const IsWanted& isWanted,
                 const std::string& where, Payload& payload);

} // namespace kaon::hipo
