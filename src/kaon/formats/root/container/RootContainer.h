#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Source.h>
#include <kaon/formats/root/container/Listing.h>
#include <kaon/formats/root/container/RootFileHeader.h>
#include <kaon/io/ByteSource.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kaon::root {

/// A ROOT file (TFile) with its folders and records. All functions are thread-safe.
class RootContainer {
public:
  /// Reads the header and all folders. If the writer of the file crashed, this searches the file
  /// record by record and warns. `options` are kept for the code that reads objects. Throws
  /// Error(corrupt), Error(io).
  explicit RootContainer(std::unique_ptr<io::ByteSource> bytes, const OpenOptions& options = {});

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
  /// The root folder, then the folders in it. Only the root folder if the file was searched.
  [[nodiscard]] std::span<const ListedFolder> folders() const noexcept { return m_folders; }
  [[nodiscard]] const RootFileHeader& header() const noexcept { return m_header; }
  /// The record that describes the classes (StreamerInfo), if the file has one.
  [[nodiscard]] const std::optional<RecordKey>& streamerInfos() const noexcept {
    return m_streamerInfos;
  }

  /// Returns the decompressed payload of a record. It is in `storage`, or in the file if it is
  /// stored uncompressed. Throws Error(corrupt).
  [[nodiscard]] std::span<const std::byte> payload(const RecordKey& key, Buffer& storage) const;

private:
  std::unique_ptr<io::ByteSource> m_bytes;
  OpenOptions m_options;
  std::uint64_t m_id = 0;
  RootFileHeader m_header;
  bool m_isComplete = true;
  std::vector<ListedObject> m_objects;
  std::vector<ListedFolder> m_folders;
  std::optional<RecordKey> m_streamerInfos;
};

} // namespace kaon::root
