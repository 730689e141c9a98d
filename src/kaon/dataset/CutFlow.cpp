#include <kaon/dataset/CutFlow.h>

#include <algorithm>
#include <iomanip>
#include <ostream>

namespace kaon {

std::vector<CutFlow::Cut> CutFlow::cuts() const {
  std::vector<Cut> cuts;
  for (std::size_t i = 0; i < m_labels.size(); ++i)
    cuts.push_back({m_labels[i], *m_counts[i], *m_counts[i + 1]});
  return cuts;
}

std::vector<std::shared_ptr<Action>> CutFlow::actions() const {
  std::vector<std::shared_ptr<Action>> actions;
  for (const Result<std::uint64_t>& count : m_counts)
    std::ranges::move(count.actions(), std::back_inserter(actions));
  return actions;
}

std::ostream& operator<<(std::ostream& out, const CutFlow& cutFlow) {
  const std::vector<CutFlow::Cut> cuts = cutFlow.cuts();
  std::size_t width = 0;
  for (const CutFlow::Cut& cut : cuts)
    width = std::max(width, cut.label.size());
  for (const CutFlow::Cut& cut : cuts) {
    const double share =
        cut.entries > 0 ? 100. * static_cast<double>(cut.passed) / static_cast<double>(cut.entries)
                        : 0.;
    out << std::left << std::setw(static_cast<int>(width)) << cut.label << std::right
        << std::setw(14) << cut.entries << std::setw(14) << cut.passed << std::setw(8) << std::fixed
        << std::setprecision(2) << share << " %\n";
  }
  return out;
}

} // namespace kaon
