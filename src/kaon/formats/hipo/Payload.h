#pragma once

#include <kaon/base/Buffer.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace kaon::hipo {

/// The decompressed events of a record. Its memory is reused for the next record.
struct Payload {
  bool isSwapped = false;
  /// Whether events have the bytes of the file: not assembled from streams, and in native byte
  /// order.
  bool isAsStored = false;
  Buffer bytes; ///< with bytesBehind the last event
  /// The start of each event in the bytes, and the end of the last.
  std::vector<std::uint32_t> begins;

  std::size_t events = 0; ///< number of decompressed events: the first ones, or all

  [[nodiscard]] std::span<const std::byte> event(std::size_t number) const noexcept {
    return bytes.bytes().subspan(begins[number], begins[number + 1] - begins[number]);
  }
};

/// Whether structures of this key are requested. Others are left out if the record has separate
/// streams.
using IsWanted = std::function<bool(std::uint32_t key)>;

} // namespace kaon::hipo
