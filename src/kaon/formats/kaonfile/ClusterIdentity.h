#pragma once

#include <kaon/formats/kaonfile/FileStructs.h>
#include <kaon/io/ByteSource.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace kaon::kaonfile {

/// Identifies the records of a file.
struct FileIdentity {
  std::uint64_t id = 0;
  std::uint32_t flags = 0; ///< of the file's header

  /// Returns whether the checksums of blocks are sealed.
  [[nodiscard]] bool isSealed() const noexcept { return (flags & sealedBlocks) != 0; }
};

/// Identifies a cluster or tags record of a file.
struct ClusterIdentity {
  FileIdentity file;
  RecordKind kind = RecordKind::cluster;
  std::uint32_t category = 0;
  IndexCluster index = {};

  /// Returns the number that the checksums of the cluster's blocks are combined with, so that they
  /// do not match another cluster or file. Returns 0 for files without seals.
  [[nodiscard]] std::uint64_t seal() const noexcept;
  /// Returns why a header belongs to another cluster or file, or "".
  [[nodiscard]] std::string_view mistakeIn(const RecordHeader& header) const noexcept;
};

/// Combines the checksum of each block in a cluster's meta bytes with the seal. The meta bytes must
/// be sound. Sealing twice removes the seal.
void sealBlocks(std::span<std::byte> meta, std::uint64_t seal) noexcept;

/// Returns the end of a message about a mistake: the file is damaged, or was overwritten by another
/// file since it was opened.
[[nodiscard]] std::string causeOfDamage(const io::ByteSource& bytes, std::uint64_t fileId);

} // namespace kaon::kaonfile
