#pragma once

#include <kaon/base/Buffer.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace kaon::hipo {

/// The events of a record, decompressed. Memory is used again for the next one.
struct Payload {
  bool isSwapped = false;
  /// Events are what the file has, and not put together of streams or in another byte order.
  bool isAsStored = false;
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

} // namespace kaon::hipo
