#pragma once

#include <kaon/detail/expression/Scope.h>
#include <kaon/expression/Operators.h>

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

enum class RecordKind : std::uint8_t {
  named,      ///< a collection or component of a scope
  related,    ///< objects that a relation leads to
  selected,   ///< rows of another record
  sum,        ///< of two four-vectors
  difference, ///< of two four-vectors
  total,      ///< of the four-vectors of each list
  joined,     ///< those of one list behind those of another
  tuple       ///< several records: `first`, `second`, ...
};

/// The members that objects have which follow from others: "px", "pt", "mass", ...
[[nodiscard]] std::span<const std::string_view> kinematicMembers();

struct Record;
using RecordPtr = std::shared_ptr<const Record>;

/// What has members but is no number itself: objects, four-vectors, pairs of objects. It is known
/// only while an expression is read: what is computed are columns.
struct Record {
  RecordKind kind = RecordKind::named;
  unsigned depth = 0; ///< how many lists it lies in
  std::string text;   ///< as it was written
  std::vector<RecordPtr> parts = {};
  RecordName name = {};       ///< named
  RelationName relation = {}; ///< related, by these
  Value index = {}, collection = {};
  Value rows = {}; ///< selected: of the lists, at a level
  Value lists = {};
  unsigned level = 0;
  bool mayBeNone = false;  ///< selected: rows may be none
  Value present = {};      ///< named: where there is such a component; no step: everywhere
  bool isRepeated = false; ///< selected: each row several times, as in pairs
  unsigned height = 1;     ///< so many records lie one in the other
};

using Meaning = std::variant<Value, RecordPtr>;

/// Finds the members of records, and the kinematics that follows from them.
class Records {
public:
  using AliasMeaning = std::function<Meaning(const std::string& name, const std::string& text)>;
  Records(Operators& operators, const Scope& scope, AliasMeaning aliasMeaning)
      : m_operators(&operators), m_scope(&scope), m_aliasMeaning(std::move(aliasMeaning)) {}

  /// What a name means by itself; nothing if the scope does not know it.
  [[nodiscard]] std::optional<Meaning> named(const std::string& name);

  /// `record.name`. Throws Error(name) with a suggestion.
  [[nodiscard]] Meaning member(const RecordPtr& record, const std::string& name);
  /// `record.name`, which has to be a number.
  [[nodiscard]] Value number(const RecordPtr& record, const std::string& name);

  /// The value that is meant by what stands at a place. Throws Error(type) if it is a record.
  [[nodiscard]] Value value(const Meaning& meaning, const Operators::Place& place);

  /// Where there are such components, as bools in the same lists; nothing: they are everywhere.
  [[nodiscard]] std::optional<Value> presence(const RecordPtr& record);

  /// Where its objects stand in the collection that they are of, whatever was selected of it; -1
  /// for no object. Throws Error(type) if they are of none.
  [[nodiscard]] Value indices(const RecordPtr& record);

  /// A step whose lists are those of the record. Throws Error(type) if it lies in none.
  [[nodiscard]] Value listsOf(const RecordPtr& record);

  [[nodiscard]] RecordPtr selected(const RecordPtr& record, Value rows, unsigned level,
                                   bool mayBeNone = false);
  /// Of lists that have each row several times, as pairs do.
  [[nodiscard]] RecordPtr repeated(const RecordPtr& record, Value rows);
  [[nodiscard]] RecordPtr combined(RecordKind kind, std::vector<RecordPtr> parts, unsigned depth);

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
  [[nodiscard]] RecordPtr add(Record record);
  [[nodiscard]] Record selection(const RecordPtr& record, Value rows, unsigned level);
  [[nodiscard]] std::vector<std::string> namesBelow(const RecordPtr& record) const;

  Operators* m_operators;
  const Scope* m_scope;
  AliasMeaning m_aliasMeaning;
  std::map<std::pair<RecordPtr, std::string>, Member> m_members; // that were asked for
};

} // namespace kaon::expression
