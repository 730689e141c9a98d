#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/formats/kaon/CategoryKeys.h>
#include <kaon/formats/kaon/ClusterMemory.h>
#include <kaon/formats/kaon/ContentsWriter.h>
#include <kaon/formats/kaon/PageWriter.h>
#include <kaon/io/ByteSource.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace kaon::store {

/// Gathers the keys of a category's entries and writes them, sorted, as the category that finds
/// them. Throws Error(io). For one thread at a time.
class KeysWriter {
public:
  /// Those of a category of a file. Both outlive it.
  KeysWriter(ContentsWriter& file, ClusterMemory& memory, std::uint32_t category,
             const SinkOptions& options);

  /// Takes over the keys of the entries that the file has, whose bytes these are: where they are
  /// not all sorted, they are gathered once more.
  void takeOver(const std::shared_ptr<const io::ByteSource>& bytes);
  /// The category has further tables. Throws Error(usage) for a name that is no key's.
  void findKeys();

  /// In the order in which they are compared.
  [[nodiscard]] const std::vector<KeyPlace>& places() const noexcept { return m_keys.places(); }
  /// Whether each of the next entries has one of each key: else Error(usage).
  void check(const BatchKeys& keys) const;
  /// Takes those of the cluster that was written last. Keys that come in order are written as they
  /// come; others wait.
  void add(const BatchKeys& keys, std::uint32_t entries);
  /// Writes what waits.
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
  std::optional<std::uint32_t> m_sorted; // the category of the sorted keys
  CategoryKeys m_keys;
  PageWriter m_pages;                            // of sorted keys
  std::shared_ptr<const io::ByteSource> m_bytes; // of what is appended to
};

} // namespace kaon::store
