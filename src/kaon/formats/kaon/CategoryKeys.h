#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/batch/Keys.h>
#include <kaon/batch/Sink.h>
#include <kaon/batch/Source.h>
#include <kaon/formats/kaon/Contents.h>
#include <kaon/formats/kaon/KeySorter.h>
#include <kaon/model/Schema.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kaon::store {

/// The ranks of keys in a batch, by key, as far as it has their tables; those of the first entry
/// that has not just one.
struct BatchKeys {
  /// An entry that does not fit.
  struct Misfit {
    std::string key;
    std::uint64_t entry; ///< of the batch
    std::uint32_t rows;
  };
  KeyColumns ranks;
  std::optional<Misfit> misfit;
};
[[nodiscard]] BatchKeys keysOf(const Batch& batch, std::span<const KeyPlace> places);

/// The keys of a category with these tables: those that options name, in their order, then others.
/// Throws Error(usage) for a name that is no key's; `file` is for the message.
[[nodiscard]] std::vector<KeyPlace>
keyPlaces(const Schema& category, std::span<const std::string> names, const std::string& file);

/// The keys of a category that is being written, on their way to be sorted. For one thread at a
/// time.
class CategoryKeys {
public:
  /// `directory` is where files may lie meanwhile.
  CategoryKeys(const SinkOptions& options, std::string directory)
      : m_names(options.keys), m_memoryBytes(options.keyBytes), m_directory(std::move(directory)),
        m_sorter(0, m_memoryBytes, m_directory) {}

  /// Takes over the keys that a file has sorted already. False if they are not keys of the
  /// category: then none are gathered.
  [[nodiscard]] bool takeKnown(const Schema& sorted, const Schema& category);
  /// Finds the keys in the category's tables that are new. Throws as keyPlaces().
  void find(const Schema& category, const std::string& file);

  /// Gathers none from here on.
  void turnOff() noexcept {
    m_isOff = true;
    m_places.clear();
  }

  /// In the order in which they are compared.
  [[nodiscard]] const std::vector<KeyPlace>& places() const noexcept { return m_places; }
  [[nodiscard]] bool empty() const noexcept { return m_places.empty(); }

  /// Those that the sorter takes: further ones may have been found since.
  [[nodiscard]] std::size_t sortedCount() const noexcept { return m_sorter.keys(); }
  /// Makes it one for all keys, where it has no rows.
  void renewSorter() { m_sorter = KeySorter(m_places.size(), m_memoryBytes, m_directory); }
  [[nodiscard]] KeySorter& sorter() noexcept { return m_sorter; }
  [[nodiscard]] const KeySorter& sorter() const noexcept { return m_sorter; }
  [[nodiscard]] KeySorter anotherSorter() const {
    return {m_sorter.keys(), m_memoryBytes, m_directory};
  }

  /// Which rows of a batch are the next piece for the sorter; keys that the batch lacks are what
  /// their tables say is missing.
  [[nodiscard]] KeyColumns pieceOf(const BatchKeys& batch, const Schema& category,
                                   std::size_t first, std::size_t count,
                                   std::uint64_t firstEntry) const;

private:
  std::vector<std::string> m_names;
  std::size_t m_memoryBytes;
  std::string m_directory;
  std::vector<KeyPlace> m_places;
  bool m_isOff = false;
  KeySorter m_sorter;
};

/// A batch of sorted keys, with the memory that it needs.
class KeyBatch {
public:
  /// Of tables and of rows as a sorter has them.
  KeyBatch(const Schema& sorted, const KeyColumns& rows);
  [[nodiscard]] const Batch& batch() const noexcept { return m_batch; }

private:
  std::vector<Buffer> m_values;
  Batch m_batch;
};

/// Hands the keys of entries to a sorter, as a source has them. Throws Error(corrupt), and
/// Error(usage) for entries that do not have just one.
void readKeys(const Source& source, std::span<const KeyPlace> places, KeySorter& sorter);
/// Reads the keys of rows that are sorted already.
void readSortedKeys(const Source& sorted, std::uint64_t firstRow, KeySorter& sorter);

} // namespace kaon::store
