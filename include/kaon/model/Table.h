#pragma once

#include <kaon/codec/Precision.h>
#include <kaon/detail/codec/Element.h>
#include <kaon/model/Scalar.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// How the tables of a collection lie in a file. The values are those in files.
enum class Layout : std::uint8_t {
  split = 0, ///< a column per member; the pages of a column lie together
  row = 1,   ///< a column of whole structs; all pages of the same entries lie together
  member = 2 ///< a column per member; all pages of the same entries lie together
};
[[nodiscard]] std::string_view layoutName(Layout layout) noexcept;
/// Throws Error(name) with a suggestion.
[[nodiscard]] Layout layoutNamed(std::string_view name);

/// What the rows of a table are. The values are those in files.
enum class TableKind : std::uint8_t {
  collection = 0,   ///< objects; any number an entry, or none: the collection may be absent
  vectorMember = 1, ///< the elements of lists; any number an object, or a row of the table above
  oneRelation = 2,  ///< a reference for each object
  manyRelation = 3, ///< references; any number an object
  parameter = 4,    ///< the values of a parameter; any number an entry, or none: it may be absent
  text = 5,         ///< the characters of strings: any number a value of a parameter, an element
  value = 6,        ///< exactly one row an entry
  decoration = 7    ///< further members of a collection's objects: exactly one row an object
};
namespace detail {

inline constexpr std::size_t tableKinds = 8;

/// The two members of a relation's rows: `index` of the object in its collection, -1 for none, and
/// `collection`, the number of the collection's table.
inline constexpr std::uint32_t relationIndex = 0;
inline constexpr std::uint32_t relationCollection = 1;

} // namespace detail

/// What value tables are beyond values: bits of a set.
enum class TableUse : std::uint8_t {
  none = 0,
  tag = 1, ///< read without the rest of the event: kept apart from it, in pages of its own
  key = 2  ///< events are looked up by it
};
/// Whether a set of uses has one of them.
[[nodiscard]] constexpr bool has(TableUse set, TableUse use) noexcept {
  return (static_cast<unsigned>(set) & static_cast<unsigned>(use)) != 0;
}
[[nodiscard]] constexpr TableUse operator|(TableUse a, TableUse b) noexcept {
  return static_cast<TableUse>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

/// A member as it is to be added to a schema.
struct MemberDefinition {
  std::string name; ///< "PDG", "vertex.x"; "" where the rows are bare values
  Scalar type = Scalar::Bool;
  std::uint32_t extent = 1; ///< values in a row
  std::uint32_t offset = 0; ///< bytes from the beginning of the row
  std::string unit = {};
  std::string description = {};
  Precision precision = {};
  std::uint64_t missing = 0;  ///< the bytes of a value in entries that are older than the member
  std::string structure = {}; ///< see model/Structure.h
  [[nodiscard]] std::uint32_t size() const noexcept { return sizeOf(type) * extent; }
  friend bool operator==(const MemberDefinition&, const MemberDefinition&) = default;
};

namespace detail {

/// Places members in their rows as in a struct, each at a multiple of the size of its values.
/// Returns the size of a row.
std::uint32_t placeMembers(std::span<MemberDefinition> members) noexcept;

} // namespace detail

/// A table as it is to be added to a schema; the meaning of all is that in Table.
struct TableDefinition {
  std::string name;
  TableKind kind = TableKind::collection;
  Layout layout = Layout::split;
  std::string type = {};
  std::uint32_t parent = ~std::uint32_t{0};
  std::uint32_t rowSize = 0;
  std::vector<MemberDefinition> members = {};
  std::string description = {};
  std::string group = {};
  TableUse use = TableUse::none;
  friend bool operator==(const TableDefinition&, const TableDefinition&) = default;
};

namespace detail {

/// Where a text lies in the texts of a schema.
struct TextPlace {
  std::uint32_t begin = 0;
  std::uint32_t size = 0;
};

/// A member as a schema keeps it.
struct MemberRecord {
  TextPlace name, unit, description, structure;
  std::uint32_t extent = 0;
  std::uint32_t offset = 0;
  std::uint64_t missing = 0;
  double precisionLow = 0;
  double precisionStep = 0;
  Scalar type = Scalar::Bool;
  Precision::Kind precisionKind = Precision::Kind::exact;
  std::uint8_t precisionBits = 0;
  std::uint8_t reserved = 0;
  std::uint32_t precisionLast = 0;
};

} // namespace detail
static_assert(sizeof(detail::MemberRecord) == 72);

namespace detail {

/// A table as a schema keeps it.
struct TableRecord {
  TextPlace name, type, description, group;
  std::uint32_t parent = 0;
  std::uint32_t rowSize = 0;
  std::uint32_t firstMember = 0;
  std::uint32_t members = 0;
  TableKind kind = TableKind::collection;
  Layout layout = Layout::split;
  TableUse use = TableUse::none;
  /// Whether the members state their structure; if not, add() takes it from their names.
  bool statesStructure = true;
  std::uint32_t reserved = 0;
};

} // namespace detail
static_assert(sizeof(detail::TableRecord) == 56);

/// A scalar, or an array of fixed length, in each row of a table. The texts are the schema's.
struct Member {
  std::string_view name; ///< "PDG", "vertex.x"; "" where the rows are bare values
  Scalar type = Scalar::Bool;
  std::uint32_t extent = 1; ///< values in a row
  std::uint32_t offset = 0; ///< bytes from the beginning of the row
  std::string_view unit;
  std::string_view description;
  Precision precision;
  std::uint64_t missing = 0;  ///< the bytes of a value in entries that are older than the member
  std::string_view structure; ///< see model/Structure.h
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
            std::string(structure)};
  }
  friend bool operator==(const Member&, const Member&) = default;
};

