#pragma once

#include <kaon/detail/loop/Algorithm.h>

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace kaon::loop {

/// The algorithms of a loop in the order in which each event goes through them. An algorithm comes
/// after those that make its inputs; otherwise the order of adding is kept. Inputs and outputs are
/// numbered. Immutable.
class Schedule {
public:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  struct Step {
    std::shared_ptr<const Algorithm> algorithm;
    AlgorithmPosition place;
  };
  struct Input {
    const InputInfo* info;
    std::size_t algorithm; ///< the step that takes it
    std::size_t output;    ///< that provides it; none: the file does
  };
  struct Output {
    const OutputInfo* info;
    std::size_t algorithm; ///< the step that makes it
  };

  /// Throws Error(usage) if two algorithms have one name or make outputs of one name, or if
  /// algorithms wait for each other in a circle. Throws Error(type) if an algorithm takes another's
  /// output with a different type.
  explicit Schedule(std::vector<std::shared_ptr<const Algorithm>> algorithms);

  [[nodiscard]] const std::vector<Step>& steps() const noexcept { return m_steps; }
  [[nodiscard]] const std::vector<Input>& inputs() const noexcept { return m_inputs; }
  [[nodiscard]] const std::vector<Output>& outputs() const noexcept { return m_outputs; }
  /// Returns "algorithm 'tracking'", for messages.
  [[nodiscard]] std::string nameOf(std::size_t step) const {
    return "algorithm '" + m_steps[step].algorithm->name + "'";
  }
  [[nodiscard]] std::vector<std::string> outputNames() const;

private:
  void number();
  void connect(Input& input) const;

  std::vector<Step> m_steps;
  std::vector<Input> m_inputs;
  std::vector<Output> m_outputs;
};

} // namespace kaon::loop
