#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Source.h>
#include <kaon/formats/root/container/Key.h>
#include <kaon/io/ByteSource.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kaon::root {

/// An object that a folder of a ROOT file lists.
struct ListedObject {
  Key key;
  std::string path; ///< with its folders: "a/b/t"
};

/// A ROOT file (TFile) as its folders and records. All functions are safe for concurrent use.
class Container {
public:
  /// Reads the header and all folders. A file whose writer died is searched record by record, with
  /// a warning. Throws Error(corrupt), Error(io).
  explicit Container(std::unique_ptr<io::ByteSource> bytes);

  [[nodiscard]] const io::ByteSource& bytes() const noexcept { return *m_bytes; }
  [[nodiscard]] const std::string& name() const noexcept { return m_bytes->name(); }
  /// Whether its writer finished it.
  [[nodiscard]] bool isComplete() const noexcept { return m_isComplete; }

  /// All objects that are no folders, in the order of their folders; the newest cycle of a path
  /// before the older ones.
  [[nodiscard]] std::span<const ListedObject> objects() const noexcept { return m_objects; }
  /// The record that describes the classes (StreamerInfo), if there is one.
  [[nodiscard]] const std::optional<Key>& streamerInfos() const noexcept { return m_streamerInfos; }

  /// The payload of a record, decompressed: it lies in `storage` or in the file itself. Throws
  /// Error(corrupt).
  [[nodiscard]] std::span<const std::byte> payload(const Key& key, Buffer& storage) const;

private:
  std::unique_ptr<io::ByteSource> m_bytes;
  bool m_isComplete = true;
  std::vector<ListedObject> m_objects;
  std::optional<Key> m_streamerInfos;
};

} // namespace kaon::root
