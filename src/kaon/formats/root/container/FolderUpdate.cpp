#include <kaon/formats/root/container/FolderUpdate.h>

#include <kaon/base/Error.h>
#include <kaon/formats/root/container/RootFileHeader.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

namespace kaon::root {

Buffer withKeys(std::span<const std::byte> stored, std::span<const AddedKey> added,
                const std::string& where) {
  std::multimap<std::string_view, std::size_t, std::less<>> byName; // numbers of added keys
  std::map<std::uint64_t, std::size_t> byReplaced;
  for (std::size_t i = 0; i < added.size(); ++i)
    if (added[i].replaced != 0)
      byReplaced.emplace(added[i].replaced, i);
    else
      byName.emplace(added[i].key.name, i);
  std::vector<bool> isPut(added.size());
  BigEndianWriter keys;
  std::uint32_t count = 0;
  keys.put(count);
  const auto put = [&](std::size_t number) {
    if (isPut[number])
      return;
    isPut[number] = true;
    putKey(keys, added[number].key);
    ++count;
  };

  if (!stored.empty()) {
    BigEndianReader reader(stored, where);
    reader.seek(readKey(reader).keyBytes);
    const auto known = reader.get<std::uint32_t>();
    for (std::uint32_t i = 0; i < known; ++i) {
      const std::size_t begin = reader.position();
      const RecordKey key = readKey(reader);
      const auto [first, last] = byName.equal_range(key.name);
      std::for_each(first, last, [&](const auto& newer) { put(newer.second); });
      if (const auto newer = byReplaced.find(key.position); newer != byReplaced.end()) {
        put(newer->second);
        continue;
      }
      keys.putBytes(stored.subspan(begin, reader.position() - begin));
      ++count;
    }
  }
  for (std::size_t i = 0; i < added.size(); ++i)
    put(i);
  keys.replace(0, count);
  Buffer bytes;
  bytes.append(keys.bytes());
  return bytes;
}

Buffer withKeysAt(std::span<const std::byte> stored, std::uint64_t keys, std::uint64_t keysBytes,
                  const std::string& where) {
  constexpr std::uint16_t wide = 1000;
  constexpr std::size_t mostUuidBytes = 18;
  BigEndianReader reader(stored, where);
  auto version = reader.get<std::uint16_t>();
  const bool wasWide = version > wide;
  const auto created = reader.get<std::uint32_t>();
  reader.skip(2 * sizeof(std::uint32_t)); // the time of the last change, bytes of the keys
  const auto nameBytes = reader.get<std::uint32_t>();
  const std::uint64_t position = reader.getPosition(wasWide), parent = reader.getPosition(wasWide);
  (void)reader.getPosition(wasWide); // of the old keys
  const auto uuid = reader.take(std::min(reader.remaining(), mostUuidBytes));

  const bool isWide = wasWide || keys > mostInSmallFile;
  if (isWide && !wasWide)
    version += wide;
  BigEndianWriter writer;
  writer.put(version);
  writer.put(created);
  writer.put(packedTimeNow());
  writer.put(static_cast<std::uint32_t>(keysBytes));
  writer.put(nameBytes);
  writer.putPosition(position, isWide);
  writer.putPosition(parent, isWide);
  writer.putPosition(keys, isWide);
  writer.putBytes(uuid);
  if (writer.size() > stored.size())
    fail(ErrorKind::usage, where, " has no room for positions beyond 2 GB; `kaon convert` makes ",
         "a file that has it");
  Buffer bytes;
  bytes.append(writer.bytes());
  return bytes;
}

} // namespace kaon::root
