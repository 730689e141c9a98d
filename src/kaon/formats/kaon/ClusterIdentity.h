#pragma once

#include <kaon/formats/kaon/Format.h>
#include <kaon/io/ByteSource.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace kaon::store {

/// By what a file's records are known as its own.
struct FileIdentity {
  std::uint64_t id = 0;
  std::uint32_t flags = 0; ///< of its header

  /// Whether the checksums of blocks are sealed.
  [[nodiscard]] bool isSealed() const noexcept { return (flags & sealedBlocks) != 0; }
};

/// Which cluster, or tags record, of which file is expected.
struct ClusterIdentity {
  FileIdentity file;
  RecordKind kind = RecordKind::cluster;
  std::uint32_t category = 0;
  IndexCluster index = {};

  /// What the checksums of the cluster's blocks are combined with, so that they do not fit those of
  /// another cluster or file; 0 where the file's checksums are not sealed.
  [[nodiscard]] std::uint64_t seal() const noexcept;
  /// What a header says of another cluster or file; "" if it is this cluster's.
  [[nodiscard]] std::string_view mistakeIn(const RecordHeader& header) const noexcept;
};

/// Combines the checksum of each block of a cluster's meta bytes, which are sound, with its seal. A
/// second time takes the seal off again.
void sealBlocks(std::span<std::byte> meta, std::uint64_t seal) noexcept;

/// How a message about a mistake in a file ends: that the file is damaged, or that another file was
/// written over it since it was opened.
[[nodiscard]] std::string causeOfDamage(const io::ByteSource& bytes, std::uint64_t fileId);

} // namespace kaon::store
