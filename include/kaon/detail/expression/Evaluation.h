#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/detail/expression/Entries.h>
#include <kaon/detail/expression/Expression.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kaon::expression {

struct Operand;

/// Computes one or several expressions of the same columns, batch by batch. It computes common
/// steps of the expressions once. Threads must not share an Evaluation; each thread needs its own
/// one. It allocates no more memory after a few batches.
class Evaluation {
public:
  explicit Evaluation(std::span<const Expression> expressions);
  Evaluation(Evaluation&&) noexcept;
  Evaluation& operator=(Evaluation&&) noexcept;
  ~Evaluation();

  /// Returns the columns that the expressions need, each once.
  [[nodiscard]] std::span<const Input> inputs() const noexcept { return m_inputs; }

  /// Begins a batch of these entries. `columns` has, for each input, the values for exactly these
  /// entries; their lists begin at offset 0. The columns must stay valid until the next call. Of
  /// inputs with isListsOnly, only the offsets are read. Columns that no expression needs in this
  /// batch are not read. Throws Error(usage) if the numbers of columns and inputs differ.
  void begin(const Entries& entries, std::span<const detail::ColumnValues> columns);

  /// Returns the values of an expression in this batch, and computes them on the first call. They
  /// are valid until the next begin(). Throws Error(usage) if a column has values for another
  /// number of entries. Throws Error(usage) with the entry's number for an index out of range, or
  /// if combined lists differ in length. Throws Error(corrupt) if references lead to objects that
  /// do not exist.
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
  std::vector<Step> m_steps; // for each node of the graph
  // The steps to each expression, which is the last step.
  std::vector<std::vector<std::uint32_t>> m_paths;
  std::vector<Input> m_inputs;
  std::vector<detail::ColumnValues> m_columns;
  std::vector<Buffer> m_unused; // memory of steps that are no longer needed
  Entries m_entries;
  std::uint64_t m_batch = 0;
};

} // namespace kaon::expression
