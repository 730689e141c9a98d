#include <kaon/formats/sio/SioRecord.h>

#include <kaon/detail/base/Memory.h>
#include <kaon/formats/sio/BlockReader.h>

#include <algorithm>

namespace kaon::sio {
namespace {

/// Whether a name has only ASCII characters above the blank.
bool isName(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return c > ' ' && static_cast<signed char>(c) > 0;
  });
}

} // namespace

std::optional<SioRecordHeader> readRecordHeader(std::span<const std::byte> bytes) {
  constexpr std::uint32_t compressed = 1;
  if (bytes.size() < recordHeaderBytes ||
      loadBigEndian<std::uint32_t>(bytes.data() + 4) != recordMark)
    return std::nullopt;
  const auto word = [&](std::size_t number) {
    return loadBigEndian<std::uint32_t>(bytes.data() + 4 * number);
  };
  SioRecordHeader header{.headerBytes = word(0),
                         .storedBytes = word(3),
                         .bytes = word(4),
                         .isCompressed = (word(2) & compressed) != 0,
                         .name = {}};
  const std::uint32_t nameBytes = word(5);
  if (nameBytes > mostNameBytes || recordHeaderBytes + nameBytes > bytes.size() ||
      header.headerBytes < recordHeaderBytes + nameBytes ||
      header.headerBytes > recordHeaderBytes + mostNameBytes || header.headerBytes % 4 != 0)
    return std::nullopt;
  header.name = {detail::valuesAt<char>(bytes.data()) + recordHeaderBytes, nameBytes};
  if (!isName(header.name) || (!header.isCompressed && header.bytes != header.storedBytes))
    return std::nullopt;
  return header;
}

std::string reasonForSurplus(std::size_t most, std::string_view ofWhat) {
  return "kaon reads at most " + std::to_string(most) + ' ' + std::string(ofWhat) +
         " of a file of this format";
}

bool isSioFile(std::span<const std::byte> firstBytes) {
  return firstBytes.size() >= recordHeaderBytes &&
         loadBigEndian<std::uint32_t>(firstBytes.data() + 4) == recordMark;
}

} // namespace kaon::sio
