#pragma once

#include <kaon/codec/Precision.h>
#include <kaon/detail/codec/Element.h>
#include <kaon/model/Scalar.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace kaon {

/// The number of a table, member or column, which counts from 0. Integers and numbers convert to
/// each other. Numbers of different things do not: using one as another, or comparing them, does
/// not compile.
template <class Thing>
class NumberOf {
public:
  constexpr NumberOf() = default;
  constexpr NumberOf(std::uint32_t number) noexcept : m_number(number) {}
  template <class Other>
  NumberOf(NumberOf<Other>) = delete;
  constexpr operator std::uint32_t() const noexcept { return m_number; }
  constexpr NumberOf& operator++() noexcept {
    ++m_number;
    return *this;
  }
  constexpr NumberOf operator++(int) noexcept { return m_number++; }
  constexpr NumberOf& operator+=(std::uint32_t count) noexcept {
    m_number += count;
    return *this;
  }

private:
  std::uint32_t m_number = 0;
};

template <class A, class B>
  requires(!std::is_same_v<A, B>)
bool operator==(NumberOf<A>, NumberOf<B>) = delete;
template <class A, class B>
  requires(!std::is_same_v<A, B>)
std::strong_ordering operator<=>(NumberOf<A>, NumberOf<B>) = delete;

struct Column;
struct Member;
struct Table;

/// The number of a table in a schema.
using TableNumber = NumberOf<Table>;
/// The number of a member in its table.
using MemberNumber = NumberOf<Member>;
/// The number of a column in a schema.
using ColumnNumber = NumberOf<Column>;

/// A member of a table.
struct TableMember {
  TableNumber table = ~std::uint32_t{0}; ///< by default, no table
  MemberNumber member = 0;
  friend bool operator==(const TableMember&, const TableMember&) = default;
  friend auto operator<=>(const TableMember&, const TableMember&) = default;
};

/// The numbers [first, last).
template <class Thing>
struct NumberRange {
  NumberOf<Thing> first = 0;
  NumberOf<Thing> last = 0;

  class Iterator {
  public:
    using value_type = NumberOf<Thing>;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    explicit Iterator(NumberOf<Thing> number) noexcept : m_number(number) {}
    NumberOf<Thing> operator*() const noexcept { return m_number; }
    Iterator& operator++() noexcept {
      ++m_number;
      return *this;
    }
    Iterator operator++(int) noexcept { return Iterator(m_number++); }
    friend bool operator==(const Iterator& a, const Iterator& b) noexcept {
      return a.m_number == b.m_number;
    }

  private:
    NumberOf<Thing> m_number;
  };
  [[nodiscard]] Iterator begin() const noexcept { return Iterator(first); }
  [[nodiscard]] Iterator end() const noexcept { return Iterator(last); }
};
using MemberRange = NumberRange<Member>;
using ColumnRange = NumberRange<Column>;

} // namespace kaon

// Ranges of integers can be searched for numbers.
template <class Thing, template <class> class A, template <class> class B>
struct std::basic_common_reference<kaon::NumberOf<Thing>, std::uint32_t, A, B> {
  using type = std::uint32_t;
};
template <class Thing, template <class> class A, template <class> class B>
struct std::basic_common_reference<std::uint32_t, kaon::NumberOf<Thing>, A, B> {
  using type = std::uint32_t;
};

