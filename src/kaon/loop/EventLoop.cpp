#include <kaon/loop/EventLoop.h>

#include <kaon/detail/loop/Schedule.h>
#include <kaon/loop/LoopRun.h>

namespace kaon {

std::vector<std::string> EventLoop::order() const {
  const loop::Schedule schedule(m_algorithms);
  std::vector<std::string> names;
  for (const loop::Schedule::Step& step : schedule.steps())
    names.push_back(step.algorithm->name);
  return names;
}

LoopSummary EventLoop::run(const std::vector<Category>& events, const LoopOptions& options) const {
  const loop::Schedule schedule(m_algorithms);
  try {
    return loop::LoopRun(schedule, events, m_output, options).run();
  } catch (const loop::LoopInterruption& stopped) {
    return stopped.summary;
  }
}

} // namespace kaon