namespace detail {

/// What a member's values are to the encodings.
[[nodiscard]] codec::Element elementOf(const Member& member) noexcept;

} // namespace detail

/// The members of a table, made as they are looked at.
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
            text(r.structure)};
  }
  /// The number of the member of this name, size() if there is none.
  [[nodiscard]] std::uint32_t find(std::string_view name) const noexcept {
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
  [[nodiscard]] std::string_view text(detail::TextPlace place) const noexcept {
    return {m_texts + place.begin, place.size};
  }
  const detail::MemberRecord* m_first;
  std::uint32_t m_size;
  const char* m_texts;
};

/// Rows of one struct type. They lie under entries, or under the rows of another table: a
/// collection is a table, and each of its vector members and relations is a table under it. Lists
/// may lie under the elements of lists: "Hits.pulses", "Hits.pulses.samples". Where each row of a
/// table is nothing but a list, the list has no name of its own: "waveforms", "waveforms.".
/// A view: it lasts until its schema changes.
struct Table {
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::string_view name; ///< "MCParticles", "MCParticles.parents"
  TableKind kind = TableKind::collection;
  Layout layout = Layout::split;
  std::string_view type; ///< the datatype, component or scalar; of a relation that it refers to
  std::uint32_t parent = none; ///< the table that this one lies under; none: under the entries
  std::uint32_t rowSize = 0;
  Members members;
  std::string_view description;
  /// Root tables of the same group have pages of the same entries. "": a collection or parameter is
  /// its own group, values are one.
  std::string_view group;
  TableUse use = TableUse::none;

  [[nodiscard]] bool isRoot() const noexcept { return parent == none; }
  /// Whether the number of rows varies from one entry, or row of the parent, to the next.
  [[nodiscard]] bool isCounted() const noexcept {
    return kind != TableKind::oneRelation && kind != TableKind::value &&
           kind != TableKind::decoration;
  }
  /// Whether an entry can be without it, which is not the same as having no row.
  [[nodiscard]] bool canBeAbsent() const noexcept { return isRoot() && isCounted(); }
  [[nodiscard]] TableDefinition definition() const;
  friend bool operator==(const Table& a, const Table& b) noexcept;
};

} // namespace kaon
