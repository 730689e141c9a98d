#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Source.h>
#include <kaon/formats/root/container/Listing.h>
#include <kaon/io/ByteSource.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kaon::root {

/// A ROOT file (TFile) as its folders and records. All functions are safe for concurrent use.
class Container {
public:
  /// Reads the header and all folders. A file whose writer died is searched record by record, with
  /// a warning. `options` are for who reads its objects. Throws Error(corrupt), Error(io).
  explicit Container(std::unique_ptr<io::ByteSource> bytes, const OpenOptions& options = {});

  [[nodiscard]] const io::ByteSource& bytes() const noexcept { return *m_bytes; }
  [[nodiscard]] const std::string& name() const noexcept { return m_bytes->name(); }
  [[nodiscard]] const OpenOptions& options() const noexcept { return m_options; }
  /// Tells the file from others: made of its header and what its root folder says, with UUIDs.
  [[nodiscard]] std::uint64_t id() const noexcept { return m_id; }
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
  OpenOptions m_options;
  std::uint64_t m_id = 0;
  bool m_isComplete = true;
  std::vector<ListedObject> m_objects;
  std::optional<Key> m_streamerInfos;
};

} // namespace kaon::root
