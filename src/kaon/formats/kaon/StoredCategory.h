#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Source.h>
#include <kaon/formats/kaon/ClusterMeta.h>
#include <kaon/formats/kaon/Contents.h>
#include <kaon/io/ByteSource.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>

namespace kaon::store {

/// Which clusters a category has and which entries lie in them. For any thread.
class StoredCategory {
public:
  /// `bytes` outlives it.
  StoredCategory(const io::ByteSource& bytes, FileIdentity file, CategoryContents contents,
                 const OpenOptions& options);

  /// File and category, for messages.
  [[nodiscard]] const std::string& name() const noexcept { return m_name; }
  [[nodiscard]] const io::ByteSource& bytes() const noexcept { return *m_bytes; }
  [[nodiscard]] const OpenOptions& options() const noexcept { return m_options; }
  [[nodiscard]] const FileIdentity& file() const noexcept { return m_file; }
  [[nodiscard]] const CategoryContents& contents() const noexcept { return m_contents; }
  [[nodiscard]] const Schema& schema() const noexcept { return m_contents.schema; }
  /// How many clusters there are, those of tags among them.
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
  /// Where a cluster, or one of the tags, is: these have the numbers after the clusters'.
  [[nodiscard]] const IndexCluster& index(std::size_t number) const noexcept {
    const std::size_t clusters = m_contents.clusters.size();
    return number < clusters ? m_contents.clusters[number] : m_contents.tags[number - clusters];
  }
  [[nodiscard]] RecordKind kindOf(std::size_t number) const noexcept {
    return number < m_contents.clusters.size() ? RecordKind::cluster : RecordKind::tags;
  }
  /// What describes the pages of its clusters; it must not outlive the category.
  [[nodiscard]] ClusterMeta meta() const { return {*m_bytes, m_file, m_contents}; }
  /// Header and meta bytes of a cluster, or of tags, where they are few and far: read once and
  /// kept. Of the ones behind it, `isWanted` says which will be asked for, too. Empty where they
  /// lie in memory or are best read in pieces. Throws Error(corrupt).
  using IsWanted = std::function<bool(std::size_t number)>;
  [[nodiscard]] std::span<const std::byte> record(std::size_t number,
                                                  const IsWanted& isWanted) const;
  /// The right to read them, together with something else, and to hand them to keepRecord(); none
  /// if they are known, or somebody else is reading them.
  [[nodiscard]] std::unique_lock<std::mutex> claimRecord(std::size_t number) const;
  void keepRecord(std::size_t number, std::span<const std::byte> record,
                  std::unique_lock<std::mutex> claim) const;
  /// The group of the table that a column belongs to.
  [[nodiscard]] std::uint32_t groupOf(std::uint32_t column) const noexcept {
    return schema().groupOf(schema().columns()[column].table);
  }

private:
  struct Record {
    std::mutex reading;
    std::atomic<bool> isKnown = false;
    Buffer bytes;
  };
  void readRecords(std::size_t number, const IsWanted& isWanted,
                   std::unique_lock<std::mutex> claim) const;

  const io::ByteSource* m_bytes;
  FileIdentity m_file;
  std::string m_name;
  CategoryContents m_contents;
  OpenOptions m_options;
  std::unique_ptr<Record[]> m_records; // of clusters and tags, if the bytes are not in memory
};

} // namespace kaon::store
