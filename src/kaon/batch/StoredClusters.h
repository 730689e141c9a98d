#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/codec/Codec.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace kaon {

/// Clusters of a category as they are stored, for who appends them to another file without decoding
/// them. Sources of formats that can do this are also this. Any thread.
class StoredClusters {
public:
  virtual ~StoredClusters() = default;
  StoredClusters() = default;
  StoredClusters(const StoredClusters&) = delete;
  StoredClusters& operator=(const StoredClusters&) = delete;

  /// Whether a cluster is worth being copied, by its number in Source::clusters(): files of many
  /// small ones are slow to read, so these are joined. Throws Error(corrupt) as storedCluster().
  [[nodiscard]] virtual bool isLarge(std::size_t number) const = 0;
  /// The codec that a page of the cluster is compressed by; none if no page is.
  [[nodiscard]] virtual Codec codecOfCluster(std::size_t number) const = 0;
  /// A cluster, by its number in Source::clusters(), for Sink::appendCopy() of a sink of the same
  /// format, whose category begins with the same tables: of those behind them the entries have
  /// nothing. It must not outlive the source. Pages are not checked, as their checksums go with
  /// them. Throws Error(corrupt) if what says where they are is damaged.
  [[nodiscard]] virtual std::unique_ptr<detail::EncodedBatch>
  storedCluster(std::size_t number) const = 0;
  /// Returns storedCluster() with further tables, whose values a batch of the same entries has.
  /// The options encode them. Null if that is impossible, and if pages of the cluster
  /// are compressed by another codec than that of the options.
  [[nodiscard]] virtual std::unique_ptr<detail::EncodedBatch>
  storedCluster(std::size_t number, const Batch& further, const SinkOptions& options) const = 0;
};

} // namespace kaon
