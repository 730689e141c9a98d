#include <kaon/codec/Encoding.h>

#include <kaon/base/Error.h>
#include <kaon/base/OptionValue.h>
#include <kaon/base/Suggestion.h>
#include <kaon/codec/EncodingTable.h>
#include <kaon/codec/Packed.h>

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <vector>

namespace kaon::codec {
namespace {

constexpr std::size_t mostBytes = (std::size_t{1} << 31) - 1;

/// Returns null for an unknown number.
const EncodingRow* rowOf(Encoding encoding) {
  const auto number = static_cast<std::size_t>(encoding);
  return number < encodingTable().size() ? &encodingTable()[number] : nullptr;
}

bool areWhole(Element element, std::size_t bytes) {
  return element.size > 0 && bytes % element.size == 0;
}
/// Only the simplest encodings accept any number of bytes, and only raw accepts 0.
bool canHold(Encoding encoding, std::size_t bytes) {
  return bytes == 0 ? encoding == Encoding::raw
                    : bytes <= mostBytes || encoding <= Encoding::constant;
}

} // namespace

std::string_view encodingName(Encoding encoding) noexcept {
  const EncodingRow* const row = rowOf(encoding);
  return row ? row->name : "?";
}

std::string schemeName(const Scheme& scheme) {
  std::string name(encodingName(scheme.encoding));
  if (scheme.transform)
    name.append(":").append(transformName(*scheme.transform));
  return name;
}

Scheme schemeNamed(std::string_view name) {
  std::vector<std::string> names;
  for (const EncodingRow& row : encodingTable()) {
    std::vector<Scheme> schemes{row.encoding};
    for (const Transform transform : row.transforms)
      schemes.emplace_back(row.encoding, transform);
    for (const Scheme& scheme : schemes)
      if (names.emplace_back(schemeName(scheme)) == name)
        return scheme;
  }
  fail(ErrorKind::name, "no encoding is called '", name, "'", suggestion(name, names));
}

bool isNamedWithCodec(Encoding encoding) noexcept {
  const EncodingRow* const row = rowOf(encoding);
  return row && row->isNamedWithCodec;
}

bool encode(const Scheme& scheme, Element element, std::span<const std::byte> values,
            Compression how, Buffer& out) {
  const auto [encoding, transform] = scheme;
  const EncodingRow* const row = rowOf(encoding);
  if (!row || !areWhole(element, values.size()) || !canHold(encoding, values.size()) ||
      (transform && std::ranges::find(row->transforms, *transform) == row->transforms.end()))
    return false;
  const std::size_t before = out.size();
  if (transform ? row->encodeBy(*transform, element, values, how, out)
                : row->encode(element, values, how, out))
    return true;
  out.shrink(before);
  return false;
}

bool decode(Encoding encoding, Element element, std::span<const std::byte> stored,
            std::span<std::byte> values) noexcept {
  const EncodingRow* const row = rowOf(encoding);
  if (!row || !areWhole(element, values.size()) || !canHold(encoding, values.size()))
    return false;
  try {
    return row->decode(element, stored, values);
  } catch (const std::bad_alloc&) { // for scratch memory as large as the values
    return false;
  }
}

bool decodeCounts(Encoding encoding, std::span<const std::byte> stored,
                  std::span<std::uint32_t> offsets, std::uint64_t& total) noexcept {
  total = 0;
  if (offsets.empty())
    return false;
  const std::span<std::byte> counts = std::as_writable_bytes(offsets.subspan(1));
  if (encoding == Encoding::packed && canHold(encoding, counts.size()))
    return decodePackedCounts(stored, offsets, total);
  return decode(encoding, {sizeof(std::uint32_t), false, false}, stored, counts) &&
         sumDecodedCounts(offsets, total);
}

} // namespace kaon::codec

namespace kaon {

EncodingGoal goalNamed(std::string_view name) {
  static constexpr std::array<std::string_view, 3> names{"balance", "size", "speed"};
  return detail::optionValue<EncodingGoal>("goal", names, name);
}

} // namespace kaon
