#pragma once

#include <kaon/detail/expression/Scope.h>
#include <kaon/expression/Operators.h>
#include <kaon/math/MomentumMembers.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace kaon::expression {

enum class ExpressionRecordKind : std::uint8_t {
  named,      ///< A collection or component of a scope.
  related,    ///< Objects that a relation leads to.
  selected,   ///< Rows of another record.
  sum,        ///< Of two four-vectors.
  difference, ///< Of two four-vectors.
  total,      ///< The sum of the four-vectors of each list.
  joined,     ///< The objects of one list behind those of another.
  tuple,      ///< Several records: `first`, `second`, ...
  particle    ///< Facts about particles, given by PDG numbers.
};

/// The members of objects that can be derived from others: "px", "pt", "mass", ...
[[nodiscard]] std::span<const std::string_view> kinematicMembers();

struct ExpressionRecord;
using RecordPtr = std::shared_ptr<const ExpressionRecord>;

/// A thing with members that is not a number: objects, four-vectors, pairs of objects. Records
/// exist only while an expression is bound; computations use columns.
struct ExpressionRecord {
  ExpressionRecordKind kind = ExpressionRecordKind::named;
  unsigned depth = 0; ///< number of lists around it
  std::string text;   ///< its text in the expression
  std::vector<RecordPtr> parts = {};
  RecordName name = {};       ///< Of `named`.
  RelationName relation = {}; ///< Of `related`, with the two values below.
  Value index = {}, collection = {};
  Value number = {}; ///< Of `particle`.
  Value rows = {};   ///< Of `selected`: rows of `lists` at `level`.
  Value lists = {};
  unsigned level = 0;
  bool mayBeNone = false;  ///< Of `selected`: rows may be rowOfNone.
  Value present = {};      ///< Of `named`: which components exist. Without a step: all.
  bool isRepeated = false; ///< Of `selected`: rows are repeated, as in pairs.
  unsigned height = 1;     ///< Depth of nested records.
};

using Meaning = std::variant<Value, RecordPtr>;

/// Finds the members of records, and derives kinematics from them.
class RecordMembers {
public:
  using AliasMeaning = std::function<Meaning(const std::string& name, const std::string& text)>;
  RecordMembers(Operators& operators, const Scope& scope, AliasMeaning aliasMeaning)
      : m_operators(&operators), m_scope(&scope), m_aliasMeaning(std::move(aliasMeaning)) {}

  /// Returns the meaning of a name by itself; nothing if the scope does not know it.
  [[nodiscard]] std::optional<Meaning> named(const std::string& name);

  /// Returns `record.name`. Throws Error(name) with a suggestion.
  [[nodiscard]] Meaning member(const RecordPtr& record, const std::string& name);
  /// Returns `record.name`, which must be a number.
  [[nodiscard]] Value number(const RecordPtr& record, const std::string& name);

  /// Returns the value of a part of the expression. Throws Error(type) if it is a record.
  [[nodiscard]] Value value(const Meaning& meaning, const Operators::Place& place);

  /// Returns bools that tell which components exist, in the same lists; nothing if all exist.
  [[nodiscard]] std::optional<Value> presence(const RecordPtr& record);

  /// Returns the index of each object in its collection, also after selections; -1 for no object.
  /// Throws Error(type) for objects without a collection.
  [[nodiscard]] Value indices(const RecordPtr& record);

  /// Returns a step with the lists of the record. Throws Error(type) if it has no lists.
  [[nodiscard]] Value listsOf(const RecordPtr& record);

  /// Returns the names of the members that are values, "pt" or "first.momentum.x"; of sums, those
  /// of four-vectors. Relations are left out.
  [[nodiscard]] std::vector<std::string> memberNames(const RecordPtr& record);
  /// Returns whether objects have the members of pairs, `first` and `second`.
  [[nodiscard]] bool arePairs(const RecordPtr& record) {
    return own(record, "first") && own(record, "second");
  }

  [[nodiscard]] RecordPtr selected(const RecordPtr& record, Value rows, unsigned level,
                                   bool mayBeNone = false);
  /// Returns the record at rows that occur several times, as in pairs.
  [[nodiscard]] RecordPtr repeated(const RecordPtr& record, Value rows);
  /// Returns the mass and charge of particles, given their PDG numbers.
  [[nodiscard]] RecordPtr particles(Value numbers);
  [[nodiscard]] RecordPtr combined(ExpressionRecordKind kind, std::vector<RecordPtr> parts,
                                   unsigned depth);

private:
  using Member = std::optional<Meaning>;
  [[nodiscard]] Member meaningOf(const std::string& name, const NameMeaning& meaning);
  [[nodiscard]] Meaning optional(const OptionalName& optional);
  [[nodiscard]] Meaning missingUnless(const Meaning& meaning, Value present);
  [[nodiscard]] Member find(const RecordPtr& record, const std::string& name);
  [[nodiscard]] Member own(const RecordPtr& record, const std::string& name);
  [[nodiscard]] Member ownOfNamed(const RecordPtr& record, const std::string& name);
  [[nodiscard]] Member ownOfSelected(const RecordPtr& record, const std::string& name);
  [[nodiscard]] Member ownOfRelated(const RecordPtr& record, const std::string& name);
  struct Target;
  [[nodiscard]] std::vector<Target> targetsOf(const RecordPtr& record, const std::string& name);
  [[nodiscard]] Meaning united(const RecordPtr& record, const std::string& name,
                               const std::vector<Target>& targets);
  [[nodiscard]] RecordPtr unitedRecord(const RecordPtr& record, const std::string& name,
                                       const std::vector<Target>& targets);
  template <class ValueOf>
  [[nodiscard]] Value unitedValue(const std::string& name, const std::vector<Target>& targets,
                                  Value none, ValueOf valueOf);
  [[nodiscard]] Member ownOfJoined(const RecordPtr& record, const std::string& name);
  [[nodiscard]] Member ownOfSum(const RecordPtr& record, const std::string& name);
  [[nodiscard]] std::optional<Value> ownNumber(const RecordPtr& record, const std::string& name);
  [[nodiscard]] std::optional<Value> component(const RecordPtr& record, const std::string& name);
  [[nodiscard]] std::optional<Value> derived(const RecordPtr& record, const std::string& name);
  [[nodiscard]] std::optional<Value> formula(const RecordPtr& record, Operation operation,
                                             std::initializer_list<const char*> components);
  [[nodiscard]] RecordPtr add(ExpressionRecord record);
  [[nodiscard]] ExpressionRecord selection(const RecordPtr& record, Value rows, unsigned level);
  [[nodiscard]] std::vector<std::string> namesBelow(const RecordPtr& record) const;
  [[nodiscard]] std::vector<std::string> storedNames(const RecordPtr& record) const;
  [[nodiscard]] std::vector<std::string> membersWithLists(const RecordPtr& record);
  [[nodiscard]] std::optional<Value> storedValue(const RecordPtr& record, std::string_view name);
  [[nodiscard]] const detail::MomentumMembers& momentumOf(const RecordPtr& record);

  Operators* m_operators;
  const Scope* m_scope;
  AliasMeaning m_aliasMeaning;
  std::map<std::pair<RecordPtr, std::string>, Member> m_members; // members already looked up
  std::map<RecordPtr, detail::MomentumMembers> m_momenta;
  mutable std::optional<std::vector<std::string>> m_scopeNames; // once they were needed
};

} // namespace kaon::expression
