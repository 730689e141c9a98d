#include <kaon/formats/root/container/RecordKey.h>

#include <ctime>

namespace kaon::root {
namespace {

constexpr std::uint16_t firstWideVersion = 1001;
// The bits above hold a process ID.
constexpr std::uint64_t positionBits = (std::uint64_t{1} << 48) - 1;

} // namespace

RecordKey readKey(BigEndianReader& reader) {
  RecordKey key;
  const auto recordBytes = reader.get<std::int32_t>();
  key.isWide = reader.get<std::uint16_t>() >= firstWideVersion;
  const auto objectBytes = reader.get<std::int32_t>();
  reader.skip(sizeof(std::uint32_t)); // the time
  key.keyBytes = reader.get<std::uint16_t>();
  key.cycle = reader.get<std::uint16_t>();
  key.position = reader.getPosition(key.isWide) & positionBits;
  key.folder = reader.getPosition(key.isWide) & positionBits;
  if (recordBytes <= 0 || objectBytes < 0 || key.keyBytes > recordBytes)
    reader.failHere("the sizes in a key contradict each other; the file is damaged");
  key.recordBytes = static_cast<std::uint32_t>(recordBytes);
  key.objectBytes = static_cast<std::uint32_t>(objectBytes);
  key.className = reader.getString();
  key.name = reader.getString();
  key.title = reader.getString();
  return key;
}

std::size_t keyBytesOf(const RecordKey& key) noexcept {
  constexpr std::size_t narrowNumbers = 26, wideNumbers = 34;
  return (key.isWide ? wideNumbers : narrowNumbers) + stringBytes(key.className) +
         stringBytes(key.name) + stringBytes(key.title);
}

void putKey(BigEndianWriter& writer, const RecordKey& key) {
  constexpr std::uint16_t version = 4, wide = 1000;
  writer.put(key.recordBytes);
  writer.put(static_cast<std::uint16_t>(version + (key.isWide ? wide : 0)));
  writer.put(key.objectBytes);
  writer.put(packedTimeNow());
  writer.put(key.keyBytes);
  writer.put(key.cycle);
  writer.putPosition(key.position, key.isWide);
  writer.putPosition(key.folder, key.isWide);
  writer.putString(key.className);
  writer.putString(key.name);
  writer.putString(key.title);
}

std::uint32_t packedTimeNow() {
  constexpr int firstYear = 95; // 1995, as years since 1900
  const std::time_t now = std::time(nullptr);
  std::tm time{};
  ::localtime_r(&now, &time);
  return static_cast<std::uint32_t>((time.tm_year - firstYear) << 26 | (time.tm_mon + 1) << 22 |
                                    time.tm_mday << 17 | time.tm_hour << 12 | time.tm_min << 6 |
                                    time.tm_sec);
}

} // namespace kaon::root