namespace kaon {

/// How the tables of a collection are stored in a file. Files store these numbers.
enum class Layout : std::uint8_t {
  split = 0, ///< a column per member; its pages follow each other.
  row = 1,   ///< a column of whole structs; pages of the same entries follow each other.
  member = 2 ///< a column per member; pages of the same entries follow each other.
};
[[nodiscard]] std::string_view layoutName(Layout layout) noexcept;
/// Returns the layout with this name. Throws Error(name) with a suggestion.
[[nodiscard]] Layout layoutNamed(std::string_view name);

/// The kind of a table's rows. Files store these numbers.
enum class TableKind : std::uint8_t {
  /// Objects, any number per entry. An entry may also lack the collection.
  collection = 0,
  /// The elements of lists, any number per object, or per row of the table above.
  vectorMember = 1,
  /// One reference for each object.
  oneRelation = 2,
  /// References, any number per object.
  manyRelation = 3,
  /// The values of a parameter, any number per entry. An entry may also lack the parameter.
  parameter = 4,
  /// The characters of strings, any number per value of a parameter or element of a list.
  text = 5,
  /// Exactly one row per entry.
  value = 6,
  /// Further members of a collection's objects: exactly one row per object.
  decoration = 7
};
namespace detail {

inline constexpr std::size_t tableKinds = 8;

/// See Table::isCounted().
[[nodiscard]] constexpr bool isCounted(TableKind kind) noexcept {
  return kind != TableKind::oneRelation && kind != TableKind::value &&
         kind != TableKind::decoration;
}

/// The two members of a relation's rows. `index` is the position of the object in its collection,
/// or -1 for none. `collection` is the number of the collection's table.
inline constexpr std::uint32_t relationIndex = 0;
inline constexpr std::uint32_t relationCollection = 1;

} // namespace detail

/// Further uses of value tables, as bits of a set.
enum class TableUse : std::uint8_t {
  none = 0,
  tag = 1, ///< read without the rest of the event: stored apart, in its own pages
  key = 2  ///< events are found by it.
};
/// Returns whether a set of uses includes this one.
[[nodiscard]] constexpr bool has(TableUse set, TableUse use) noexcept {
  return (static_cast<unsigned>(set) & static_cast<unsigned>(use)) != 0;
}
[[nodiscard]] constexpr TableUse operator|(TableUse a, TableUse b) noexcept {
  return static_cast<TableUse>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

namespace detail {

/// Returns the facts that make two members equal: all but the order of their source.
template <class M>
[[nodiscard]] auto factsOf(const M& member) noexcept {
  return std::tie(member.name, member.type, member.extent, member.offset, member.unit,
                  member.description, member.precision, member.missing, member.structure);
}

} // namespace detail

/// A member to add to a schema.
struct MemberDefinition {
  std::string name; ///< "PDG", "vertex.x"; "" if the rows are bare values
  Scalar type = Scalar::Bool;
  std::uint32_t extent = 1; ///< number of values in a row
  std::uint32_t offset = 0; ///< in bytes from the beginning of the row.
  std::string unit = {};
  std::string description = {};
  Precision precision = {};
  std::uint64_t missing = 0;  ///< the bytes of a value in entries older than the member
  std::string structure = {}; ///< how the parts of its name nest: see docs/format.md
  /// The number of tables under the member's table that come before it in the source. Members and
  /// lists are shown in this order. It does not count for equality.
  std::uint8_t listsBefore = 0;
  [[nodiscard]] std::uint32_t size() const noexcept { return sizeOf(type) * extent; }
  friend bool operator==(const MemberDefinition& a, const MemberDefinition& b) noexcept {
    return detail::factsOf(a) == detail::factsOf(b);
  }
};

namespace detail {

/// Returns a number of lists as MemberDefinition::listsBefore: at most 255.
[[nodiscard]] constexpr std::uint8_t countOfLists(std::size_t lists) noexcept {
  return static_cast<std::uint8_t>(lists < 255 ? lists : 255);
}

/// Sets the members' offsets in their rows as in a struct, each a multiple of the size of its
/// values. Returns the size of a row in bytes.
std::uint32_t placeMembers(std::span<MemberDefinition> members) noexcept;

} // namespace detail

/// A table to add to a schema. Table explains the fields.
struct TableDefinition {
  std::string name;
  TableKind kind = TableKind::collection;
  Layout layout = Layout::split;
  std::string type = {};
  TableNumber parent = ~std::uint32_t{0};
  std::uint32_t rowSize = 0;
  std::vector<MemberDefinition> members = {};
  std::string description = {};
  std::string group = {};
  TableUse use = TableUse::none;
  friend bool operator==(const TableDefinition&, const TableDefinition&) = default;
};

namespace detail {

/// The place of a text in the texts of a schema.
struct TextRange {
  std::uint32_t begin = 0;
  std::uint32_t size = 0;
};

/// A member in the memory of a schema.
struct MemberRecord {
  TextRange name, unit, description, structure;
  std::uint32_t extent = 0;
  std::uint32_t offset = 0;
  std::uint64_t missing = 0;
  double precisionLow = 0;
  double precisionStep = 0;
  Scalar type = Scalar::Bool;
  Precision::Kind precisionKind = Precision::Kind::exact;
  std::uint8_t precisionBits = 0;
  std::uint8_t listsBefore = 0;
  std::uint32_t precisionLast = 0;
};

} // namespace detail
static_assert(sizeof(detail::MemberRecord) == 72);

namespace detail {

/// A table in the memory of a schema.
struct TableRecord {
  TextRange name, type, description, group;
  std::uint32_t parent = 0;
  std::uint32_t rowSize = 0;
  std::uint32_t firstMember = 0;
  std::uint32_t members = 0;
  TableKind kind = TableKind::collection;
  Layout layout = Layout::split;
  TableUse use = TableUse::none;
  /// Whether the members state their structure. If not, add() derives it from their names.
  bool statesStructure = true;
  std::uint32_t reserved = 0;
};

} // namespace detail
static_assert(sizeof(detail::TableRecord) == 56);

/// A scalar, or an array of fixed length, in each row of a table. Its texts belong to the schema.
struct Member {
  std::string_view name; ///< "PDG", "vertex.x"; "" if the rows are bare values
  Scalar type = Scalar::Bool;
  std::uint32_t extent = 1; ///< number of values in a row
  std::uint32_t offset = 0; ///< in bytes from the beginning of the row.
  std::string_view unit;
  std::string_view description;
  Precision precision;
  std::uint64_t missing = 0;    ///< the bytes of a value in entries older than the member
  std::string_view structure;   ///< how the parts of its name nest: see docs/format.md
  std::uint8_t listsBefore = 0; ///< See MemberDefinition.
  [[nodiscard]] std::uint32_t size() const noexcept { return sizeOf(type) * extent; }
  [[nodiscard]] MemberDefinition definition() const {
    return {std::string(name),
            type,
            extent,
            offset,
            std::string(unit),
            std::string(description),
            precision,
            missing,
            std::string(structure),
            listsBefore};
  }
  friend bool operator==(const Member& a, const Member& b) noexcept {
    return detail::factsOf(a) == detail::factsOf(b);
  }
};

namespace detail {

/// Returns the element type of a member's values for encodings.
[[nodiscard]] codec::Element elementOf(const Member& member) noexcept;

} // namespace detail

/// The members of a table, each made on access.
class Members {
public:
  Members(const detail::MemberRecord* first, std::uint32_t size, const char* texts) noexcept
      : m_first(first), m_size(size), m_texts(texts) {}
  [[nodiscard]] std::uint32_t size() const noexcept { return m_size; }
  [[nodiscard]] bool empty() const noexcept { return m_size == 0; }
  [[nodiscard]] Member operator[](std::size_t number) const noexcept {
    const detail::MemberRecord& r = m_first[number];
    return {text(r.name),
            r.type,
            r.extent,
            r.offset,
            text(r.unit),
            text(r.description),
            {r.precisionKind, r.precisionBits, r.precisionLow, r.precisionStep, r.precisionLast},
            r.missing,
            text(r.structure),
            r.listsBefore};
  }
  /// Returns the number of the member with this name; size() if it does not exist.
  [[nodiscard]] MemberNumber find(std::string_view name) const noexcept {
    std::uint32_t number = 0;
    while (number < m_size && text(m_first[number].name) != name)
      ++number;
    return number;
  }

  class Iterator {
  public:
    using value_type = Member;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    Iterator(const Members& members, std::uint32_t number)
        : m_first(members.m_first), m_texts(members.m_texts), m_number(number) {}
    Member operator*() const noexcept { return Members(m_first, 0, m_texts)[m_number]; }
    Iterator& operator++() noexcept {
      ++m_number;
      return *this;
    }
    Iterator operator++(int) noexcept {
      Iterator before = *this;
      ++m_number;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) noexcept {
      return a.m_number == b.m_number;
    }

  private:
    const detail::MemberRecord* m_first = nullptr;
    const char* m_texts = nullptr;
    std::uint32_t m_number = 0;
  };
  [[nodiscard]] Iterator begin() const noexcept { return {*this, 0}; }
  [[nodiscard]] Iterator end() const noexcept { return {*this, m_size}; }

private:
  [[nodiscard]] std::string_view text(detail::TextRange place) const noexcept {
    return {m_texts + place.begin, place.size};
  }
  const detail::MemberRecord* m_first;
  std::uint32_t m_size;
  const char* m_texts;
};

/// Rows of one struct type, under entries or under the rows of another table. A collection is a
/// table; each of its vector members and relations is a table under it. Lists may be under the
/// elements of lists: "Hits.pulses", "Hits.pulses.samples". If each row of a table is only a list,
/// the list has no name of its own: "waveforms", "waveforms.". A view, valid until its schema
/// changes.
struct Table {
  static constexpr TableNumber none = ~std::uint32_t{0};

  std::string_view name; ///< "MCParticles", "MCParticles.parents"
  TableKind kind = TableKind::collection;
  Layout layout = Layout::split;
  /// The datatype, component or scalar; for relations, the type of the objects.
  std::string_view type;
  TableNumber parent = none; ///< the table above this one; none for tables under entries.
  std::uint32_t rowSize = 0;
  Members members;
  std::string_view description;
  /// Root tables of the same group have pages of the same entries. If "", a collection or parameter
  /// is a group of its own; values form one group.
  std::string_view group;
  TableUse use = TableUse::none;

  [[nodiscard]] bool isRoot() const noexcept { return parent == none; }
  /// Returns whether the number of rows varies between entries, or between rows of the parent.
  [[nodiscard]] bool isCounted() const noexcept { return detail::isCounted(kind); }
  /// Returns whether an entry can lack the table. This differs from having no rows.
  [[nodiscard]] bool canBeAbsent() const noexcept { return isRoot() && isCounted(); }
  [[nodiscard]] TableDefinition definition() const;
  friend bool operator==(const Table& a, const Table& b) noexcept;
};

} // namespace kaon
