#pragma once

#include <kaon/expression/Operators.h>
#include <kaon/expression/RecordMembers.h>
#include <kaon/expression/Selections.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace kaon::expression {

/// An argument of a function call.
struct CallArgument {
  Meaning meaning;
  Operators::Place place; ///< its place in the text, for errors
};

/// The functions that expressions can call.
class Functions {
public:
  Functions(Operators& operators, RecordMembers& records, Selections& selections)
      : m_operators(&operators), m_records(&records), m_selections(&selections) {}

  [[nodiscard]] static bool has(std::string_view name);
  /// Throws Error(name) for an unknown function, Error(usage) for too few or too many arguments.
  void check(std::string_view name, std::size_t arguments) const;

  /// Returns the meaning of a call. Not for `where` and `column`: `where` guards its arguments, and
  /// `column` takes a name.
  [[nodiscard]] Meaning call(std::string_view name, std::span<const CallArgument> arguments);

private:
  struct Function;
  struct Call;
  [[nodiscard]] static std::span<const Function> all();

  [[nodiscard]] Meaning reduction(const Call& call);
  [[nodiscard]] Meaning extreme(const Call& call);
  [[nodiscard]] Meaning total(const Call& call);
  [[nodiscard]] Meaning count(const Call& call);
  [[nodiscard]] Meaning presence(const Call& call);
  [[nodiscard]] Meaning withDefault(const Call& call);
  [[nodiscard]] Meaning indices(const Call& call);
  [[nodiscard]] Meaning formula(const Call& call);
  [[nodiscard]] Meaning absolute(const Call& call);
  [[nodiscard]] Meaning inOrder(const Call& call);
  [[nodiscard]] Meaning conversion(const Call& call);
  [[nodiscard]] Meaning elementOfEach(const Call& call);
  [[nodiscard]] Meaning taken(const Call& call);
  [[nodiscard]] Meaning angle(const Call& call);
  [[nodiscard]] Meaning combinations(const Call& call);
  [[nodiscard]] Meaning particles(const Call& call);
  [[nodiscard]] Meaning pairs(const Call& call);
  [[nodiscard]] Meaning concatenated(const Call& call);

  [[nodiscard]] Value value(const CallArgument& argument);
  [[noreturn]] void fail(ErrorKind kind, const std::string& message) const {
    m_operators->fail(kind, message);
  }

  Operators* m_operators;
  RecordMembers* m_records;
  Selections* m_selections;
};

} // namespace kaon::expression
