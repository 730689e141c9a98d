#include <kaon/formats/root/container/Key.h>

namespace kaon::root {
namespace {

constexpr std::uint16_t firstWideVersion = 1001;
constexpr std::uint64_t positionBits = (std::uint64_t{1} << 48) - 1; // above are a process's

std::uint64_t getPosition(BigEndianReader& reader, bool isWide) {
  return isWide ? reader.get<std::uint64_t>() & positionBits : reader.get<std::uint32_t>();
}

} // namespace

Key readKey(BigEndianReader& reader) {
  Key key;
  const auto recordBytes = reader.get<std::int32_t>();
  const bool isWide = reader.get<std::uint16_t>() >= firstWideVersion;
  const auto objectBytes = reader.get<std::int32_t>();
  reader.skip(sizeof(std::uint32_t)); // the time
  key.keyBytes = reader.get<std::uint16_t>();
  key.cycle = reader.get<std::uint16_t>();
  key.position = getPosition(reader, isWide);
  key.folder = getPosition(reader, isWide);
  if (recordBytes <= 0 || objectBytes < 0 || key.keyBytes > recordBytes)
    reader.failHere("the sizes in a key contradict each other; the file is damaged");
  key.recordBytes = static_cast<std::uint32_t>(recordBytes);
  key.objectBytes = static_cast<std::uint32_t>(objectBytes);
  key.className = reader.getString();
  key.name = reader.getString();
  key.title = reader.getString();
  return key;
}

} // namespace kaon::root
