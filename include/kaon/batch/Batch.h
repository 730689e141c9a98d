#pragma once

#include <kaon/base/Error.h>
#include <kaon/batch/EntrySelection.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/detail/base/SparseVector.h>
#include <kaon/detail/batch/MemberType.h>
#include <kaon/model/Schema.h>
#include <kaon/model/Table.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon {

/// The values of a column, where any may be missing: a number or a std::array per row. A view,
/// valid as long as its batch.
template <class T>
class OptionalValues {
public:
  using value_type = std::optional<T>;

  OptionalValues() = default;
  /// `present` has one byte per value, 0 where the value is missing; null if all are present.
  /// `owner`, if given, keeps these bytes alive.
  OptionalValues(std::span<const T> values, const std::byte* present,
                 std::shared_ptr<const std::vector<std::byte>> owner = nullptr) noexcept
      : m_values(values), m_present(present), m_owner(std::move(owner)) {}

  [[nodiscard]] std::size_t size() const noexcept { return m_values.size(); }
  [[nodiscard]] bool empty() const noexcept { return m_values.empty(); }
  /// Returns whether value `i` is present. Does not check `i`.
  [[nodiscard]] bool has(std::size_t i) const noexcept {
    return !m_present || m_present[i] != std::byte{0};
  }
  /// Returns value `i`. Does not check `i`.
  [[nodiscard]] std::optional<T> operator[](std::size_t i) const noexcept {
    return has(i) ? std::optional<T>(m_values[i]) : std::nullopt;
  }
  /// Returns all values as stored, for loops that compilers can vectorise. Values are meaningless
  /// where has() is false.
  [[nodiscard]] std::span<const T> stored() const noexcept { return m_values; }
  /// Returns one byte per value, 0 where the value is missing. Empty if all are present.
  [[nodiscard]] std::span<const std::byte> present() const noexcept {
    return m_present ? std::span(m_present, size()) : std::span<const std::byte>{};
  }

private:
  std::span<const T> m_values;
  const std::byte* m_present = nullptr;
  std::shared_ptr<const std::vector<std::byte>> m_owner;
};

class File;

namespace detail {

/// A valid address for members without values.
inline constexpr std::byte noValues{};

} // namespace detail

/// The values of one member in memory, `stride` bytes apart: an array of values, or one member of
/// an array of structs.
struct ColumnView {
  const std::byte* base = nullptr; ///< null if the column was not requested
  std::size_t stride = 0;
  [[nodiscard]] const std::byte* at(std::size_t row) const noexcept { return base + row * stride; }
};

/// The rows of one table in a batch.
struct TableView {
  std::size_t rows = 0;
  /// For counted tables: entry i, or row i of the parent, has the rows [offsets[i], offsets[i +
  /// 1]). Rows count from the batch's first row. Empty if the batch does not hold the table.
  std::span<const std::uint32_t> offsets;
  /// For tables that can be absent: one byte per entry, 1 where the table is present. Empty if it
  /// is present in all entries.
  std::span<const std::byte> present;
  std::vector<ColumnView> members;
};

namespace detail {

/// Consecutive entries of a category of a file.
struct FileEntries {
  std::shared_ptr<const File> file; ///< null if the entries come from no file
  std::uint64_t first = 0;
  std::size_t count = 0;
};

} // namespace detail

/// Entries in memory as columns: consecutive entries, or selected entries one after another. A
/// batch is a view and owns no values. It is valid until its maker makes the next one. Several
/// threads may read it at the same time.
class Batch {
public:
  Batch(const Schema& schema, std::uint64_t firstEntry, std::size_t entries)
      : m_schema(&schema), m_range{firstEntry, firstEntry + entries}, m_entries(entries),
        m_tables(schema.size()) {}

  [[nodiscard]] const Schema& schema() const noexcept { return *m_schema; }
  [[nodiscard]] std::uint64_t firstEntry() const noexcept { return m_range.first; }
  [[nodiscard]] std::size_t entries() const noexcept { return m_entries; }
  /// Returns the entries' numbers as runs of consecutive entries. A batch without gaps is one run.
  [[nodiscard]] std::span<const EntryRange> runs() const noexcept {
    return m_runs.empty() ? std::span(&m_range, 1) : m_runs;
  }

