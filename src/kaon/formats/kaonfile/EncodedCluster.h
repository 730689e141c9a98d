#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/kaonfile/CategoryKeys.h>
#include <kaon/formats/kaonfile/GatheredTags.h>
#include <kaon/formats/kaonfile/PageBounds.h>
#include <kaon/formats/kaonfile/PageWriter.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace kaon::kaonfile {

/// A cluster to write to a file, with its data for the file's index.
struct EncodedCluster : detail::EncodedBatch {
  /// Returns its bytes, not sealed; the file that takes them seals them. Nothing if they are not in
  /// memory.
  [[nodiscard]] virtual std::optional<ClusterBytes> written() const noexcept = 0;
  /// Reads the ranks of these keys, and the tags if wanted, which a file stores apart. Clusters
  /// that were just encoded already have them.
  virtual void readKeysAndTags(std::span<const KeyLocator> /*wanted*/, bool /*wantsTags*/) {}

  std::uint32_t entries = 0;
  std::uint32_t tables = 0;               // tables of the category
  std::map<std::uint32_t, Bounds> bounds; // of keys, by table
  std::vector<KeyLocator> places;         // keys known when it was encoded
  BatchKeys keys;
  TagValues tags;
};

} // namespace kaon::kaonfile
