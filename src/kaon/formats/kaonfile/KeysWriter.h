#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/kaonfile/CategoryKeys.h>
#include <kaon/formats/kaonfile/ClusterMemory.h>
#include <kaon/formats/kaonfile/ContentsWriter.h>
#include <kaon/formats/kaonfile/PageWriter.h>
#include <kaon/io/ByteSource.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace kaon::kaonfile {

/// Gathers the keys of a category's entries, and writes them, sorted, as the category of sorted
/// keys. Throws Error(io). For one thread at a time.
class KeysWriter {
public:
  /// Gathers the keys of a category of a file. `file` and `memory` must outlive it.
  KeysWriter(ContentsWriter& file, ClusterMemory& memory, std::uint32_t category,
             const SinkOptions& options);

  /// Takes over the keys of the file's existing entries. If the file has not sorted them all,
  /// gathers them again. `bytes` is the file.
  void takeOver(const std::shared_ptr<const io::ByteSource>& bytes);
  /// Finds keys among further tables. Throws Error(usage) if an option names a table that is not a
  /// key.
  void findKeys();

  /// Returns the keys in the order of comparison.
  [[nodiscard]] const std::vector<KeyLocator>& places() const noexcept { return m_keys.places(); }
  /// Throws Error(usage) unless each of the next entries has exactly one value of each key.
  void check(const BatchKeys& keys) const;
  /// Adds the keys of the last cluster. Keys that arrive in order are written at once; others wait.
  void add(const BatchKeys& keys, std::uint32_t entries);
  /// Writes the waiting keys.
  void finish();

private:
  void mergeWithKnown();
  [[nodiscard]] std::uint64_t firstToMerge() const;
  void write(const KeyColumns& rows);
  void writeAll();
  [[nodiscard]] std::uint32_t sortedCategory();
  [[nodiscard]] const CategoryContents& contents() const noexcept {
    return m_file.category(m_category);
  }

  ContentsWriter& m_file;
  ClusterMemory& m_memory;
  std::uint32_t m_category;
  std::optional<std::uint32_t> m_sorted; // category of the sorted keys
  CategoryKeys m_keys;
  PageWriter m_pages;                            // of sorted keys
  std::shared_ptr<const io::ByteSource> m_bytes; // of a file that is appended to
};

} // namespace kaon::kaonfile
