#include <kaon/dataset/CutFlow.h>

#include <algorithm>
#include <iterator>
#include <ostream>
#include <sstream>

namespace kaon {
namespace {

double weightOf(const CutFlow::Step& step) {
  return step.weight.empty() ? static_cast<double>(*step.entries) : *step.weight.front();
}

void writeRow(std::ostream& out, std::size_t width, const std::string& label, const auto& all,
              const auto& passed) {
  out << label << std::string(width - label.size(), ' ');
  for (const auto& number : {all, passed}) {
    out.width(14);
    out << number;
  }
  const double share = all > 0 ? 100. * static_cast<double>(passed) / static_cast<double>(all) : 0.;
  out.width(8);
  out << share << " %\n";
}

} // namespace

std::vector<CutFlow::Cut> CutFlow::cuts() const {
  std::vector<Cut> cuts;
  for (std::size_t i = 0; i < m_labels.size(); ++i)
    cuts.push_back({m_labels[i], *m_steps[i].entries, *m_steps[i + 1].entries, weightOf(m_steps[i]),
                    weightOf(m_steps[i + 1])});
  return cuts;
}

std::vector<std::shared_ptr<Action>> CutFlow::actions() const {
  std::vector<std::shared_ptr<Action>> actions;
  for (const Step& step : m_steps) {
    std::ranges::move(step.entries.actions(), std::back_inserter(actions));
    for (const Result<double>& weight : step.weight)
      std::ranges::move(weight.actions(), std::back_inserter(actions));
  }
  return actions;
}

std::ostream& operator<<(std::ostream& out, const CutFlow& cutFlow) {
  const std::vector<CutFlow::Cut> cuts = cutFlow.cuts();
  std::size_t width = 0;
  for (const CutFlow::Cut& cut : cuts)
    width = std::max(width, cut.label.size());
  std::ostringstream text; // the stream's own format stays as it is
  text.precision(2);
  text << std::fixed;
  for (const CutFlow::Cut& cut : cuts)
    if (cutFlow.hasWeights())
      writeRow(text, width, cut.label, cut.weight, cut.passedWeight);
    else
      writeRow(text, width, cut.label, cut.entries, cut.passed);
  return out << text.str();
}

} // namespace kaon
