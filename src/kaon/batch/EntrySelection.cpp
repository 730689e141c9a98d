#include <kaon/batch/EntrySelection.h>

#include <kaon/base/Error.h>

#include <algorithm>
#include <utility>

namespace kaon {

EntrySelection::EntrySelection(std::vector<EntryRange> runs) : m_hull{0, 0} {
  std::size_t kept = 0;
  for (const EntryRange run : runs)
    if (run.first >= run.last || (kept > 0 && run.first < runs[kept - 1].last))
      fail(ErrorKind::usage, "the run of entries ", run.first, " to ", run.last,
           " is empty, or begins before the end of the previous run");
    else if (kept > 0 && run.first == runs[kept - 1].last)
      runs[kept - 1].last = run.last;
    else
      runs[kept++] = run;
  runs.resize(kept);
  if (runs.empty())
    return;
  m_hull = {runs.front().first, runs.back().last};
  if (runs.size() > 1)
    m_runs = std::make_shared<const std::vector<EntryRange>>(std::move(runs));
}

EntrySelection EntrySelection::ofList(std::span<const std::uint64_t> entries) {
  std::vector<EntryRange> runs;
  for (const std::uint64_t entry : entries)
    if (entry == std::numeric_limits<std::uint64_t>::max())
      fail(ErrorKind::usage, "there is no entry ", entry);
    else if (runs.empty() || entry > runs.back().last)
      runs.push_back({entry, entry + 1});
    else if (entry == runs.back().last)
      ++runs.back().last;
    else
      fail(ErrorKind::usage, "entry ", entry, " follows entry ", runs.back().last - 1,
           ", but lists of entries must ascend: sort the list, and remove duplicates");
  return EntrySelection(std::move(runs));
}

EntrySelection EntrySelection::ofMask(std::span<const bool> mask, std::uint64_t first) {
  std::vector<EntryRange> runs;
  for (auto begin = std::ranges::find(mask, true); begin != mask.end();) {
    const auto end = std::find(begin, mask.end(), false);
    const auto at = [&](auto place) {
      return first + static_cast<std::uint64_t>(place - mask.begin());
    };
    runs.push_back({at(begin), at(end)});
    begin = std::find(end, mask.end(), true);
  }
  return EntrySelection(std::move(runs));
}

std::uint64_t EntrySelection::size() const noexcept {
  std::uint64_t sum = 0;
  for (const EntryRange& run : runs())
    sum += run.size();
  return sum;
}

EntryRange EntrySelection::runFrom(std::uint64_t entry) const noexcept {
  constexpr std::uint64_t nowhere = std::numeric_limits<std::uint64_t>::max();
  const auto all = runs();
  const auto run = std::ranges::upper_bound(all, entry, {}, &EntryRange::last);
  if (run == all.end())
    return {nowhere, nowhere};
  return {std::max(run->first, entry), run->last};
}

EntrySelection EntrySelection::within(EntryRange range) const {
  if (m_hull.first >= range.first && m_hull.last <= range.last)
    return *this;
  std::vector<EntryRange> cut;
  const auto all = runs();
  for (auto run = std::ranges::upper_bound(all, range.first, {}, &EntryRange::last);
       run != all.end() && run->first < range.last; ++run)
    cut.push_back({std::max(run->first, range.first), std::min(run->last, range.last)});
  return EntrySelection(std::move(cut));
}

EntrySelection EntrySelection::from(std::uint64_t origin) const {
  if (origin == 0)
    return *this;
  std::vector<EntryRange> moved;
  for (const EntryRange& run : runs())
    moved.push_back({run.first - origin, run.last - origin});
  return EntrySelection(std::move(moved));
}

} // namespace kaon
