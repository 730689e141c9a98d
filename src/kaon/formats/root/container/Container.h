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

/// A ROOT file (TFile) with its folders and records. All functions are thread-safe.
class Container {
public:
  /// Reads the header and all folders. If the writer of the file crashed, this searches the file
  /// record by record and warns. `options` are kept for the code that reads objects. Throws
  /// Error(corrupt), Error(io).
  explicit Container(std::unique_ptr<io::ByteSource> bytes, const OpenOptions& options = {});

  [[nodiscard]] const io::ByteSource& bytes() const noexcept { return *m_bytes; }
  [[nodiscard]] const std::string& name() const noexcept { return m_bytes->name(); }
  [[nodiscard]] const OpenOptions& options() const noexcept { return m_options; }
  /// A number that identifies the file, computed from its header and root folder, which have UUIDs.
  [[nodiscard]] std::uint64_t id() const noexcept { return m_id; }
  /// The program that wrote the file, as its header states it: "ROOT 6.22/06". Other programs state
  /// the version of ROOT whose format they write.
  [[nodiscard]] std::string writer() const;
  /// Whether the writer finished the file.
  [[nodiscard]] bool isComplete() const noexcept { return m_isComplete; }

  /// All objects that are not folders, in the order of their folders. The newest cycle of a path
  /// comes before older ones.
  [[nodiscard]] std::span<const ListedObject> objects() const noexcept { return m_objects; }
  /// The record that describes the classes (StreamerInfo), if the file has one.
  [[nodiscard]] const std::optional<Key>& streamerInfos() const noexcept { return m_streamerInfos; }

  /// Returns the decompressed payload of a record. It is in `storage`, or in the file if it is
  /// stored uncompressed. Throws Error(corrupt).
  [[nodiscard]] std::span<const std::byte> payload(const Key& key, Buffer& storage) const;

private:
  std::unique_ptr<io::ByteSource> m_bytes;
  OpenOptions m_options;
  std::uint64_t m_id = 0;
  std::int32_t m_version = 0; // of ROOT, such as 62206
  bool m_isComplete = true;
  std::vector<ListedObject> m_objects;
  std::optional<Key> m_streamerInfos;
};

} // namespace kaon::root
