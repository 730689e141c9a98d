#pragma once

#include <kaon/base/Error.h>
#include <kaon/batch/EntrySelection.h>
#include <kaon/batch/OptionalValues.h>
#include <kaon/detail/base/SparseVector.h>
#include <kaon/detail/model/MemberPlace.h>
#include <kaon/model/Schema.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon {

class File;

namespace detail {

/// Where a member without values lies.
inline constexpr std::byte noValues{};

} // namespace detail

/// Values of one member in memory, `stride` bytes apart: in an array of their own or in structs.
struct ColumnView {
  const std::byte* base = nullptr; ///< null: the column was not asked for
  std::size_t stride = 0;
  [[nodiscard]] const std::byte* at(std::size_t row) const noexcept { return base + row * stride; }
};

/// What a batch holds of one table.
struct TableView {
  std::size_t rows = 0;
  /// Counted tables: where the rows of each entry, or of each row of the parent, begin; one more
  /// for the end. They count from the batch's first row. Empty if nothing of the table is held.
  std::span<const std::uint32_t> offsets;
  /// Tables that can be absent: a byte an entry, 1 where present. May be empty: all present.
  std::span<const std::byte> present;
  std::vector<ColumnView> members;
};

namespace detail {

/// Entries of a category of a file, one after another.
struct FileEntries {
  std::shared_ptr<const File> file; ///< null: of none
  std::uint64_t first = 0;
  std::size_t count = 0;
};

} // namespace detail

/// Entries in memory, as columns: consecutive ones, or those that were selected, one after another.
/// A batch owns nothing: it is a view that lasts until its maker makes the next one. Reading it
/// from several threads is safe.
class Batch {
public:
  Batch(const Schema& schema, std::uint64_t firstEntry, std::size_t entries)
      : m_schema(&schema), m_range{firstEntry, firstEntry + entries}, m_entries(entries),
        m_tables(schema.size()) {}

  [[nodiscard]] const Schema& schema() const noexcept { return *m_schema; }
  [[nodiscard]] std::uint64_t firstEntry() const noexcept { return m_range.first; }
  [[nodiscard]] std::size_t entries() const noexcept { return m_entries; }
  /// The numbers of all entries, run by run: of a batch without gaps it is one.
  [[nodiscard]] std::span<const EntryRange> runs() const noexcept {
    return m_runs.empty() ? std::span(&m_range, 1) : m_runs;
  }

  [[nodiscard]] const TableView& table(std::uint32_t number) const { return m_tables[number]; }
  [[nodiscard]] TableView& table(std::uint32_t number) { return m_tables[number]; }
  void setRange(std::uint64_t firstEntry, std::size_t entries) noexcept {
    m_range = {firstEntry, firstEntry + entries};
    m_entries = entries;
    m_runs = {};
  }
  /// Runs of entries, of which there is at least one; they belong to the maker of the batch.
  void setRuns(std::span<const EntryRange> runs) noexcept;

  /// Where the entries [first, last) were read from, run by run, as far as the batch's maker said.
  [[nodiscard]] std::vector<detail::FileEntries> origins(std::size_t first, std::size_t last) const;
  [[nodiscard]] bool hasOrigins() const noexcept { return !m_origins.empty(); }
  /// Sets the origins of all entries. For code that makes batches.
  void setOrigins(std::vector<detail::FileEntries> origins) { m_origins = std::move(origins); }
  /// Sets one file as the origin of all runs(). Reuses the memory of earlier origins.
  void setOrigin(const std::shared_ptr<const File>& file);

  /// All values of a member, such as "MCParticles.PDG", one after another. Throws Error(name) if
  /// there is no such member, Error(type) if its type is not T or if values may be missing, and
  /// Error(usage) if it was not asked for.
  template <class T>
  [[nodiscard]] std::span<const T> values(std::string_view name) const {
    const auto [table, member] = find(name, scalarOf<T>());
    requireAlwaysThere({table, member}, name);
    const std::uint32_t extent = m_schema->table(table).members[member].extent;
    return {reinterpret_cast<const T*>(inOrder(table, member, name)),
            m_tables[table].rows * extent};
  }

  /// The values of a member that may be missing, such as "Hits.time", one for each row: numbers, or
  /// of type std::array for an array of fixed length. Throws as values().
  template <class T>
  [[nodiscard]] OptionalValues<T> optionals(std::string_view name) const {
    const auto [table, member] = find(name, detail::MemberType<T>::scalar);
    requireExtent({table, member}, detail::MemberType<T>::extent, name);
    const auto* const values = reinterpret_cast<const T*>(inOrder(table, member, name));
    auto [present, owner] = presenceOf({table, member});
    return {std::span(values, m_tables[table].rows), present, std::move(owner)};
  }

  /// Where each entry's rows begin in the table, such as "MCParticles", and at last where they end.
  /// For a vector member or relation, such as "MCParticles.parents": where each object's begin.
  [[nodiscard]] std::span<const std::uint32_t> offsets(std::string_view table) const;

private:
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> find(std::string_view name,
                                                             Scalar type) const;
  [[nodiscard]] const std::byte* inOrder(std::uint32_t table, std::uint32_t member,
                                         std::string_view name) const;
  void requireAlwaysThere(detail::MemberPlace member, std::string_view name) const;
  void requireExtent(detail::MemberPlace member, std::uint32_t extent, std::string_view name) const;
  struct Presence {
    const std::byte* present = nullptr;
    std::shared_ptr<const std::vector<std::byte>> owner = nullptr;
  };
  [[nodiscard]] Presence presenceOf(detail::MemberPlace member) const;

  const Schema* m_schema;
  EntryRange m_range; // of the first run, if there are several
  std::size_t m_entries;
  std::span<const EntryRange> m_runs; // where there are several
  detail::SparseVector<TableView> m_tables;
  std::vector<detail::FileEntries> m_origins; // none, or of all entries
};

namespace detail {

/// Puts further runs behind others; those that continue each other become one.
void appendRuns(std::vector<FileEntries>& runs, std::span<const FileEntries> further);

} // namespace detail

} // namespace kaon
