#include <kaon/batch/HistogramSum.h>

#include <kaon/base/Wording.h>
#include <kaon/detail/base/LoadAs.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <sstream>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace kaon::detail {
namespace {

constexpr std::array<std::string_view, 3> axisMembers{"fXaxis", "fYaxis", "fZaxis"};
/// The members that are sums of weights, apart from arrays.
constexpr std::array<std::string_view, 14> sumMembers{
    "fEntries", "fTsumw",  "fTsumw2",  "fTsumwx", "fTsumwx2", "fTsumwy",  "fTsumwy2",
    "fTsumwxy", "fTsumwz", "fTsumwz2", "fTsumwt", "fTsumwt2", "fTsumwxz", "fTsumwyz"};
/// The arrays of sums, each with the array that replaces it if it is empty: without weights, the
/// sums of squares equal the sums.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> arrayMembers{
    {{"fArray", "fArray"},
     {"fSumw2", "fArray"},
     {"fBinEntries", "fBinEntries"},
     {"fBinSumw2", "fBinEntries"}}};

bool isHistogram(std::string_view name) noexcept {
  if (name.starts_with("TProfile"))
    return name == "TProfile" || name == "TProfile2D" || name == "TProfile3D";
  constexpr std::string_view dimensions = "123", types = "CSIFD";
  return name.size() == 4 && name.starts_with("TH") &&
         dimensions.find(name[2]) != std::string_view::npos &&
         types.find(name[3]) != std::string_view::npos;
}

template <class Tree>
auto* partIn(Tree& tree, const ObjectValue* value) noexcept {
  const auto* const part = value ? std::get_if<ObjectPart>(&value->is) : nullptr;
  return part && part->number < tree.parts.size() ? &tree.parts[part->number] : nullptr;
}

ObjectNumbers* numbersIn(DescribedObject& part, std::string_view member) noexcept {
  auto* const value = const_cast<ObjectValue*>(part.find(member));
  return value ? std::get_if<ObjectNumbers>(&value->is) : nullptr;
}
const ObjectNumbers* numbersIn(const DescribedObject& part, std::string_view member) noexcept {
  const ObjectValue* const value = part.find(member);
  return value ? std::get_if<ObjectNumbers>(&value->is) : nullptr;
}
std::size_t sizeOfArray(const DescribedObject& part, std::string_view member) noexcept {
  const ObjectNumbers* const numbers = numbersIn(part, member);
  return numbers ? numbers->size() : 0;
}

double numberIn(const ObjectValue* value) noexcept {
  if (!value)
    return 0;
  return std::visit(
      [](const auto& is) -> double {
        if constexpr (std::is_arithmetic_v<std::decay_t<decltype(is)>>)
          return static_cast<double>(is);
        else
          return 0;
      },
      value->is);
}

double numberAt(const ObjectNumbers& numbers, std::size_t index) noexcept {
  const std::byte* const at = numbers.bytes.data() + index * sizeOf(numbers.type);
  switch (numbers.type) {
  case Scalar::Int8:
    return loadAs<std::int8_t>(at);
  case Scalar::Int16:
    return loadAs<std::int16_t>(at);
  case Scalar::Int32:
    return loadAs<std::int32_t>(at);
  case Scalar::Float32:
    return loadAs<float>(at);
  case Scalar::Float64:
    return loadAs<double>(at);
  default:
    return 0;
  }
}

/// The histograms of an object: itself, or both of a TEfficiency.
template <class Tree>
auto histogramsOf(Tree& tree) {
  std::vector<decltype(partIn(tree, nullptr))> histograms;
  auto* const root = partIn(tree, &tree.root);
  if (root && isHistogram(root->type)) {
    histograms.push_back(root);
  } else if (root) {
    for (const std::string_view name : {"fPassedHistogram", "fTotalHistogram"})
      if (auto* const part = partIn(tree, root->find(name)))
        histograms.push_back(part);
  }
  return histograms;
}

/// The bins of an axis.
struct BinnedAxis {
  double bins = 0, low = 0, high = 0;
  std::vector<double> edges; // empty for bins of equal widths
  std::set<std::pair<double, std::string>> labels;

  friend bool operator==(const BinnedAxis&, const BinnedAxis&) = default;
};

