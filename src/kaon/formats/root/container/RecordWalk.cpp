#include <kaon/formats/root/container/RecordWalk.h>

#include <kaon/base/Error.h>
#include <kaon/formats/root/container/Folders.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace kaon::root {
namespace {

constexpr std::uint64_t fixedKeyBytes = 18; // up to and including the size of the key
constexpr std::uint64_t usualKeyBytes = 512;

/// Returns the key of the record at `position`, or nothing if there is no valid record that fits
/// into the file.
std::optional<RecordKey> keyAt(const io::ByteSource& bytes, std::uint64_t position,
                               Buffer& scratch) {
  const std::uint64_t rest = bytes.size() - position;
  auto view = bytes.view(position, std::min(rest, usualKeyBytes), scratch);
  const std::uint64_t keyBytes = loadBigEndian<std::uint16_t>(view.data() + 14);
  if (keyBytes > rest)
    return std::nullopt;
  if (keyBytes > view.size())
    view = bytes.view(position, keyBytes, scratch);
  try {
    BigEndianReader reader(view, bytes.name());
    RecordKey key = readKey(reader);
    const bool isThere =
        key.position == position && key.recordBytes <= rest && key.keyBytes >= fixedKeyBytes;
    return isThere ? std::optional(std::move(key)) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt; // the readable records end here
  }
}

bool isListed(std::string_view className) {
  return !className.empty() && className != "TFile" && className != "RBlob" &&
         className != "TBasket" && !className.starts_with("TDirectory");
}

} // namespace

Listing walkRecords(const io::ByteSource& bytes, const RootFileHeader& header) {
  Listing listing;
  Buffer scratch;
  // Paths by the position of the folder's record.
  std::map<std::uint64_t, std::string> folders{{header.begin, ""}};
  std::uint64_t position = header.begin;
  while (position < bytes.size() && bytes.size() - position >= fixedKeyBytes) {
    const auto size =
        loadBigEndian<std::int32_t>(bytes.view(position, fixedKeyBytes, scratch).data());
    if (size < 0) { // a gap
      position += static_cast<std::uint64_t>(-std::int64_t{size});
      continue;
    }
    auto key = keyAt(bytes, position, scratch);
    if (!key)
      break;
    position += key->recordBytes;
    const auto folder = folders.find(key->folder);
    const std::string path = (folder == folders.end() ? "" : folder->second) + key->name;
    if (key->className.starts_with("TDirectory")) {
      // Objects in other folders are treated as objects of the root folder.
      if (path.size() < mostFolderPath)
        folders.emplace(key->position, path + '/');
    } else if (key->className == "TList" && key->name == "StreamerInfo")
      listing.streamerInfos = std::move(key);
    else if (isListed(key->className))
      listing.objects.push_back({std::move(*key), path});
  }
  return listing;
}

} // namespace kaon::root
