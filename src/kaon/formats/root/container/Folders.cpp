#include <kaon/formats/root/container/Folders.h>

#include <kaon/base/Error.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kaon::root {
namespace {

struct Folder {
  std::string path; // "", "a/", "a/b/"
  FolderHeader header;
};

class FolderReader {
public:
  FolderReader(const io::ByteSource& bytes, const RootFileHeader& header)
      : m_bytes(bytes), m_left(bytes.size()) {
    m_visited.insert(header.begin);
    const bool hasInfos = header.infos > 0 && header.infosBytes > 0 &&
                          header.infos < bytes.size() &&
                          header.infosBytes <= bytes.size() - header.infos;
    if (hasInfos)
      m_infos = {header.infos, std::min<std::uint64_t>(header.infosBytes, mostInfosKey)};
  }

  Listing read(const FolderHeader& root) {
    std::vector<Folder> level{{"", root}};
    for (std::size_t depth = 0; !level.empty(); ++depth) {
      if (depth == mostFolderLevels)
        fail(ErrorKind::corrupt, m_bytes.name(), ": has folders in more than ", mostFolderLevels,
             " levels; the file is damaged");
      level = foldersIn(readKeys(level));
    }
    return std::move(m_listing);
  }

private:
  static constexpr std::uint64_t mostInfosKey = 512;

  /// Reads the keys of all folders of a level in one request. The first request includes the key of
  /// the class record. Returns the keys of the folders in them.
  std::vector<ListedObject> readKeys(const std::vector<Folder>& level) {
    std::vector<io::ByteRange> ranges;
    for (const Folder& folder : level) {
      if (folder.header.keysBytes > m_left)
        fail(ErrorKind::corrupt, m_bytes.name(),
             ": the keys of its folders are larger than the file, which is damaged");
      m_left -= folder.header.keysBytes;
      ranges.push_back({folder.header.keys, folder.header.keysBytes});
    }
    if (m_infos)
      ranges.push_back(*m_infos);
    Buffer scratch;
    const auto views = m_bytes.views(ranges, scratch);
    std::vector<ListedObject> folders;
    for (std::size_t i = 0; i < level.size(); ++i)
      takeKeys(level[i], views[i], folders);
    if (std::exchange(m_infos, std::nullopt)) {
      BigEndianReader reader(views.back(), m_bytes.name() + ": the key of the classes");
      m_listing.streamerInfos = readKey(reader);
    }
    return folders;
  }

  void takeKeys(const Folder& folder, std::span<const std::byte> bytes,
                std::vector<ListedObject>& folders) {
    if (bytes.empty())
      return;
    BigEndianReader reader(bytes, m_bytes.name() + ": the keys of the folder '/" + folder.path +
                                      "' at byte " + std::to_string(folder.header.keys));
    const RecordKey own = readKey(reader);
    reader.seek(own.keyBytes);
    const auto count = reader.get<std::uint32_t>();
    for (std::uint32_t i = 0; i < count; ++i) {
      ListedObject object{readKey(reader), ""};
      object.path = folder.path + object.key.name;
      const bool isFolder = object.key.className.starts_with("TDirectory");
      (isFolder ? folders : m_listing.objects).push_back(std::move(object));
    }
  }

  /// Reads the headers of the folders with these keys in one request.
  std::vector<Folder> foldersIn(const std::vector<ListedObject>& keys) {
    std::vector<io::ByteRange> ranges;
    for (const auto& [key, path, isNewest] : keys) {
      if (path.size() > mostFolderPath)
        fail(ErrorKind::corrupt, m_bytes.name(), ": the path of the folder '",
             key.name.substr(0, 80), "' has more than ", mostFolderPath,
             " bytes; the file is damaged");
      if (!m_visited.insert(key.position).second)
        fail(ErrorKind::corrupt, m_bytes.name(), ": the folder '", path, "' lies in itself, or ",
             "twice in the file; it is damaged");
      ranges.push_back({key.position + key.keyBytes,
                        std::min<std::uint64_t>(key.storedBytes(), FolderHeader::mostBytes)});
    }
    Buffer scratch;
    const auto views = m_bytes.views(ranges, scratch);
    std::vector<Folder> folders;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto& [key, path, isNewest] = keys[i];
      const FolderHeader header =
          readFolderHeader(views[i], m_bytes.name() + ": the folder '" + path + "'");
      folders.push_back({path + '/', header});
      m_listing.folders.push_back({path, key.position, key.keyBytes, key.cycle, header});
    }
    return folders;
  }

  const io::ByteSource& m_bytes;
  std::optional<io::ByteRange> m_infos; // the class record's key, until it is read
  std::set<std::uint64_t> m_visited;    // the positions of folders
  // Bytes of the file that are not used yet; the keys of folders do not overlap.
  std::uint64_t m_left;
  Listing m_listing;
};

} // namespace

Listing readFolders(const io::ByteSource& bytes, const RootFileHeader& header,
                    const FolderHeader& root) {
  return FolderReader(bytes, header).read(root);
}

} // namespace kaon::root