BinnedAxis axisOf(const ObjectTree& tree, const DescribedObject& part) {
  BinnedAxis axis{numberIn(part.find("fNbins")),
                  numberIn(part.find("fXmin")),
                  numberIn(part.find("fXmax")),
                  {},
                  {}};
  if (const ObjectNumbers* const edges = numbersIn(part, "fXbins"))
    for (std::size_t i = 0; i < edges->size(); ++i)
      axis.edges.push_back(numberAt(*edges, i));
  const DescribedObject* const labels = partIn(tree, part.find("fLabels"));
  const ObjectValue* const list = labels ? labels->find("items") : nullptr;
  if (const auto* const items = list ? std::get_if<std::vector<ObjectValue>>(&list->is) : nullptr)
    for (const ObjectValue& item : *items)
      if (const DescribedObject* const label = partIn(tree, &item)) {
        const ObjectValue* const text = label->find("fString");
        const auto* const name = text ? std::get_if<std::string>(&text->is) : nullptr;
        axis.labels.emplace(numberIn(label->find("fUniqueID")), name ? *name : std::string());
      }
  return axis;
}

std::string rangeOf(const BinnedAxis& axis) {
  constexpr double most = 1e15;
  std::ostringstream text;
  text.precision(std::numeric_limits<double>::max_digits10 - 2);
  text << counted(static_cast<std::uint64_t>(std::clamp(axis.bins, 0.0, most)), "bin") << " from "
       << axis.low << " to " << axis.high;
  return text.str();
}

/// Returns how an axis differs from the one that was expected; "" if they are equal.
std::string differenceOf(const BinnedAxis& axis, const BinnedAxis& expected) {
  if (axis == expected)
    return "";
  const std::string bins = rangeOf(axis), others = rangeOf(expected);
  if (bins != others)
    return "has " + bins + ", not " + others;
  return "has " + bins + (axis.edges == expected.edges ? " with other names" : " with other edges");
}

std::string unlikeAxesOf(const ObjectTree& treeA, const DescribedObject& a, const ObjectTree& treeB,
                         const DescribedObject& b) {
  for (const std::string_view name : axisMembers) {
    const DescribedObject* const axisA = partIn(treeA, a.find(name));
    const DescribedObject* const axisB = partIn(treeB, b.find(name));
    if (!axisA && !axisB)
      continue;
    const std::string axis = {static_cast<char>(name[1] - 'A' + 'a')};
    if (!axisA || !axisB)
      return "only one of them has a readable " + axis + " axis";
    if (const std::string difference = differenceOf(axisOf(treeB, *axisB), axisOf(treeA, *axisA));
        !difference.empty())
      return "its " + axis + " axis " + difference;
  }
  return "";
}

/// Whether a histogram still collects values to choose its bins.
bool isBuffering(const DescribedObject& histogram) noexcept {
  const ObjectNumbers* const buffer = numbersIn(histogram, "fBuffer");
  return buffer && buffer->type == Scalar::Float64 && buffer->size() > 0 &&
         numberAt(*buffer, 0) != 0;
}

/// Whether the sum has all arrays that the other histogram has.
bool canHold(const DescribedObject* sum, const DescribedObject* other) {
  return std::ranges::all_of(arrayMembers, [&](const auto& names) {
    return sizeOfArray(*other, names.first) == 0 || sizeOfArray(*sum, names.first) > 0;
  });
}

template <class T>
void addAs(ObjectNumbers& sums, const ObjectNumbers& numbers) noexcept {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::byte* const at = sums.bytes.data() + i * sizeof(T);
    T sum = loadAs<T>(at);
    if constexpr (std::is_floating_point_v<T>) {
      sum = static_cast<T>(sum + numberAt(numbers, i));
    } else { // ROOT's histograms of integers stop at their limits
      constexpr auto most = static_cast<double>(std::numeric_limits<T>::max());
      sum =
          static_cast<T>(std::clamp(static_cast<double>(sum) + numberAt(numbers, i), -most, most));
    }
    std::memcpy(at, &sum, sizeof sum);
  }
}

/// Adds the numbers of an array. Returns false if arrays of this type are not sums.
bool addNumbers(ObjectNumbers& sums, const ObjectNumbers& numbers) noexcept {
  switch (sums.type) {
  case Scalar::Int8:
    addAs<std::int8_t>(sums, numbers);
    return true;
  case Scalar::Int16:
    addAs<std::int16_t>(sums, numbers);
    return true;
  case Scalar::Int32:
    addAs<std::int32_t>(sums, numbers);
    return true;
  case Scalar::Float32:
    addAs<float>(sums, numbers);
    return true;
  case Scalar::Float64:
    addAs<double>(sums, numbers);
    return true;
  default:
    return false;
  }
}

