#pragma once

#include <kaon/detail/expression/Graph.h>
#include <kaon/expression/Operators.h>
#include <kaon/expression/Records.h>

#include <cstdint>

namespace kaon::expression {

/// Parts of lists of values or of objects, and where it matters that there are such parts.
class Selections {
public:
  Selections(Graph& graph, Operators& operators, Records& records)
      : m_graph(&graph), m_operators(&operators), m_records(&records) {}

  /// How many lists a value or a record lies in.
  [[nodiscard]] unsigned depthOf(const Meaning& meaning) const;
  /// A step whose lists are those of a value or a record. Throws Error(type) if it lies in none.
  [[nodiscard]] Value listsOf(const Meaning& meaning);

  [[nodiscard]] Meaning at(const Meaning& whole, Value index); ///< one of each entry's list
  [[nodiscard]] Meaning taken(const Meaning& whole, Value indices);
  [[nodiscard]] Meaning masked(const Meaning& whole, Value mask);
  [[nodiscard]] Meaning slice(const Meaning& whole, std::int32_t begin, std::int32_t end);

  /// The condition under which errors of indices matter; no step: they always do.
  [[nodiscard]] Value guard() const { return m_guard; }
  /// The guard() of indices in the lists of a level: errors do not matter in missing lists.
  [[nodiscard]] Value guardOf(Value lists, unsigned level);

  /// While it lives, errors of indices matter only where a condition holds as well.
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
  Records* m_records;
  Value m_guard;
};

} // namespace kaon::expression
