#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/codec/Codec.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace kaon {

/// Clusters of a category as stored, to append them to another file without decoding. Sources of
/// formats that support this derive from this class, too. Thread-safe.
class StoredClusters {
public:
  virtual ~StoredClusters() = default;
  StoredClusters() = default;
  StoredClusters(const StoredClusters&) = delete;
  StoredClusters& operator=(const StoredClusters&) = delete;

  /// Returns whether a cluster, by its number in Source::clusters(), is large enough to be copied.
  /// Files with many small clusters are slow to read, so these are joined instead. Throws
  /// Error(corrupt) as storedCluster().
  [[nodiscard]] virtual bool isLarge(std::size_t number) const = 0;
  /// Returns the codec of the cluster's compressed pages; none if no page is compressed.
  [[nodiscard]] virtual Codec codecOfCluster(std::size_t number) const = 0;
  /// Returns a cluster, by its number in Source::clusters(), for Sink::appendCopy(). The sink must
  /// have the same format, and its category must begin with the same tables. The entries have no
  /// data in further tables. The source must outlive the result. Pages are not checked, because
  /// their checksums are copied with them. Throws Error(corrupt) if the positions of pages are
  /// damaged.
  [[nodiscard]] virtual std::unique_ptr<detail::EncodedBatch>
  storedCluster(std::size_t number) const = 0;
  /// Returns storedCluster() with further tables, whose values are in a batch of the same entries.
  /// `options` says how to encode them. Returns null if this is impossible, or if the cluster has
  /// pages with another codec than `options`.
  [[nodiscard]] virtual std::unique_ptr<detail::EncodedBatch>
  storedCluster(std::size_t number, const Batch& further, const SinkOptions& options) const = 0;
};

} // namespace kaon
