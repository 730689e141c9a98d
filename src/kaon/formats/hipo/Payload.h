#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/formats/hipo/Headers.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace kaon::hipo {

/// The events of a record, decompressed. Memory is used again for the next one.
struct Payload {
  bool isSwapped = false;
  Buffer bytes; ///< with bytesBehind the last event
  /// Where each event begins in the bytes, and at last where they end.
  std::vector<std::uint32_t> begins;

  std::size_t events = 0; ///< that were decompressed: the first ones, or all

  [[nodiscard]] std::span<const std::byte> event(std::size_t number) const noexcept {
    return bytes.bytes().subspan(begins[number], begins[number + 1] - begins[number]);
  }
};

/// Whether structures of this key are wanted; where a record has them apart, others are left out.
using IsWanted = std::function<bool(std::uint32_t key)>;

/// Decompresses the record of this header, whose bytes these are: its first `events` at least, and
/// no more of them where that is quicker. `where` names it in messages. Throws Error(corrupt),
/// Error(version) for a type of records that kaon does not know.
void readPayload(const RecordHeader& header, std::span<const std::byte> record, std::size_t events,
                 const IsWanted& isWanted, const std::string& where, Payload& payload);

} // namespace kaon::hipo
