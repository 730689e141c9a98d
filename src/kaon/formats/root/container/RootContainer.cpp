#include <kaon/formats/root/container/RootContainer.h>

#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>
#include <kaon/base/Warning.h>
#include <kaon/formats/root/container/Blocks.h>
#include <kaon/formats/root/container/Folders.h>
#include <kaon/formats/root/container/RecordWalk.h>
#include <kaon/formats/root/container/RootFileHeader.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace kaon::root {
namespace {

constexpr std::uint64_t firstBytes = 1024; // the header, and usually the root folder

/// Groups the objects of each path at the place of the first one, with the newest cycle first.
void sortCycles(std::vector<ListedObject>& objects) {
  std::map<std::string_view, std::size_t> places;
  for (const ListedObject& object : objects)
    places.emplace(object.path, places.size());
  std::vector<std::pair<std::size_t, const ListedObject*>> order;
  for (const ListedObject& object : objects)
    order.emplace_back(places[object.path], &object);
  std::ranges::stable_sort(order, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second->key.cycle > b.second->key.cycle;
  });
  std::vector<ListedObject> sorted;
  for (const auto& [place, object] : order) {
    const bool isNewest = sorted.empty() || sorted.back().path != object->path;
    sorted.push_back(*object);
    sorted.back().isNewest = isNewest;
  }
  objects = std::move(sorted);
}

bool isInside(const FolderHeader& folder, const io::ByteSource& bytes) {
  return folder.keysBytes > 0 && folder.keys < bytes.size() &&
         folder.keysBytes <= bytes.size() - folder.keys;
}

} // namespace

RootContainer::RootContainer(std::unique_ptr<io::ByteSource> bytes, const OpenOptions& options)
    : m_bytes(std::move(bytes)), m_options(options) {
  Buffer scratch;
  auto first = m_bytes->view(0, std::min(m_bytes->size(), firstBytes), scratch);
  const RootFileHeader& header = m_header = readFileHeader(first, name() + ": the header");
  const std::uint64_t behindName = header.begin + header.nameBytes;
  const std::uint64_t behindFolder = behindName + FolderHeader::mostBytes;
  if (behindFolder > first.size() && first.size() < m_bytes->size())
    first = m_bytes->view(0, std::min(m_bytes->size(), behindFolder), scratch);
  if (behindName > first.size())
    fail(ErrorKind::corrupt, name(), ": ends in its root folder; the file is damaged");
  first =
      first.first(static_cast<std::size_t>(std::min<std::uint64_t>(first.size(), behindFolder)));
  m_id = checksum(first);
  const FolderHeader root = readFolderHeader(first.subspan(static_cast<std::size_t>(behindName)),
                                             name() + ": the root folder");
  const bool hasKeys = isInside(root, *m_bytes);
  m_isComplete = hasKeys && header.end <= m_bytes->size();
  Listing listing = hasKeys ? readFolders(*m_bytes, header, root) : walkRecords(*m_bytes, header);
  if (!m_isComplete)
    warn(WarningKind::incompleteFile,
         name() + (header.end > m_bytes->size() ? ": is cut" : ": was not finished") +
             (listing.objects.empty() ? "; nothing in it can be found"
                                      : "; only its readable part is read"));
  m_objects = std::move(listing.objects);
  m_folders = std::move(listing.folders);
  m_folders.insert(m_folders.begin(), {"", header.begin, header.nameBytes, 1, root});
  m_streamerInfos = std::move(listing.streamerInfos);
  sortCycles(m_objects);
}

std::string RootContainer::writer() const {
  const auto twoDigits = [](std::int32_t number) {
    return (number < 10 ? "0" : "") + std::to_string(number);
  };
  const std::int32_t version = m_header.version;
  return "ROOT " + std::to_string(version / 10'000) + "." + twoDigits(version / 100 % 100) + "/" +
         twoDigits(version % 100);
}

std::span<const std::byte> RootContainer::payload(const RecordKey& key, Buffer& storage) const {
  const std::string where = name() + ": '" + key.name + "' at byte " + std::to_string(key.position);
  if (!key.isCompressed())
    return m_bytes->view(key.position + key.keyBytes, key.objectBytes, storage);
  if (!canDescribe(key.storedBytes(), key.objectBytes))
    fail(ErrorKind::corrupt, where, ": claims to hold more than it can; the file is damaged");
  Buffer scratch;
  const auto stored = m_bytes->view(key.position + key.keyBytes, key.storedBytes(), scratch);
  decompressBlocks(stored, storage.assign(key.objectBytes), where);
  return storage.bytes();
}

} // namespace kaon::root
