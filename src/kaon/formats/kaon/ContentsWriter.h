#pragma once

#include <kaon/batch/Keys.h>
#include <kaon/codec/Codec.h>
#include <kaon/formats/kaon/Contents.h>
#include <kaon/formats/kaon/PageWriter.h>
#include <kaon/formats/kaon/RecordWriter.h>

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::store {

/// Writes schemas, clusters and documents to a file, and keeps what its index will say of them.
/// Throws Error(io): then nothing can follow. For one thread at a time.
class ContentsWriter {
public:
  /// A new file.
  ContentsWriter(std::unique_ptr<io::ByteSink> sink, Compression codec);
  /// Goes on behind what a file contains; the sink appends to it.
  ContentsWriter(std::unique_ptr<io::ByteSink> sink, Compression codec, FileContents contents);

  [[nodiscard]] io::ByteSink& sink() noexcept { return m_records.sink(); }
  [[nodiscard]] const std::string& name() const noexcept { return m_records.sink().name(); }
  [[nodiscard]] const FileContents& contents() const noexcept { return m_contents; }
  [[nodiscard]] const CategoryContents& category(std::uint32_t number) const noexcept {
    return m_contents.categories[number];
  }

  /// A new category, whose number is the next.
  std::uint32_t addCategory(std::string_view name);
  /// Takes over the tables of a batch that the category does not have yet. Throws Error(usage)
  /// where the others differ; then it takes over none.
  void addTables(std::uint32_t category, const Schema& schema);
  /// Adds the tables of further keys to the category of sorted keys.
  void addKeyTables(std::uint32_t category, const Schema& of, std::span<const KeyPlace> keys);
  /// Forgets the clusters from that one on which begins at the entry.
  void dropClusters(std::uint32_t category, std::uint64_t firstEntry);

  /// Appends a cluster to a category, behind all tables that are not written yet, and seals it.
  /// `bounds` are those of its keys, by table.
  void writeCluster(std::uint32_t category, std::uint32_t entries, const ClusterBytes& cluster,
                    const std::map<std::uint32_t, Bounds>& bounds);
  /// Writes tags of entries that were written once more.
  void writeTags(std::uint32_t category, std::uint64_t firstEntry, std::uint32_t entries,
                 const ClusterBytes& tags);
  /// Not if the file has it already.
  void writeDocument(std::string_view name, std::string_view text);
  /// Writes all tables that are not written yet.
  void writeSchemas();
  void writeIndex();

private:
  void writeRecord(std::uint32_t category, RecordKind kind, std::uint64_t firstEntry,
                   std::uint32_t entries, const ClusterBytes& cluster);
  struct WrittenSchema {
    bool hasSchema = false;   // a record of it was written
    std::uint32_t tables = 0; // of it
  };

  FileContents m_contents;
  RecordWriter m_records;
  Compression m_codec;
  Buffer m_sealed;                      // the meta bytes of a cluster
  std::vector<WrittenSchema> m_written; // of each category
};

} // namespace kaon::store
