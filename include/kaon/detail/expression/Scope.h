#pragma once

#include <kaon/detail/batch/ColumnValues.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kaon::expression {

struct OptionalMember;

/// A name that stands for a column: of a file, or one that was defined.
struct ColumnName {
  std::string name; ///< as the column is called, however it was written: "Muon.pt" for "Muon_pt"
  detail::ColumnType type;
  /// The collection or other table whose rows the values belong to, such as "Muon", by which it can
  /// be asked for the lists alone (Input::isListsOnly). "": there is none.
  std::string table = {};
};

/// A name that has members: a collection, a component ("MCParticles.momentum").
struct RecordName {
  std::string name;  ///< what the names of its members begin with, before the dot
  unsigned depth;    ///< 1: a list of them an entry
  std::string table; ///< as for a column
  /// Its objects are those that its relation `object` leads to: what it lacks is theirs.
  bool isSubset = false;
};

/// A name that stands for references to objects of other collections.
struct RelationName {
  struct Target {
    std::string collection;
    std::uint32_t number; ///< what the column of collections has for it
  };
  ColumnName index;      ///< where each object is in its collection, -1: a reference to none
  ColumnName collection; ///< the number of its collection
  std::string type;      ///< of what they lead to: a datatype, or an interface
  std::vector<Target> targets;
  /// A target that has other objects than when the references were made; "": there is none.
  std::string changed = {};
};

/// A name for an expression, as if that stood in parentheses where the name does.
struct Alias {
  std::string text;
};

/// A name for what may be missing: a value, an array, or a component.
struct OptionalName {
  std::variant<ColumnName, RecordName> value;
  /// Bools: whether there is one; of each optional that it lies in, the outermost first. In fewer
  /// lists than the value they say it of whole lists, such as arrays.
  std::vector<ColumnName> present;
};

using NameMeaning =
    std::variant<std::monostate, ColumnName, RecordName, RelationName, Alias, OptionalName>;

/// What names mean in an expression. Who has columns of their own derives from it, looks for a name
/// there first, and asks another scope then.
class Scope {
public:
  virtual ~Scope() = default;
  /// What a name such as "MET_pt", "Muon", "Muon.pt", "MCParticles.momentum" or
  /// "MCParticles.parents" means; nothing if nothing is called so.
  [[nodiscard]] virtual NameMeaning find(std::string_view name) const = 0;
  /// All names of columns, for suggestions.
  [[nodiscard]] virtual std::vector<std::string> names() const = 0;
  /// Where they are, for the message of a name that is not among them: " in a.root:Events".
  [[nodiscard]] virtual std::string where() const { return {}; }
  /// Why a name is not among them, if that is known.
  [[nodiscard]] virtual std::string whyUnread(std::string_view /*name*/) const { return {}; }
};

/// The columns of a schema, which must outlive it. Arrays in members are lists; what lies in more
/// than mostListLevels lists is left out.
class SchemaScope final : public Scope {
public:
  explicit SchemaScope(const Schema& schema) : m_schema(&schema) {}
  [[nodiscard]] NameMeaning find(std::string_view name) const override;
  [[nodiscard]] std::vector<std::string> names() const override;
  /// The name in expressions of a stored column: "Hits.at.x" for "Hits.at.value.x". Other names
  /// stay as they are.
  [[nodiscard]] std::string nameOf(std::string_view stored) const;
  /// The collections of a datatype.
  [[nodiscard]] std::vector<RelationName::Target> collectionsOf(std::string_view datatype) const;

private:
  [[nodiscard]] unsigned depthOf(std::uint32_t table) const;
  [[nodiscard]] std::string listsOf(std::uint32_t table) const;
  [[nodiscard]] ColumnName column(std::uint32_t table, std::uint32_t member) const;
  [[nodiscard]] RelationName relation(std::uint32_t table) const;
  [[nodiscard]] NameMeaning meaningOf(std::uint32_t table, std::uint32_t member) const;
  [[nodiscard]] NameMeaning optionalIn(std::uint32_t table, const OptionalMember& optional) const;
  [[nodiscard]] NameMeaning findBelow(std::string_view name) const;

  const Schema* m_schema;
};

} // namespace kaon::expression
