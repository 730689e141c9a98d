#pragma once

#include <kaon/formats/root/container/RecordKey.h>
#include <kaon/formats/root/container/RootFileHeader.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kaon::root {

/// An object that a folder of a ROOT file lists.
struct ListedObject {
  RecordKey key;
  std::string path;     ///< with its folders: "a/b/t"
  bool isNewest = true; ///< among the cycles of its path

  /// The path. Older cycles have their number behind it: "a/b/t;1".
  [[nodiscard]] std::string name() const {
    return isNewest ? path : path + ";" + std::to_string(key.cycle);
  }
};

/// A folder of a ROOT file.
struct ListedFolder {
  std::string path;           ///< "" for the root folder, "a/b"
  std::uint64_t position = 0; ///< of its record
  std::uint64_t keyBytes = 0; ///< from there to its header
  std::uint16_t cycle = 0;
  FolderHeader header;
};

/// All objects that the folders of a file list.
struct Listing {
  std::vector<ListedObject> objects; ///< without folders
  /// The folders below the root folder. Empty if the file was searched for records.
  std::vector<ListedFolder> folders;
  std::optional<RecordKey> streamerInfos; ///< the record that describes the classes
};

} // namespace kaon::root
