#pragma once

#include <kaon/detail/reading/ColumnValues.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kaon::expression {

struct OptionalMember;

/// The name of a column, of a file or defined.
struct ColumnName {
  std::string name; ///< the column's own name, also for other spellings: "Muon.pt" for "Muon_pt"
  detail::ColumnType type;
  /// The collection or other table that the values belong to, such as "Muon". Its lists can be read
  /// without values (Input::isListsOnly). Empty: there is no table.
  std::string table = {};
  std::string unit = {}; ///< such as "GeV"; empty: not known
};

/// The name of a collection or component, which has members: "MCParticles.momentum".
struct RecordName {
  std::string name;  ///< Prefix of the members' names before the dot.
  unsigned depth;    ///< Number of lists; 1: a list per entry.
  std::string table; ///< As in ColumnName.
  /// Its relation `object` leads to the objects that have the members.
  bool isSubset = false;
};

/// The name of references to objects of other collections.
struct RelationName {
  struct Target {
    std::string collection;
    std::uint32_t number; ///< the number in the column `collection`
  };
  ColumnName index;      ///< index of each object in its collection; -1: no object
  ColumnName collection; ///< number of its collection
  std::string type;      ///< of the objects: a datatype or an interface
  std::vector<Target> targets;
  /// A target whose objects changed after the references were made. Empty: none changed.
  std::string changed = {};
};

/// The name of an expression. It acts as if its text stood in parentheses in place of the name.
struct Alias {
  std::string text;
};

/// The name of a value, array or component that may be missing.
struct OptionalName {
  std::variant<ColumnName, RecordName> value;
  /// Columns of bools that tell whether the value exists, one for each enclosing optional,
  /// outermost first. Bools in fewer lists than the value apply to whole lists, such as arrays.
  std::vector<ColumnName> present;
};

using NameMeaning =
    std::variant<std::monostate, ColumnName, RecordName, RelationName, Alias, OptionalName>;

/// The meanings of names in an expression. To add columns of your own, derive from Scope, and look
/// up other names in another scope.
class Scope {
public:
  virtual ~Scope() = default;
  /// Returns the meaning of a name such as "MET_pt", "Muon", "Muon.pt", "MCParticles.momentum" or
  /// "MCParticles.parents". Returns monostate for unknown names.
  [[nodiscard]] virtual NameMeaning find(std::string_view name) const = 0;
  /// Returns the names of all columns, for suggestions.
  [[nodiscard]] virtual std::vector<std::string> names() const = 0;
  /// Returns the place of the columns, for messages about unknown names: " in a.root:Events".
  [[nodiscard]] virtual std::string where() const { return {}; }
  /// Returns the reason that a name is unknown, if there is one.
  [[nodiscard]] virtual std::string whyUnread(std::string_view /*name*/) const { return {}; }
};

/// The columns of a schema, which must outlive the scope. Array members are lists. Columns in more
/// than mostListLevels lists are left out.
class SchemaScope final : public Scope {
public:
  explicit SchemaScope(const Schema& schema) : m_schema(&schema) {}
  [[nodiscard]] NameMeaning find(std::string_view name) const override;
  [[nodiscard]] std::vector<std::string> names() const override;
  /// Returns the name of a stored column in expressions: "Hits.at.x" for "Hits.at.value.x". Other
  /// names are returned unchanged.
  [[nodiscard]] std::string nameOf(std::string_view stored) const;
  /// Returns the collections of a datatype.
  [[nodiscard]] std::vector<RelationName::Target> collectionsOf(std::string_view datatype) const;

private:
  [[nodiscard]] unsigned depthOf(TableNumber table) const;
  [[nodiscard]] std::string listsOf(TableNumber table) const;
  [[nodiscard]] ColumnName column(TableNumber table, MemberNumber member) const;
  [[nodiscard]] RelationName relation(TableNumber table) const;
  [[nodiscard]] NameMeaning meaningOf(TableNumber table, MemberNumber member) const;
  [[nodiscard]] NameMeaning optionalIn(TableNumber table, const OptionalMember& optional) const;
  [[nodiscard]] NameMeaning findBelow(std::string_view name) const;
  [[nodiscard]] NameMeaning objectsOfColumns(std::string_view name) const;

  const Schema* m_schema;
};

} // namespace kaon::expression
