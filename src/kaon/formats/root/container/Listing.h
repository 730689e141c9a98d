#pragma once

#include <kaon/formats/root/container/Key.h>

#include <optional>
#include <string>
#include <vector>

namespace kaon::root {

/// An object that a folder of a ROOT file lists.
struct ListedObject {
  Key key;
  std::string path;     ///< with its folders: "a/b/t"
  bool isNewest = true; ///< among the cycles of its path

  /// The path. Older cycles have their number behind it: "a/b/t;1".
  [[nodiscard]] std::string name() const {
    return isNewest ? path : path + ";" + std::to_string(key.cycle);
  }
};

/// All objects that the folders of a file list.
struct Listing {
  std::vector<ListedObject> objects; ///< without folders
  std::optional<Key> streamerInfos;  ///< the record that describes the classes
};

} // namespace kaon::root
