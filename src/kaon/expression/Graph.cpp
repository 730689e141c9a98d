#include <kaon/detail/expression/Graph.h>

#include <algorithm>

namespace kaon::expression {

std::size_t Graph::Hash::operator()(const Node& node) const noexcept {
  std::uint64_t hash = static_cast<std::uint64_t>(node.operation);
  const auto mix = [&hash](std::uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15U; // 2^64 / golden ratio, spreads close values
    hash ^= hash >> 29U;
  };
  mix(static_cast<std::uint64_t>(node.type.scalar) * 8 + node.type.depth);
  for (const std::uint32_t operand : node.operands)
    mix(operand);
  mix(node.parameter);
  mix(node.detail);
  return hash;
}

std::uint32_t Graph::add(const Node& node, std::string_view text) {
  const auto [place, isNew] = m_numbers.try_emplace(node, size());
  if (isNew) {
    m_nodes.push_back(node);
    m_texts.emplace_back(text);
  }
  return place->second;
}

std::uint32_t Graph::addInput(const Input& input, std::string_view text) {
  const auto number =
      static_cast<std::size_t>(std::ranges::find(m_inputs, input) - m_inputs.begin());
  if (number == m_inputs.size())
    m_inputs.push_back(input);
  return add({.operation = Operation::input, .type = input.type, .parameter = number}, text);
}

std::uint32_t Graph::addText(std::string_view characters, std::string_view text) {
  const auto number =
      static_cast<std::size_t>(std::ranges::find(m_characters, characters) - m_characters.begin());
  if (number == m_characters.size())
    m_characters.emplace_back(characters);
  return add({.operation = Operation::text, .type = {Scalar::UInt8, 1, true}, .parameter = number},
             text);
}

std::vector<std::uint32_t> Graph::add(const Graph& other) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t step = 0; step < other.size(); ++step) {
    Node node = other.at(step);
    if (node.operation == Operation::input) {
      numbers.push_back(addInput(other.m_inputs[node.parameter], other.m_texts[step]));
      continue;
    }
    if (node.operation == Operation::text) {
      numbers.push_back(addText(other.charactersOf(node), other.m_texts[step]));
      continue;
    }
    for (std::uint32_t& operand : node.operands)
      if (operand != Node::none)
        operand = numbers[operand];
    numbers.push_back(add(node, other.m_texts[step]));
  }
  return numbers;
}

std::vector<std::uint32_t> Graph::stepsTo(std::uint32_t node) const {
  std::vector<bool> isNeeded(node + 1, false);
  isNeeded[node] = true;
  std::vector<std::uint32_t> steps;
  for (std::uint32_t step = node + 1; step-- > 0;)
    if (isNeeded[step]) {
      steps.push_back(step);
      for (const std::uint32_t operand : m_nodes[step].operands)
        if (operand != Node::none)
          isNeeded[operand] = true;
    }
  std::ranges::reverse(steps);
  return steps;
}

} // namespace kaon::expression
