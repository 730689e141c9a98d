#pragma once

#include <kaon/batch/Source.h>
#include <kaon/formats/kaon/Cluster.h>
#include <kaon/formats/kaon/Contents.h>
#include <kaon/io/ByteSource.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace kaon::store {

/// The clusters of a category, whose meta bytes are read when they are first needed. For any
/// thread.
class StoredCategory {
public:
  /// `bytes` outlives it; `number` is the category's in the file.
  StoredCategory(const io::ByteSource& bytes, std::uint64_t fileId, std::uint32_t number,
                 CategoryContents contents, const OpenOptions& options);

  /// File and category, for messages.
  [[nodiscard]] const std::string& name() const noexcept { return m_name; }
  [[nodiscard]] const io::ByteSource& bytes() const noexcept { return *m_bytes; }
  [[nodiscard]] const OpenOptions& options() const noexcept { return m_options; }
  [[nodiscard]] std::uint64_t fileId() const noexcept { return m_fileId; }
  [[nodiscard]] const CategoryContents& contents() const noexcept { return m_contents; }
  [[nodiscard]] const Schema& schema() const noexcept { return m_contents.schema; }
  /// Of clusters and of tags.
  [[nodiscard]] std::size_t holders() const noexcept {
    return m_contents.clusters.size() + m_contents.tags.size();
  }

  /// The number of the cluster in which an entry lies.
  [[nodiscard]] std::size_t clusterOf(std::uint64_t entry) const noexcept;
  /// The entries of a cluster.
  [[nodiscard]] EntryRange entriesOf(std::size_t cluster) const noexcept;
  /// The number of the cluster from which the group's pages of an entry are read: of that of the
  /// tags, if there is one.
  [[nodiscard]] std::size_t holderOf(std::uint32_t group, std::uint64_t entry) const noexcept;
  /// A cluster, or one of the tags: these have the numbers after the clusters'. Throws
  /// Error(corrupt).
  [[nodiscard]] const Cluster& cluster(std::size_t number) const;
  /// The group of the table that a column belongs to.
  [[nodiscard]] std::uint32_t groupOf(std::uint32_t column) const noexcept {
    return schema().groupOf(schema().columns()[column].table);
  }

private:
  struct LazyCluster {
    std::mutex loading; // not a once_flag: that and exceptions do not go well with ThreadSanitizer
    std::unique_ptr<const Cluster> owned;
    std::atomic<const Cluster*> loaded = nullptr;
  };

  const io::ByteSource* m_bytes;
  std::uint64_t m_fileId;
  std::uint32_t m_number; // of the category in the file
  std::string m_name;
  CategoryContents m_contents;
  OpenOptions m_options;
  std::unique_ptr<LazyCluster[]> m_clusters; // the clusters, then those of the tags
};

} // namespace kaon::store
