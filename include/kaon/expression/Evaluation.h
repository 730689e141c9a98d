#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/detail/expression/Entries.h>
#include <kaon/expression/Expression.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kaon::expression {

struct Operand;

/// Computes one or several expressions of the same columns, batch by batch; what they have in
/// common once. For one thread: each has its own. After a few batches it allocates no more memory.
class Evaluation {
public:
  explicit Evaluation(std::span<const Expression> expressions);
  Evaluation(Evaluation&&) noexcept;
  Evaluation& operator=(Evaluation&&) noexcept;
  ~Evaluation();

  /// The columns that all of them need, each once.
  [[nodiscard]] std::span<const Input> inputs() const noexcept { return m_inputs; }

  /// Goes on to a batch: these entries, and of each input its column for just these, whose lists
  /// begin at 0. The columns must stay until the next call. Of inputs that are lists only
  /// nothing but these is looked at; nothing of those that no expression computed of this batch
  /// needs.
  /// Throws Error(usage) if there are more or fewer columns than inputs.
  void begin(const Entries& entries, std::span<const detail::ColumnValues> columns);

  /// The values of an expression in this batch, computed now if they were not yet. They last until
  /// the next begin(). Throws Error(usage) if a column is not one of so many entries, and, with the
  /// entry, where an index is out of range or lists that are combined differ; Error(corrupt) where
  /// references lead to objects that are not there.
  [[nodiscard]] detail::ColumnValues evaluate(std::size_t expression);

private:
  struct Step;
  void planReuse();
  void takeMemory(Step& step);
  void giveMemory(Step& step);
  void compute(std::uint32_t number);
  void computeElementwise(Step& step);
  [[nodiscard]] Operand operandOf(std::uint32_t number) const;
  [[nodiscard]] detail::ColumnValues checked(const Input& input, detail::ColumnValues column) const;

  Graph m_graph;
  std::vector<Step> m_steps;                       // of each node of the graph
  std::vector<std::vector<std::uint32_t>> m_paths; // to each expression, itself the last
  std::vector<Input> m_inputs;
  std::vector<detail::ColumnValues> m_columns;
  std::vector<Buffer> m_unused; // of steps that are not needed any more
  Entries m_entries;
  std::uint64_t m_batch = 0;
};

} // namespace kaon::expression
