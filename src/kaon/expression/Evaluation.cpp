#include <kaon/detail/expression/Evaluation.h>

#include <kaon/base/Error.h>
#include <kaon/base/Wording.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/expression/Elementwise.h>
#include <kaon/expression/Lists.h>
#include <kaon/expression/TextComparison.h>

#include <functional>
#include <ranges>
#include <utility>

namespace kaon::expression {

struct Evaluation::Step {
  Node node;
  ElementwiseKernel kernel = nullptr; // null: works on lists
  std::uint64_t batch = 0;            // the batch of the values
  detail::ColumnValues values;
  StepMemory storage;
  std::vector<std::uint32_t> last = {}; // steps whose values are not needed after this step
  bool isShared = false;                // other steps use a part of its values
};

Evaluation::Evaluation(Evaluation&&) noexcept = default;
Evaluation& Evaluation::operator=(Evaluation&&) noexcept = default;
Evaluation::~Evaluation() = default;

Evaluation::Evaluation(std::span<const Expression> expressions) {
  for (const Expression& expression : expressions) {
    // Only the steps that the result depends on: binding leaves steps that turned out to be
    // unnecessary.
    const std::uint32_t root = m_graph.add(expression.graph())[expression.root()];
    m_paths.push_back(m_graph.stepsTo(root));
  }
  std::vector<std::uint32_t> inputOf(m_graph.inputs().size(), Node::none);
  m_steps.resize(m_graph.size());
  for (std::uint32_t number = 0; number < m_graph.size(); ++number) {
    Step& step = m_steps[number];
    step.node = m_graph.at(number);
    if (isElementwise(step.node.operation)) {
      const std::uint32_t last = step.node.operands[step.node.arity() - 1];
      step.kernel = elementwiseKernel(step.node.operation, m_graph.at(last).type.scalar,
                                      step.node.type.scalar);
    }
  }
  for (const auto& path : m_paths)
    for (const std::uint32_t number : path) {
      Node& node = m_steps[number].node;
      if (node.operation != Operation::input)
        continue;
      std::uint32_t& input = inputOf[m_graph.at(number).parameter];
      if (input == Node::none) {
        input = static_cast<std::uint32_t>(m_inputs.size());
        m_inputs.push_back(m_graph.inputs()[m_graph.at(number).parameter]);
      }
      node.parameter = input;
    }
  planReuse();
}

/// Plans the reuse of memory of steps that are no longer needed. The values of all steps in a batch
/// would exceed the caches.
void Evaluation::planReuse() {
  if (m_paths.size() != 1) // Several expressions may be evaluated in any order.
    return;
  std::vector<bool> isNeeded(m_graph.size());
  isNeeded[m_paths[0].back()] = true;
  for (const std::uint32_t number : std::views::reverse(m_paths[0]))
    for (const std::uint32_t operand : m_graph.at(number).operands)
      if (operand != Node::none && !isNeeded[operand]) {
        isNeeded[operand] = true;
        m_steps[number].last.push_back(operand);
      }
}

void Evaluation::takeMemory(Step& step) {
  if (m_unused.empty() || step.storage.values.capacity() > 0)
    return;
  step.storage.values = std::move(m_unused.back()); // likely still in the caches
  m_unused.pop_back();
}

void Evaluation::giveMemory(Step& step) {
  for (const std::uint32_t operand : step.node.operands) {
    if (operand == Node::none)
      continue;
    const Buffer& values = m_steps[operand].storage.values;
    const std::less_equal<const std::byte*> isUpTo;
    if (values.capacity() > 0 && isUpTo(values.data(), step.values.values) &&
        isUpTo(step.values.values, values.data() + values.capacity()))
      m_steps[operand].isShared = true;
  }
  for (const std::uint32_t number : step.last)
    if (Step& operand = m_steps[number]; !operand.isShared && operand.storage.values.capacity() > 0)
      m_unused.push_back(std::move(operand.storage.values));
}

/// Returns the column after checking that it has values for these entries; steps rely on its size.
detail::ColumnValues Evaluation::checked(const Input& input, detail::ColumnValues column) const {
  std::size_t rows = m_entries.count;
  for (unsigned level = 0; level < input.type.depth; ++level) {
    const auto offsets = column.offsets[level];
    if (offsets.size() != rows + 1 || offsets[0] != 0)
      fail(ErrorKind::usage, "the lists of '", input.name, "' are not those of ", m_entries.count,
           " entries");
    rows = offsets.back();
  }
  if (input.isListsOnly) {
    column.values = nullptr;
    column.size = rows;
  } else if (column.size != rows || (rows > 0 && !column.values)) {
    fail(ErrorKind::usage, "'", input.name, "' has ", column.values ? column.size : 0,
         " values for ", rows);
  }
  return column;
}

void Evaluation::begin(const Entries& entries, std::span<const detail::ColumnValues> columns) {
  ++m_batch;
  m_entries = entries;
  if (columns.size() != m_inputs.size())
    fail(ErrorKind::usage, "the expressions need ", counted(m_inputs.size(), "column"), ", not ",
         columns.size());
  m_columns.assign(columns.begin(), columns.end());
}

detail::ColumnValues Evaluation::evaluate(std::size_t expression) {
  for (const std::uint32_t number : m_paths[expression])
    if (m_steps[number].batch != m_batch) {
      compute(number);
      m_steps[number].batch = m_batch;
    }
  return m_steps[m_paths[expression].back()].values;
}

Operand Evaluation::operandOf(std::uint32_t number) const {
  const Step& step = m_steps[number];
  const Operation operation = step.node.operation;
  return {step.values, step.node.type,
          operation == Operation::constant || operation == Operation::text, m_graph.textOf(number)};
}

void Evaluation::compute(std::uint32_t number) {
  Step& step = m_steps[number];
  if (step.node.operation == Operation::input) {
    step.values = checked(m_inputs[step.node.parameter], m_columns[step.node.parameter]);
  } else if (step.node.operation == Operation::constant) {
    step.values = {detail::bytesAt(&step.node.parameter), 1};
  } else if (step.node.operation == Operation::text) {
    const std::string_view characters = m_graph.charactersOf(m_graph.at(number));
    step.values = {detail::bytesAt(characters.data()), characters.size()};
  } else if (step.kernel) {
    takeMemory(step);
    computeElementwise(step);
  } else {
    takeMemory(step);
    ListStep lists{step.node, m_entries, {}, m_graph.textOf(number)};
    for (std::size_t i = 0; i < step.node.operands.size(); ++i)
      if (step.node.operands[i] != Node::none)
        lists.operands[i] = operandOf(step.node.operands[i]);
    const bool isOfTexts = step.node.operation == Operation::compareTexts;
    step.values = isOfTexts ? compareTexts(lists, step.storage) : computeLists(lists, step.storage);
  }
  giveMemory(step);
}

void Evaluation::computeElementwise(Step& step) {
  ElementwiseOperands work;
  const Step* lists = nullptr;
  std::uint32_t listsNumber = Node::none;
  for (unsigned i = 0; i < step.node.arity(); ++i) {
    const std::uint32_t number = step.node.operands[i];
    const Step& operand = m_steps[number];
    work.values[i] = operand.values.values;
    work.isConstant[i] = operand.node.operation == Operation::constant;
    if (work.isConstant[i])
      continue;
    if (lists)
      checkSameLists(operandOf(listsNumber), operandOf(number), step.node.type.depth, m_entries);
    else
      lists = &operand, listsNumber = number;
  }
  work.size = lists->values.size;
  work.result = step.storage.values.assign(work.size * sizeOf(step.node.type.scalar)).data();
  step.kernel(work);
  step.values = lists->values;
  step.values.values = work.result;
}

} // namespace kaon::expression