std::string addHistogram(DescribedObject& sum, const DescribedObject& other) {
  if (isBuffering(sum) || isBuffering(other))
    return "it was written before its bins were chosen";
  for (const auto& [name, substitute] : arrayMembers) {
    ObjectNumbers* const sums = numbersIn(sum, name);
    if (!sums || sums->size() == 0)
      continue;
    const ObjectNumbers* numbers = numbersIn(other, name);
    if (!numbers || numbers->size() == 0)
      numbers = numbersIn(other, substitute);
    if (!numbers || numbers->size() != sums->size() || !addNumbers(*sums, *numbers))
      return "its numbers of bins differ";
  }
  for (const std::string_view name : sumMembers) {
    auto* const value = const_cast<ObjectValue*>(sum.find(name));
    auto* const number = value ? std::get_if<double>(&value->is) : nullptr;
    if (number)
      *number += numberIn(other.find(name));
  }
  return "";
}

/// Compares two objects, each pair of their parts once.
class Comparison {
public:
  Comparison(const ObjectTree& a, const ObjectTree& b) : m_a(a), m_b(b) {}

  bool areEqual() {
    if (!areEqual(m_a.root, m_b.root))
      return false;
    while (!m_open.empty()) {
      const auto [a, b] = m_open.back();
      m_open.pop_back();
      if (!haveEqualMembers(m_a.parts[a], m_b.parts[b]))
        return false;
    }
    return true;
  }

private:
  bool haveEqualMembers(const DescribedObject& a, const DescribedObject& b) {
    // Objects of programs lack members that have their usual values.
    return a.type == b.type && a.failure.empty() && b.failure.empty() &&
           std::ranges::all_of(a.members, [&](const DescribedObject::Member& one) {
             const auto other = std::ranges::find_if(b.members, [&](const auto& each) {
               return each.name == one.name &&
                      (each.owner == one.owner || each.owner.empty() || one.owner.empty());
             });
             return other == b.members.end() || one.name == "fBits" ||
                    areEqual(one.value, other->value);
           });
  }
  bool areEqual(const ObjectValue& a, const ObjectValue& b) {
    if (a.is.index() != b.is.index())
      return false;
    return std::visit(
        [&](const auto& is) {
          using T = std::decay_t<decltype(is)>;
          const T& other = std::get<T>(b.is);
          if constexpr (std::is_same_v<T, ObjectNumbers>) {
            return is.type == other.type && is.bytes == other.bytes;
          } else if constexpr (std::is_same_v<T, ObjectPart>) {
            if (m_known.emplace(is.number, other.number).second)
              m_open.emplace_back(is.number, other.number);
            return true;
          } else if constexpr (std::is_same_v<T, std::vector<ObjectValue>>) {
            return std::ranges::equal(
                is, other,
                [&](const ObjectValue& one, const ObjectValue& two) { return areEqual(one, two); });
          } else if constexpr (std::is_same_v<T, double>) {
            return is == other || (is != is && other != other);
          } else {
            return is == other;
          }
        },
        a.is);
  }

  const ObjectTree& m_a;
  const ObjectTree& m_b;
  std::set<std::pair<std::size_t, std::size_t>> m_known;
  std::vector<std::pair<std::size_t, std::size_t>> m_open; // of these, not yet compared
};

} // namespace

bool isAddable(std::string_view className) noexcept {
  return isHistogram(className) || className == "TEfficiency";
}

std::string unlikeAxes(const ObjectTree& histogram, const ObjectTree& other) {
  const auto ones = histogramsOf(histogram), others = histogramsOf(other);
  for (std::size_t i = 0; i < std::min(ones.size(), others.size()); ++i)
    if (std::string difference = unlikeAxesOf(histogram, *ones[i], other, *others[i]);
        !difference.empty())
      return difference;
  return "";
}

HistogramSum::Outcome HistogramSum::add(ObjectTree other) {
  const auto fits = [](const ObjectTree& sum, const ObjectTree& added) {
    return std::ranges::equal(histogramsOf(sum), histogramsOf(added), canHold);
  };
  const bool isOther = !fits(m_sum, other);
  if (histogramsOf(m_sum).empty())
    m_obstacle = "its class is not read";
  else if (isOther && !fits(other, m_sum))
    m_obstacle = "some of its bins have errors, and others have none";
  else if (isOther)
    std::swap(m_sum, other);
  const auto sums = histogramsOf(m_sum);
  const auto others = histogramsOf(std::as_const(other));
  for (std::size_t i = 0; i < sums.size() && m_obstacle.empty(); ++i)
    m_obstacle = addHistogram(*sums[i], *others[i]);
  if (!m_obstacle.empty())
    return Outcome::failed;
  return isOther ? Outcome::addedToOther : Outcome::added;
}

bool areEqual(const ObjectTree& a, const ObjectTree& b) { return Comparison(a, b).areEqual(); }

} // namespace kaon::detail
