#pragma once

#include <kaon/detail/expression/Graph.h>
#include <kaon/expression/Operators.h>
#include <kaon/expression/RecordMembers.h>

#include <cstdint>

namespace kaon::expression {

/// Selects parts of lists of values or objects, and tracks where missing parts are errors.
class Selections {
public:
  Selections(Graph& graph, Operators& operators, RecordMembers& records)
      : m_graph(&graph), m_operators(&operators), m_records(&records) {}

  /// Returns the number of lists around a value or record.
  [[nodiscard]] unsigned depthOf(const Meaning& meaning) const;
  /// Returns a step with the lists of a value or record. Throws Error(type) if it has no lists.
  [[nodiscard]] Value listsOf(const Meaning& meaning);

  [[nodiscard]] Meaning at(const Meaning& whole, Value index); ///< one element per entry
  [[nodiscard]] Meaning taken(const Meaning& whole, Value indices);
  [[nodiscard]] Meaning masked(const Meaning& whole, Value mask);
  [[nodiscard]] Meaning slice(const Meaning& whole, std::int32_t begin, std::int32_t end);

  /// The condition under which indices out of range are errors. Without a step: always.
  [[nodiscard]] Value guard() const { return m_guard; }
  /// Returns the guard() of indices in the lists of a level. Missing lists cause no errors.
  [[nodiscard]] Value guardOf(Value lists, unsigned level);

  /// During its lifetime, indices out of range are errors only where this condition is also true.
  class Guard {
  public:
    Guard(Selections& selections, Value condition);
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    ~Guard() { m_selections.m_guard = m_before; }

  private:
    Selections& m_selections;
    Value m_before;
  };

private:
  [[nodiscard]] Meaning selected(const Meaning& whole, Value rows, unsigned level,
                                 bool mayBeNone = false);

  Graph* m_graph;
  Operators* m_operators;
  RecordMembers* m_records;
  Value m_guard;
};

} // namespace kaon::expression
