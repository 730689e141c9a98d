#pragma once

#include <kaon/batch/Source.h>
#include <kaon/writing/JoinedBatch.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kaon::memory {

/// A category in memory, whose clusters are batches. Each cluster is one page of every column.
class MemoryCategory final : public Source {
public:
  /// `file` is for messages.
  MemoryCategory(const std::string& file, std::string name)
      : m_name(file + ":" + name), m_categoryName(std::move(name)) {}

  /// Appends a batch. Its first tables must be those of the category. Must not run while others
  /// read.
  void append(std::unique_ptr<const JoinedBatch> batch);

  [[nodiscard]] const std::string& categoryName() const noexcept { return m_categoryName; }
  [[nodiscard]] const std::string& name() const noexcept override { return m_name; }
  [[nodiscard]] const Schema& schema() const noexcept override { return m_schema; }
  [[nodiscard]] std::uint64_t entries() const noexcept override { return m_entries; }
  [[nodiscard]] std::vector<EntryRange> clusters() const override;
  [[nodiscard]] std::unique_ptr<detail::Cursor> cursor() const override;
  /// The size of the values in memory.
  [[nodiscard]] std::uint64_t bytes() const noexcept;

  // Clusters, for cursors.

  struct MemoryCluster {
    std::uint64_t firstEntry;
    std::unique_ptr<const JoinedBatch> data;
    Batch batch; ///< a view of `data`
  };
  [[nodiscard]] const MemoryCluster& cluster(std::size_t number) const {
    return m_clusters[number];
  }
  [[nodiscard]] std::size_t clusterOf(std::uint64_t entry) const noexcept;

private:
  std::string m_name;
  std::string m_categoryName;
  Schema m_schema;
  std::vector<MemoryCluster> m_clusters;
  std::uint64_t m_entries = 0;
};

} // namespace kaon::memory
