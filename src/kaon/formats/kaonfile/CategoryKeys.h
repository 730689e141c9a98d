#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/batch/Keys.h>
#include <kaon/batch/Sink.h>
#include <kaon/batch/Source.h>
#include <kaon/formats/kaonfile/FileContents.h>
#include <kaon/formats/kaonfile/KeySorter.h>
#include <kaon/model/Schema.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kaon::kaonfile {

/// The ranks of the keys in a batch, by key; empty for keys without a table in the batch. `misfit`
/// is the first entry with no or several values of a key.
struct BatchKeys {
  /// An entry with no or several values of a key.
  struct Misfit {
    std::string key;
    std::uint64_t entry; ///< number in the batch
    std::uint32_t rows;
  };
  KeyColumns ranks;
  std::optional<Misfit> misfit;
};
[[nodiscard]] BatchKeys keysOf(const Batch& batch, std::span<const KeyLocator> places);

/// Returns the keys of a category with these tables: keys named by options, in order, then the
/// others. Throws Error(usage) if a name is not a key. `file` is for messages.
[[nodiscard]] std::vector<KeyLocator>
keyPlaces(const Schema& category, std::span<const std::string> names, const std::string& file);

/// The keys of a category that is being written, until they are sorted. For one thread at a time.
class CategoryKeys {
public:
  /// Takes the directory for temporary files.
  CategoryKeys(const SinkOptions& options, std::string directory)
      : m_names(options.keys), m_memoryBytes(options.keyBytes), m_directory(std::move(directory)),
        m_sorter(0, m_memoryBytes, m_directory) {}

  /// Takes over the keys that a file already has sorted. Returns false if they are not keys of the
  /// category; then no keys are gathered.
  [[nodiscard]] bool takeKnown(const Schema& sorted, const Schema& category);
  /// Finds the keys among the category's new tables. Throws the errors of keyPlaces().
  void find(const Schema& category, const std::string& file);

  /// Stops gathering keys.
  void turnOff() noexcept {
    m_isOff = true;
    m_places.clear();
  }

  /// Returns the keys in the order of comparison.
  [[nodiscard]] const std::vector<KeyLocator>& places() const noexcept { return m_places; }
  [[nodiscard]] bool empty() const noexcept { return m_places.empty(); }

  /// Returns the number of keys in the sorter; further keys may have been found since.
  [[nodiscard]] std::size_t sortedCount() const noexcept { return m_sorter.keys(); }
  /// Makes a sorter for all keys. The old sorter must have no rows.
  void renewSorter() { m_sorter = KeySorter(m_places.size(), m_memoryBytes, m_directory); }
  [[nodiscard]] KeySorter& sorter() noexcept { return m_sorter; }
  [[nodiscard]] const KeySorter& sorter() const noexcept { return m_sorter; }
  [[nodiscard]] KeySorter anotherSorter() const {
    return {m_sorter.keys(), m_memoryBytes, m_directory};
  }

  /// Returns rows of a batch for the sorter. Keys that the batch lacks get the missing value of
  /// their table.
  [[nodiscard]] KeyColumns pieceOf(const BatchKeys& batch, const Schema& category,
                                   std::size_t first, std::size_t count,
                                   std::uint64_t firstEntry) const;

private:
  std::vector<std::string> m_names;
  std::size_t m_memoryBytes;
  std::string m_directory;
  std::vector<KeyLocator> m_places;
  bool m_isOff = false;
  KeySorter m_sorter;
};

/// A batch of sorted keys, with its memory.
class KeyBatch {
public:
  /// Takes tables and rows in the form of a sorter.
  KeyBatch(const Schema& sorted, const KeyColumns& rows);
  [[nodiscard]] const Batch& batch() const noexcept { return m_batch; }

private:
  std::vector<Buffer> m_values;
  Batch m_batch;
};

/// Passes the keys of all entries of a source to a sorter. Throws Error(corrupt), and Error(usage)
/// for entries with no or several values of a key.
void readKeys(const Source& source, std::span<const KeyLocator> places, KeySorter& sorter);
/// Passes rows that are already sorted to a sorter.
void readSortedKeys(const Source& sorted, std::uint64_t firstRow, KeySorter& sorter);

} // namespace kaon::kaonfile
