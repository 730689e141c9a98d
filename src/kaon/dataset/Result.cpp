#include <kaon/dataset/Result.h>

#include <algorithm>
#include <ostream>
#include <sstream>
#include <string_view>

namespace kaon {
namespace {

Number weightOf(const CutFlow::Entries& entries) {
  return entries.weight.empty() ? Number(*entries.number) : *entries.weight.front();
}

/// Returns the number of characters of a label in UTF-8.
std::size_t widthOf(std::string_view label) {
  return static_cast<std::size_t>(
      std::ranges::count_if(label, [](char byte) { return (byte & 0xC0) != 0x80; }));
}

// As CutFlow.__str__ in python/kaon/dataframe/results.py.
void writeRow(std::ostream& out, std::size_t width, const std::string& label, const auto& all,
              const auto& passed) {
  out << label << std::string(width - widthOf(label), ' ');
  for (const auto& number : {all, passed}) {
    out.width(14);
    out << number;
  }
  const auto whole = static_cast<double>(all);
  const double share = whole != 0 ? 100. * static_cast<double>(passed) / whole : 0.;
  out.width(8);
  out << share << " %\n";
}

} // namespace

std::vector<CutFlow::Cut> CutFlow::cuts() const {
  std::vector<Cut> cuts;
  for (const Filter& filter : m_filters)
    cuts.push_back({filter.label, *filter.asked.number, *filter.passed.number,
                    weightOf(filter.asked), weightOf(filter.passed)});
  return cuts;
}

std::vector<std::shared_ptr<detail::Action>> CutFlow::actions() const {
  std::vector<std::shared_ptr<detail::Action>> actions;
  for (const Filter& filter : m_filters)
    for (const Entries& entries : {filter.asked, filter.passed}) {
      actions.push_back(entries.number.action());
      for (const Result<Number>& weight : entries.weight)
        actions.push_back(weight.action());
    }
  return actions;
}

std::ostream& operator<<(std::ostream& out, const CutFlow& cutFlow) {
  const std::vector<CutFlow::Cut> cuts = cutFlow.cuts();
  std::size_t width = 0;
  for (const CutFlow::Cut& cut : cuts)
    width = std::max(width, widthOf(cut.label));
  std::ostringstream text; // keeps the format of `out` unchanged
  text.precision(2);
  text << std::fixed;
  const bool hasWeights = !cuts.empty() && !cutFlow.filters().front().asked.weight.empty();
  for (const CutFlow::Cut& cut : cuts)
    if (hasWeights)
      writeRow(text, width, cut.label, cut.weight, cut.passedWeight);
    else
      writeRow(text, width, cut.label, cut.entries, cut.passed);
  return out << text.str();
}

std::ostream& operator<<(std::ostream& out, const Display& display) {
  std::vector<std::size_t> widths;
  for (const std::string& name : display.columns)
    widths.push_back(name.size());
  for (const auto& row : display.rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  const auto writeRow = [&](const std::vector<std::string>& texts) {
    for (std::size_t i = 0; i < texts.size(); ++i)
      out << (i > 0 ? "  " : "") << texts[i]
          << std::string(i + 1 < texts.size() ? widths[i] - texts[i].size() : 0, ' ');
    out << '\n';
  };
  writeRow(display.columns);
  for (const auto& row : display.rows)
    writeRow(row);
  return out;
}

} // namespace kaon
