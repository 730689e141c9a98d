#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Source.h>
#include <kaon/formats/kaonfile/ClusterMeta.h>
#include <kaon/formats/kaonfile/FileContents.h>
#include <kaon/io/ByteSource.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>

namespace kaon::kaonfile {

/// The clusters of a category and their entries. Thread-safe.
class StoredCategory {
public:
  /// `bytes` must outlive it.
  StoredCategory(const io::ByteSource& bytes, FileIdentity file, CategoryContents contents,
                 const OpenOptions& options);

  /// Returns file and category, for messages.
  [[nodiscard]] const std::string& name() const noexcept { return m_name; }
  [[nodiscard]] const io::ByteSource& bytes() const noexcept { return *m_bytes; }
  [[nodiscard]] const OpenOptions& options() const noexcept { return m_options; }
  [[nodiscard]] const FileIdentity& file() const noexcept { return m_file; }
  [[nodiscard]] const CategoryContents& contents() const noexcept { return m_contents; }
  [[nodiscard]] const Schema& schema() const noexcept { return m_contents.schema; }
  /// Returns the number of clusters and tags records.
  [[nodiscard]] std::size_t holders() const noexcept {
    return m_contents.clusters.size() + m_contents.tags.size();
  }

  /// Returns the number of the cluster that has an entry.
  [[nodiscard]] std::size_t clusterOf(std::uint64_t entry) const noexcept;
  /// Returns the entries of a cluster.
  [[nodiscard]] EntryRange entriesOf(std::size_t cluster) const noexcept;
  /// Returns the number of the cluster to read a group's pages of an entry from: a tags record, if
  /// one has them.
  [[nodiscard]] std::size_t holderOf(TableNumber group, std::uint64_t entry) const noexcept;
  /// Returns the place of a cluster or tags record. Numbers of tags records follow those of
  /// clusters.
  [[nodiscard]] const IndexCluster& index(std::size_t number) const noexcept {
    const std::size_t clusters = m_contents.clusters.size();
    return number < clusters ? m_contents.clusters[number] : m_contents.tags[number - clusters];
  }
  [[nodiscard]] RecordKind kindOf(std::size_t number) const noexcept {
    return number < m_contents.clusters.size() ? RecordKind::cluster : RecordKind::tags;
  }
  /// Returns a reader of cluster descriptions; it must not outlive the category.
  [[nodiscard]] ClusterMeta meta() const { return {*m_bytes, m_file, m_contents}; }
  /// Returns header and meta bytes of a cluster or tags record, if they are short and the file is
  /// not in memory. They are read once and kept. `isWanted` tells which of the following records
  /// will be needed, too. Empty if the file is in memory, or if the bytes are best read in pieces.
  /// Throws Error(corrupt).
  using IsWanted = std::function<bool(std::size_t number)>;
  [[nodiscard]] std::span<const std::byte> record(std::size_t number,
                                                  const IsWanted& isWanted) const;
  /// Returns the right to read a record together with other bytes, and to pass it to keepRecord().
  /// Empty if the record is known or another thread is reading it.
  [[nodiscard]] std::unique_lock<std::mutex> claimRecord(std::size_t number) const;
  void keepRecord(std::size_t number, std::span<const std::byte> record,
                  std::unique_lock<std::mutex> claim) const;
  /// Returns the group of a column's table.
  [[nodiscard]] std::uint32_t groupOf(ColumnNumber column) const noexcept {
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
  std::unique_ptr<Record[]> m_records; // of clusters and tags, unless the file is in memory
};

} // namespace kaon::kaonfile
