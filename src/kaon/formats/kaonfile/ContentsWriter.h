#pragma once

#include <kaon/batch/Keys.h>
#include <kaon/codec/Codec.h>
#include <kaon/formats/kaonfile/FileContents.h>
#include <kaon/formats/kaonfile/PageWriter.h>
#include <kaon/formats/kaonfile/RecordWriter.h>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::kaonfile {

/// Writes schemas, clusters and documents to a file, and keeps their entries for the index. Throws
/// Error(io); then nothing further can be written. For one thread at a time.
class ContentsWriter {
public:
  /// Begins a new file.
  ContentsWriter(std::unique_ptr<io::ByteSink> sink, Compression codec);
  /// Appends to a file with these contents.
  ContentsWriter(std::unique_ptr<io::ByteSink> sink, Compression codec, FileContents contents);

  [[nodiscard]] io::ByteSink& sink() noexcept { return m_records.sink(); }
  [[nodiscard]] const std::string& name() const noexcept { return m_records.sink().name(); }
  [[nodiscard]] const FileContents& contents() const noexcept { return m_contents; }
  [[nodiscard]] const CategoryContents& category(std::uint32_t number) const noexcept {
    return m_contents.categories[number];
  }

  /// Adds a category and returns its number.
  std::uint32_t addCategory(std::string_view name);
  /// Adds the tables of a batch that the category lacks. If known tables differ, throws
  /// Error(usage) and adds none.
  void addTables(std::uint32_t category, const Schema& schema);
  /// Adds the tables of further keys to the category of sorted keys.
  void addKeyTables(std::uint32_t category, const Schema& of, std::span<const KeyLocator> keys);
  /// Removes the clusters from the one that begins at `firstEntry`.
  void dropClusters(std::uint32_t category, std::uint64_t firstEntry);

  /// Seals a cluster and appends it to a category, after all tables that are not written yet.
  /// `bounds` has the bounds of its keys, by table.
  void writeCluster(std::uint32_t category, std::uint32_t entries, const ClusterBytes& cluster,
                    const std::map<std::uint32_t, Bounds>& bounds);
  /// Writes the tags of entries a second time, together.
  void writeTags(std::uint32_t category, std::uint64_t firstEntry, std::uint32_t entries,
                 const ClusterBytes& tags);
  /// Writes a document unless the file already has it.
  void writeDocument(std::string_view name, std::string_view text);
  /// Writes all tables that are not written yet.
  void writeSchemas();
  void writeIndex();

private:
  void writeCopy();
  void writeRecord(std::uint32_t category, RecordKind kind, std::uint64_t firstEntry,
                   std::uint32_t entries, const ClusterBytes& cluster);

  FileContents m_contents;
  RecordWriter m_records;
  Compression m_codec;
  Buffer m_sealed;                      // meta bytes of a cluster
  std::vector<std::uint32_t> m_written; // the number of written tables of each category
  std::set<std::uint32_t> m_changed;    // categories whose schema is not all written
  std::uint64_t m_copiedAt = 0;         // end of the last copy of schemas and documents
  std::uint64_t m_copySize = 0;         // the size of the next copy, at least
  bool m_hasNew = false;                // whether there are new schemas or documents since
};

} // namespace kaon::kaonfile