  [[nodiscard]] const TableView& table(TableNumber number) const { return m_tables[number]; }
  [[nodiscard]] TableView& table(TableNumber number) { return m_tables[number]; }
  void setRange(std::uint64_t firstEntry, std::size_t entries) noexcept {
    m_range = {firstEntry, firstEntry + entries};
    m_entries = entries;
    m_runs = {};
  }
  /// Sets the entries' numbers as runs, at least one. Does not copy them; the maker of the batch
  /// owns their memory.
  void setRuns(std::span<const EntryRange> runs) noexcept;

  /// Returns the files and entries from which the batch's entries [first, last) were read. Entries
  /// have no file if the batch's maker did not set origins.
  [[nodiscard]] std::vector<detail::FileEntries> origins(std::size_t first, std::size_t last) const;
  [[nodiscard]] bool hasOrigins() const noexcept { return !m_origins.empty(); }
  /// Sets the origins of all entries. For code that makes batches.
  void setOrigins(std::vector<detail::FileEntries> origins) { m_origins = std::move(origins); }
  /// Sets one file as the origin of all runs(). Reuses the memory of earlier origins.
  void setOrigin(const std::shared_ptr<const File>& file);

  /// Returns all values of a member, such as "MCParticles.PDG", one after another. A row has as
  /// many values as the member's extent. Throws Error(name) for an unknown member, and Error(type)
  /// if its type is not T or if values may be missing. Throws Error(usage) if the member was not
  /// requested, or if its values are not contiguous.
  template <class T>
  [[nodiscard]] std::span<const T> values(std::string_view name) const {
    const auto [table, member] = find(name, scalarOf<T>());
    requireAlwaysThere({table, member}, name);
    const std::uint32_t extent = m_schema->table(table).members[member].extent;
    return {detail::valuesAt<T>(inOrder(table, member, name)), m_tables[table].rows * extent};
  }

  /// Returns the values of a member that may be missing, such as "Hits.time", one for each row. T
  /// is a number, or a std::array for an array of fixed length. Throws as values(), and Error(type)
  /// if the length of the array differs.
  template <class T>
  [[nodiscard]] OptionalValues<T> optionals(std::string_view name) const {
    const auto [table, member] = find(name, detail::MemberType<T>::scalar);
    requireExtent({table, member}, detail::MemberType<T>::extent, name);
    const auto* const values = detail::valuesAt<T>(inOrder(table, member, name));
    auto [present, owner] = presenceOf({table, member});
    return {std::span(values, m_tables[table].rows), present, std::move(owner)};
  }

  /// Returns the offsets of a counted table, such as "MCParticles": entry i has the rows
  /// [offsets[i], offsets[i + 1]). For a vector member or relation, such as "MCParticles.parents",
  /// object i has these rows. Throws Error(name) for an unknown table, and Error(usage) if the
  /// table is not counted or was not requested.
  [[nodiscard]] std::span<const std::uint32_t> offsets(std::string_view table) const;

private:
  [[nodiscard]] TableMember find(std::string_view name, Scalar type) const;
  [[nodiscard]] const std::byte* inOrder(TableNumber table, MemberNumber member,
                                         std::string_view name) const;
  void requireAlwaysThere(TableMember member, std::string_view name) const;
  void requireExtent(TableMember member, std::uint32_t extent, std::string_view name) const;
  struct Presence {
    const std::byte* present = nullptr;
    std::shared_ptr<const std::vector<std::byte>> owner = nullptr;
  };
  [[nodiscard]] Presence presenceOf(TableMember member) const;

  const Schema* m_schema;
  EntryRange m_range; // the first run, if there are several
  std::size_t m_entries;
  std::span<const EntryRange> m_runs; // empty if there is only one
  detail::SparseVector<TableView> m_tables;
  std::vector<detail::FileEntries> m_origins; // of all entries, or empty
};

namespace detail {

/// Appends runs to others. Runs that continue each other become one.
void appendRuns(std::vector<FileEntries>& runs, std::span<const FileEntries> further);

} // namespace detail

} // namespace kaon
