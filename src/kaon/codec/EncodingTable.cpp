#include <kaon/codec/EncodingTable.h>

#include <kaon/codec/Dictionary.h>
#include <kaon/codec/Frequent.h>
#include <kaon/codec/Packed.h>
#include <kaon/codec/Parts.h>
#include <kaon/codec/Plain.h>
#include <kaon/codec/Planes.h>
#include <kaon/codec/Quantised.h>
#include <kaon/codec/Runs.h>

#include <array>

namespace kaon::codec {
namespace {

constexpr std::array ofPacked{Transform::none, Transform::delta, Transform::rotated};
constexpr std::array ofParts{Transform::none, Transform::rotated};
constexpr std::array ofPlanes{Transform::none, Transform::zigzag, Transform::exclusiveOr};

constexpr std::array table{
    EncodingRow{Encoding::raw, "raw", encodeRaw, decodeRaw},
    EncodingRow{Encoding::constant, "constant", encodeConstant, decodeConstant},
    EncodingRow{.encoding = Encoding::packed,
                .name = "packed",
                .encode = encodePacked,
                .decode = decodePacked,
                .numbers = {50, 2.8, 3, 3},
                .transforms = ofPacked,
                .encodeBy = encodePackedBy},
    EncodingRow{.encoding = Encoding::compressed,
                .name = "compressed",
                .encode = encodeCompressed,
                .decode = decodeCompressed,
                .numbers = {0, 2.8, 1.4, 1.4},
                .structs = {0, 3.6, 1.6, 0.6}, // LZMA gets whole rows, not just planes
                .isNamedWithCodec = true},
    // LZ4 cannot use unequal frequencies.
    EncodingRow{.encoding = Encoding::parts,
                .name = "parts",
                .encode = encodeParts,
                .decode = decodeParts,
                .numbers = {25, 0, 3, 3},
                .isNamedWithCodec = true,
                .transforms = ofParts,
                .encodeBy = encodePartsBy},
    // Structs have many short planes.
    EncodingRow{.encoding = Encoding::bytePlanes,
                .name = "bytePlanes",
                .encode = encodeBytePlanes,
                .decode = decodeBytePlanes,
                .numbers = {12, 2.8, 3, 3},
                .structs = {12, 5, 0.7, 0.7},
                .isNamedWithCodec = true,
                .transforms = ofPlanes,
                .encodeBy = encodeBytePlanesBy,
                .areTransformsTried = true},
    EncodingRow{.encoding = Encoding::bitPlanes,
                .name = "bitPlanes",
                .encode = encodeBitPlanes,
                .decode = decodeBitPlanes,
                // Codecs are fast on planes that repeat each other or are noise.
                .numbers = {13, 30, 4, 4},
                .isNamedWithCodec = true,
                .transforms = ofPlanes,
                .encodeBy = encodeBitPlanesBy,
                .areTransformsTried = true},
    EncodingRow{.encoding = Encoding::dictionary,
                .name = "dictionary",
                .encode = encodeDictionary,
                .decode = decodeDictionary,
                .numbers = {8, 2.8, 3, 3},
                .isPerValue = true},
    EncodingRow{.encoding = Encoding::runs,
                .name = "runs",
                .encode = encodeRuns,
                .decode = decodeRuns,
                .numbers = {24, 2.8, 3, 3}},
    EncodingRow{.encoding = Encoding::frequent,
                .name = "frequent",
                .encode = encodeFrequent,
                .decode = decodeFrequent,
                .numbers = {20, 2.8, 3, 3}},
    EncodingRow{.encoding = Encoding::quantised,
                .name = "quantised",
                .encode = encodeQuantised,
                .decode = decodeQuantised,
                .numbers = {35, 2.8, 3, 3}},
};

constexpr bool isInOrder() {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i].encoding != static_cast<Encoding>(i))
      return false;
  return true;
}
static_assert(isInOrder());

} // namespace

std::span<const EncodingRow> encodingTable() noexcept { return table; }

const EncodingRow* encodingRow(Encoding encoding) noexcept {
  const auto number = static_cast<std::size_t>(encoding);
  return number < table.size() ? &table[number] : nullptr;
}

} // namespace kaon::codec
