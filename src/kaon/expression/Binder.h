#pragma once

#include <kaon/expression/Graph.h>
#include <kaon/expression/Operators.h>
#include <kaon/expression/Records.h>
#include <kaon/expression/Scope.h>
#include <kaon/expression/Syntax.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace kaon::expression {

struct Function;

/// A call of a function in an expression.
struct Call {
  const Syntax& syntax;
  Operation operation;
  [[nodiscard]] std::size_t size() const { return syntax.children.size(); }
  [[nodiscard]] std::uint32_t operator[](std::size_t i) const { return syntax.children[i]; }
};

/// Finds what the names in an expression mean and the types of all its parts, and adds the steps
/// that compute it to a graph. Throws Error with the text, a place in it, and what was meant.
class Binder {
public:
  Binder(Graph& graph, const Scope& scope)
      : m_graph(&graph), m_operators(graph),
        m_records(m_operators, scope,
                  [this](const std::string& name, const std::string& text) {
                    return aliasMeaning(name, text);
                  }),
        m_scope(&scope) {}

  /// What a text means, read by itself.
  Meaning meaningOf(std::string_view text);

  /// The value of a whole expression, for each entry; nothing if it is a record.
  std::optional<Value> resultOf(std::string_view text) {
    const Meaning meaning = meaningOf(text);
    const auto* value = std::get_if<Value>(&meaning);
    if (!value)
      return std::nullopt;
    return m_operators.isConstant(*value) ? m_operators.filled(*value) : *value;
  }

private:
  friend std::span<const Function> functions();

  // ---- Parts of the syntax ----
  Meaning bind(std::uint32_t node);
  Meaning bindKind(const Syntax& syntax);
  Value value(std::uint32_t node);
  Value require(const Meaning& meaning, const Syntax& syntax);
  Value number(const Syntax& syntax);
  Meaning name(const Syntax& syntax);
  Meaning unary(const Syntax& syntax);
  Meaning binary(const Syntax& syntax);
  Value comparison(const Syntax& syntax);
  Value isAmong(Value value, const Syntax& sequence);
  [[nodiscard]] bool isOfTexts(const Syntax& comparison) const;
  Value textComparison(const Syntax& syntax);
  Value characters(std::uint32_t node);
  Value isText(Value characters, std::string_view text);
  Value joined(const Syntax& syntax);
  Value conditional(std::uint32_t condition, std::uint32_t yes, std::uint32_t no);
  Meaning index(const Syntax& syntax);
  Meaning slice(const Syntax& syntax);
  std::int32_t sliceBound(std::uint32_t node, std::int32_t otherwise);
  Meaning aliasMeaning(const std::string& name, const std::string& text);

  // ---- Functions: see Functions.h ----
  [[nodiscard]] static bool isFunction(std::string_view name);
  Meaning call(const Syntax& syntax);
  Meaning reduction(const Call& call);
  Meaning extreme(const Call& call);
  Meaning total(const Call& call);
  Meaning count(const Call& call);
  Meaning formula(const Call& call);
  Meaning absolute(const Call& call);
  Meaning inOrder(const Call& call);
  Meaning where(const Call& call);
  Meaning conversion(const Call& call);
  Meaning elementOfEach(const Call& call);
  Meaning taken(const Call& call);
  Meaning angle(const Call& call);
  Meaning combinations(const Call& call);
  Meaning pairs(const Call& call);
  Meaning concatenated(const Call& call);
  Meaning columnNamed(const Call& call);

  // ---- Lists ----
  unsigned depthOf(const Meaning& meaning);
  Value listsOf(const Meaning& meaning);
  Meaning selected(const Meaning& whole, Value rows, unsigned level, bool mayBeNone = false);
  Meaning at(const Meaning& whole, Value index);
  Meaning takenOf(const Meaning& whole, Value indices);
  Meaning masked(const Meaning& whole, Value mask);

  [[noreturn]] void fail(ErrorKind kind, const std::string& message) const {
    m_operators.fail(kind, message);
  }
  void setPlace(const Syntax& syntax);
  [[nodiscard]] std::string textOf(const Syntax& syntax) const {
    return std::string(
        m_tree->text.substr(syntax.place.begin, syntax.place.end - syntax.place.begin));
  }

  /// While it lives, errors of indices matter only where a condition holds as well.
  class Guard {
  public:
    Guard(Binder& binder, Value condition) : m_binder(binder), m_before(binder.m_guard) {
      if (binder.m_operators.typeOf(condition).depth > 0)
        return;
      if (binder.m_operators.isConstant(condition)) {
        if (binder.m_graph->at(condition.node).parameter != 0)
          return;
        condition = binder.m_operators.filled(condition);
      }
      const bool isFirst = m_before.node == Node::none;
      binder.m_guard = isFirst
                           ? condition
                           : binder.m_operators.logical(Operation::logicalAnd, m_before, condition);
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    ~Guard() { m_binder.m_guard = m_before; }

  private:
    Binder& m_binder;
    Value m_before;
  };

  Graph* m_graph;
  Operators m_operators;
  Records m_records;
  const Scope* m_scope;
  const SyntaxTree* m_tree = nullptr;
  Value m_guard;
  unsigned m_aliasDepth = 0;
  unsigned m_nesting = 0;
  std::map<std::pair<std::string, std::uint32_t>, Meaning> m_aliases; // by their names and guards
};

} // namespace kaon::expression
