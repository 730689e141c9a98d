#pragma once

#include <kaon/detail/expression/Graph.h>
#include <kaon/detail/expression/Scope.h>
#include <kaon/expression/Functions.h>
#include <kaon/expression/Operators.h>
#include <kaon/expression/RecordMembers.h>
#include <kaon/expression/Selections.h>
#include <kaon/expression/Syntax.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::expression {

/// Finds the meanings of the names in an expression and the types of its parts, and adds the steps
/// of the computation to a graph. Throws Errors that show the text and a place in it, with a
/// suggestion.
class Binder {
public:
  Binder(Graph& graph, const Scope& scope)
      : m_operators(graph), m_records(m_operators, scope,
                                      [this](const std::string& name, const std::string& text) {
                                        return aliasMeaning(name, text);
                                      }),
        m_selections(graph, m_operators, m_records),
        m_functions(m_operators, m_records, m_selections), m_scope(&scope) {}

  /// Parses a text and returns its meaning.
  Meaning meaningOf(std::string_view text);

  /// Returns the value of a whole expression for each entry; nothing if it stands for objects.
  std::optional<Value> resultOf(std::string_view text) {
    const Meaning meaning = meaningOf(text);
    const auto* value = std::get_if<Value>(&meaning);
    if (!value)
      return std::nullopt;
    return m_operators.isConstant(*value) ? m_operators.filled(*value) : *value;
  }

  /// Returns the names of the members of the objects that a text stands for, and the number of
  /// lists around the objects; nothing if it has values.
  std::optional<std::pair<std::vector<std::string>, unsigned>> objectsOf(std::string_view text) {
    const Meaning meaning = meaningOf(text);
    const auto* record = std::get_if<RecordPtr>(&meaning);
    if (!record)
      return std::nullopt;
    return std::pair(m_records.memberNames(*record), (*record)->depth);
  }

private:
  Meaning bind(std::uint32_t node);
  Meaning bindKind(const Syntax& syntax);
  Value value(std::uint32_t node);
  Value number(const Syntax& syntax);
  Meaning name(const Syntax& syntax);
  Meaning unary(const Syntax& syntax);
  Meaning binary(const Syntax& syntax);
  Value comparison(const Syntax& syntax);
  Value compared(std::uint32_t node);
  Value isAmong(Value value, const Syntax& sequence);
  Value joined(const Syntax& syntax);
  Value conditional(std::uint32_t condition, std::uint32_t yes, std::uint32_t no);
  Meaning index(const Syntax& syntax);
  Meaning slice(const Syntax& syntax);
  std::int32_t sliceBound(std::uint32_t node, std::int32_t otherwise);
  Meaning call(const Syntax& syntax);
  Meaning columnNamed(const Syntax& text);
  Meaning aliasMeaning(const std::string& name, const std::string& text);

  [[noreturn]] void fail(ErrorKind kind, const std::string& message) const {
    m_operators.fail(kind, message);
  }
  [[nodiscard]] Operators::Place placeOf(const Syntax& syntax) const;
  void setPlace(const Syntax& syntax) { m_operators.setPlace(placeOf(syntax)); }
  [[nodiscard]] std::string textOf(const Syntax& syntax) const {
    return std::string(
        m_tree->text.substr(syntax.place.begin, syntax.place.end - syntax.place.begin));
  }

  Operators m_operators;
  RecordMembers m_records;
  Selections m_selections;
  Functions m_functions;
  const Scope* m_scope;
  const SyntaxTree* m_tree = nullptr;
  unsigned m_aliasDepth = 0;
  unsigned m_nesting = 0;
  std::map<std::pair<std::string, std::uint32_t>, Meaning> m_aliases; // by name and guard
};

} // namespace kaon::expression
