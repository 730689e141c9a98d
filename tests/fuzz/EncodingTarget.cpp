#include "fuzz/Reading.h"

#include <kaon/codec/Encoding.h>
#include <kaon/codec/PageEncoding.h>

#include <array>
#include <memory>
#include <vector>

// Decodes values by each encoding. An input has three bytes: the encoding, the form of the values
// and their number; its other bytes are stored values.

namespace {

constexpr std::array<kaon::codec::Element, 16> elements{{{1},
                                                         {1, false, true},
                                                         {2},
                                                         {2, false, true},
                                                         {4},
                                                         {4, false, true},
                                                         {4, true, true},
                                                         {8},
                                                         {8, false, true},
                                                         {8, true, true},
                                                         {3},
                                                         {5},
                                                         {12},
                                                         {16},
                                                         {24},
                                                         {100}}};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3)
    return 0;
  const auto encoding = static_cast<kaon::codec::Encoding>(data[0] % 12);
  const kaon::codec::Element& element = elements[data[1] % elements.size()];
  // Around blocks of 256 and 1024 values, too.
  const std::size_t count = data[2] < 128 ? data[2] : (std::size_t{data[2]} - 128) * 17;
  // A copy, so that ASan notices reads behind the end.
  const std::vector<std::uint8_t> copy(data + 3, data + size);
  const auto stored = std::as_bytes(std::span(copy));
  std::vector<std::byte> values(count * element.size), again(values.size(), std::byte{0xa5});
  const bool isDecoded = kaon::codec::decode(encoding, element, stored, values);
  if (isDecoded != kaon::codec::decode(encoding, element, stored, again) ||
      (isDecoded && values != again))
    kaon::fuzz::breakOff("all values are decoded", kaon::codec::encodingName(encoding));
  std::vector<std::uint32_t> offsets(count + 1);
  std::uint64_t total = 0;
  if (kaon::codec::decodeCounts(encoding, stored, offsets, total) && offsets.back() != total)
    kaon::fuzz::breakOff("the last offset is the sum", kaon::codec::encodingName(encoding));
  return 0;
}
