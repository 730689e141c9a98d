#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/kaon/Bounds.h>
#include <kaon/formats/kaon/CategoryKeys.h>
#include <kaon/formats/kaon/GatheredTags.h>
#include <kaon/formats/kaon/PageWriter.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace kaon::store {

/// A cluster on its way to a file, and what the file's index says of it.
struct EncodedCluster : detail::EncodedBatch {
  /// Its bytes, not sealed: the file that takes them does that. Nothing if they are not in memory.
  [[nodiscard]] virtual std::optional<ClusterBytes> written() const noexcept = 0;
  /// Reads what a file has of its values beside it: the ranks of these keys, and its tags if they
  /// are wanted. One that was just encoded has them.
  virtual void readKeysAndTags(std::span<const KeyPlace> /*wanted*/, bool /*wantsTags*/) {}

  std::uint32_t entries = 0;
  std::uint32_t tables = 0;               // of the category
  std::map<std::uint32_t, Bounds> bounds; // of keys, by table
  std::vector<KeyPlace> places;           // of the keys that there were
  BatchKeys keys;
  TagValues tags;
};

} // namespace kaon::store
