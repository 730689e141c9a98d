#pragma once

#include <kaon/loop/Algorithm.h>

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace kaon::loop {

/// The algorithms of a loop in the order in which each event goes through them: one that takes what
/// another makes comes after it; else they stay in the order in which they were added. Their inputs
/// and outputs are numbered. Does not change any more.
class Schedule {
public:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  struct Step {
    std::shared_ptr<const Algorithm> algorithm;
    AlgorithmPlace place;
  };
  struct Input {
    const InputInfo* info;
    std::size_t algorithm; ///< that takes it, by its step
    std::size_t output;    ///< that it is; none: it is the file's
  };
  struct Output {
    const OutputInfo* info;
    std::size_t algorithm; ///< that makes it, by its step
  };

  /// Throws Error(usage) where two algorithms have one name or make outputs of one name, and where
  /// algorithms wait for each other in a circle; Error(type) where one takes what another makes as
  /// something else.
  explicit Schedule(std::vector<std::shared_ptr<const Algorithm>> algorithms);

  [[nodiscard]] const std::vector<Step>& steps() const noexcept { return m_steps; }
  [[nodiscard]] const std::vector<Input>& inputs() const noexcept { return m_inputs; }
  [[nodiscard]] const std::vector<Output>& outputs() const noexcept { return m_outputs; }
  /// "algorithm 'tracking'", for messages.
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
