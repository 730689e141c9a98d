#pragma once

#include <kaon/batch/Batch.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/model/Datatype.h>
#include <kaon/model/Schema.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace kaon {

/// A view of numbers in the caller's array.
class ValuesView {
public:
  template <std::ranges::contiguous_range Range>
    requires std::is_arithmetic_v<std::ranges::range_value_t<Range>>
  ValuesView(const Range& values) noexcept
      : m_type(scalarOf<std::ranges::range_value_t<Range>>()), m_size(std::ranges::size(values)),
        m_data(detail::bytesAt(std::ranges::data(values))) {}
  [[nodiscard]] Scalar type() const noexcept { return m_type; }
  [[nodiscard]] std::size_t size() const noexcept { return m_size; }
  [[nodiscard]] const std::byte* data() const noexcept { return m_data; }

private:
  Scalar m_type;
  std::size_t m_size;
  const std::byte* m_data;
};

/// A member of a table, and its values.
struct MemberValues {
  std::string name; ///< "pt", "vertex.x"; "" if the rows are bare values
  ValuesView values;
  std::string unit = {};
  std::string description = {};
};

/// A batch made of the caller's arrays, which must outlive it:
///
///   kaon::Columns columns(3);                     // entries
///   columns.add("weight", weights);               // 3 numbers
///   columns.add("Muon", begins, {{"pt", pt}});    // begins: {0, 2, 2, 5}, 5 rows
///   columns.add("Muon.hits", offsets, {{"", x}}); // lists under the muons
///
/// Nothing is copied. For one thread at a time.
class Columns {
public:
  explicit Columns(std::size_t entries) : m_entries(entries) {}

  /// Adds one number per entry. Throws Error(usage) if there are more or fewer.
  void add(std::string_view name, ValuesView values, std::string_view unit = {},
           std::string_view description = {});

  /// Adds a collection, where entry i has the rows [offsets[i], offsets[i + 1]). Or adds lists
  /// under the rows of a table that was added before. A list's name begins with that table's name
  /// and a dot: "Muon.hits", and "Muon.hits.samples" under these. Each member has one value per
  /// row. Throws Error(usage) if the number of values or offsets is wrong.
  void add(std::string_view name, std::span<const std::uint32_t> offsets,
           const std::vector<MemberValues>& members);

  /// Adds rows that are only lists. The table of their elements has no name of its own:
  ///
  ///   columns.addLists("waveforms", offsets);
  ///   columns.add("waveforms.", sampleOffsets, {{"", samples}});
  void addLists(std::string_view name, std::span<const std::uint32_t> offsets) {
    add(name, offsets, std::vector<MemberValues>());
  }

  /// Declares the tables of a collection of a model's objects, such as
  /// `declare<MCParticle>("MCParticles")`. You must then fill() each table, also those of vector
  /// members and relations.
  template <class T>
  void declare(std::string_view name) {
    declare(T::datatype(), name);
  }
  void declare(const Datatype& datatype, std::string_view name);
  /// Fills a declared table, such as "MCParticles". A relation, such as "MCParticles.daughters",
  /// has the members `index` and `collection`; see tableNumber(). Relations to one object have no
  /// offsets. Throws Error(name) for unknown tables and members, Error(type) for values of another
  /// type, and Error(usage) for missing values.
  void fill(std::string_view name, std::span<const std::uint32_t> offsets,
            const std::vector<MemberValues>& members);
  /// Returns the value of the member `collection` in references to this collection. Throws
  /// Error(name) for unknown names.
  [[nodiscard]] std::uint32_t tableNumber(std::string_view collection) const {
    return m_schema->tableNamed(collection);
  }

  /// Returns all tables as a batch, which refers to this object. Throws Error(usage) if a declared
  /// table was not filled.
  [[nodiscard]] Batch batch() const;

private:
  [[nodiscard]] std::size_t rowsAbove(const Table& table) const;
  [[nodiscard]] TableNumber addTable(const TableDefinition& table);
  void view(TableNumber table, std::span<const std::uint32_t> offsets);
  [[nodiscard]] ColumnView column(TableNumber table, MemberNumber member,
                                  const ValuesView& values) const;

  std::size_t m_entries;
  std::shared_ptr<Schema> m_schema = std::make_shared<Schema>(); // batches refer to it
  std::vector<TableView> m_views;
  std::vector<bool> m_isFilled;
};

} // namespace kaon
