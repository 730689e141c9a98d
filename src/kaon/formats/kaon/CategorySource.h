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
#include <optional>
#include <string>
#include <vector>

namespace kaon::store {

/// A category of a .kaon file.
class CategorySource final : public Source {
public:
  /// `bytes` outlives the source; `number` is the category's in the file.
  CategorySource(const io::ByteSource& bytes, std::uint64_t fileId, std::uint32_t number,
                 CategoryContents contents, const OpenOptions& options);

  [[nodiscard]] const std::string& name() const noexcept override { return m_name; }
  [[nodiscard]] const Schema& schema() const noexcept override { return m_contents.schema; }
  [[nodiscard]] std::uint64_t entries() const noexcept override { return m_contents.entries; }
  [[nodiscard]] std::vector<EntryRange> clusters() const override;
  [[nodiscard]] std::unique_ptr<Cursor> cursor() const override;
  [[nodiscard]] std::optional<Extremes> extremes(std::uint32_t column,
                                                 const PageRange& range) const override;
  [[nodiscard]] std::optional<Extremes> clusterExtremes(std::uint32_t column,
                                                        std::size_t cluster) const override;
  [[nodiscard]] std::optional<ColumnUsage> usage(std::uint32_t column) const override;

  /// Adds what of the category's bytes is not in pages.
  void addOverheads(std::vector<Overhead>& overheads) const;

  // For its cursors.

  [[nodiscard]] const std::string& categoryName() const noexcept { return m_contents.name; }
  [[nodiscard]] const io::ByteSource& bytes() const noexcept { return *m_bytes; }
  [[nodiscard]] const OpenOptions& options() const noexcept { return m_options; }
  /// The number of the cluster in which an entry lies.
  [[nodiscard]] std::size_t clusterOf(std::uint64_t entry) const noexcept;
  /// The entries of a cluster.
  [[nodiscard]] EntryRange entriesOf(std::size_t cluster) const noexcept;
  /// The number of the cluster from which the group's pages of an entry are read: of that of the
  /// tags, if there is one.
  [[nodiscard]] std::size_t holderOf(std::uint32_t group, std::uint64_t entry) const noexcept;
  /// A cluster, or one of the tags: these have the numbers after the clusters'. Its meta bytes are
  /// read when it is first asked for. Throws Error(corrupt).
  [[nodiscard]] const Cluster& cluster(std::size_t number) const;
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
