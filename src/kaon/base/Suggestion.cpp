#include <kaon/base/Suggestion.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace kaon {

std::size_t mistakesIn(std::string_view a, std::string_view b) { // Levenshtein's distance
  const auto areEqual = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  };
  std::vector<std::size_t> row(b.size() + 1), above(row), twoAbove(row);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::swap(twoAbove, above);
    std::swap(above, row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = above[j] + (areEqual(a[i], b[j]) ? 0 : 1);
      row[j + 1] = std::min({replaced, row[j] + 1, above[j + 1] + 1});
      if (i > 0 && j > 0 && areEqual(a[i], b[j - 1]) && areEqual(a[i - 1], b[j]))
        row[j + 1] = std::min(row[j + 1], twoAbove[j - 1] + 1);
    }
  }
  return row[b.size()];
}

namespace {

/// The length of the longest names that are compared. The time is the product of both lengths.
constexpr std::size_t longestCompared = 200;

std::string_view withoutNamespace(std::string_view name) {
  const std::size_t colons = name.rfind("::");
  return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

/// Returns the distance of a name from a known name, in half mistakes. Returns 0 if only the
/// namespaces differ, at most 3 if `known` begins with `name`, and npos if every letter would
/// change.
std::size_t distance(std::string_view name, std::string_view known) {
  if (name != known && withoutNamespace(name) == withoutNamespace(known))
    return 0;
  const std::size_t mistakes = mistakesIn(name, known);
  if (!name.empty() && known.starts_with(name))
    return std::min<std::size_t>(2 * mistakes, 3);
  return mistakes < name.size() ? 2 * mistakes : std::string_view::npos;
}

} // namespace

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  if (name.size() > longestCompared)
    return "";
  const std::string* nearest = nullptr;
  std::size_t least = 2 * std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const std::string& candidate : known) {
    if (candidate.size() > longestCompared)
      continue;
    const std::size_t halves = distance(name, candidate);
    if (halves < least) {
      least = halves;
      nearest = &candidate;
    }
  }
  return nearest ? " (did you mean '" + *nearest + "'?)" : "";
}

} // namespace kaon
