#include <kaon/formats/root/objects/HistogramSum.h>

#include <kaon/detail/base/LoadAs.h>
#include <kaon/formats/root/container/BigEndian.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace kaon::root {
namespace {

constexpr std::array<std::string_view, 3> axisMembers{"fXaxis", "fYaxis", "fZaxis"};
/// The members that are sums of weights, apart from arrays.
constexpr std::array<std::string_view, 14> sumMembers{
    "fEntries", "fTsumw",  "fTsumw2",  "fTsumwx", "fTsumwx2", "fTsumwy",  "fTsumwy2",
    "fTsumwxy", "fTsumwz", "fTsumwz2", "fTsumwt", "fTsumwt2", "fTsumwxz", "fTsumwyz"};

bool isHistogram(std::string_view name) noexcept {
  if (name.starts_with("TProfile"))
    return name == "TProfile" || name == "TProfile2D" || name == "TProfile3D";
  constexpr std::string_view dimensions = "123", types = "CSIFD";
  return name.size() == 4 && name.starts_with("TH") &&
         dimensions.find(name[2]) != std::string_view::npos &&
         types.find(name[3]) != std::string_view::npos;
}

/// A member of an object in the file: its value and the place of its bytes.
struct PlacedMember {
  const ObjectValue* value = nullptr;
  std::size_t position = 0;

  [[nodiscard]] const ObjectNumbers* numbers() const noexcept {
    return value ? std::get_if<ObjectNumbers>(&value->is) : nullptr;
  }
};

/// A histogram in a tree of objects.
class Histogram {
public:
  Histogram(ReadObject& object, std::size_t part) : m_object(&object), m_part(part) {}

  [[nodiscard]] const DescribedObject& described() const noexcept {
    return m_object->tree.parts[m_part];
  }
  [[nodiscard]] PlacedMember member(std::string_view name) const noexcept {
    const ObjectValue* const value = described().find(name);
    if (!value)
      return {};
    const auto& members = described().members;
    const auto found = std::ranges::find_if(
        members, [&](const DescribedObject::Member& each) { return &each.value == value; });
    return {value, m_object->positions[m_part][static_cast<std::size_t>(found - members.begin())]};
  }
  [[nodiscard]] const DescribedObject* partOf(std::string_view name) const noexcept {
    const ObjectValue* const value = described().find(name);
    const auto* const part = value ? std::get_if<ObjectPart>(&value->is) : nullptr;
    return part ? &m_object->tree.parts[part->number] : nullptr;
  }
  [[nodiscard]] const ObjectTree& tree() const noexcept { return m_object->tree; }
  [[nodiscard]] std::byte* bytesAt(std::size_t position) const noexcept {
    return m_object->payload.data() + position;
  }
  [[nodiscard]] std::size_t arraySize(std::string_view name) const noexcept {
    const ObjectNumbers* const numbers = member(name).numbers();
    return numbers ? numbers->size() : 0;
  }

private:
  ReadObject* m_object;
  std::size_t m_part;
};

const DescribedObject* partIn(const ObjectTree& tree, const ObjectValue& value) noexcept {
  const auto* const part = std::get_if<ObjectPart>(&value.is);
  return part ? &tree.parts[part->number] : nullptr;
}

/// Whether two values are equal, with the objects they lead to. `depth` limits circles.
bool areEqual(const ObjectTree& a, const ObjectValue& valueA, const ObjectTree& b,
              const ObjectValue& valueB, int depth = 0) {
  constexpr int deepest = 8;
  if (valueA.is.index() != valueB.is.index() || depth > deepest)
    return false;
  if (const DescribedObject* const partA = partIn(a, valueA)) {
    const DescribedObject* const partB = partIn(b, valueB);
    return partA->type == partB->type && partA->members.size() == partB->members.size() &&
           std::ranges::equal(
               partA->members, partB->members,
               [&](const DescribedObject::Member& one, const DescribedObject::Member& other) {
                 return one.name == other.name &&
                        (one.name == "fBits" || areEqual(a, one.value, b, other.value, depth + 1));
               });
  }
  if (const auto* const items = std::get_if<std::vector<ObjectValue>>(&valueA.is))
    return std::ranges::equal(*items, std::get<std::vector<ObjectValue>>(valueB.is),
                              [&](const ObjectValue& one, const ObjectValue& other) {
                                return areEqual(a, one, b, other, depth + 1);
                              });
  return std::visit(
      [&](const auto& is) {
        using T = std::decay_t<decltype(is)>;
        if constexpr (std::is_same_v<T, ObjectNumbers>)
          return is.bytes == std::get<T>(valueB.is).bytes;
        else if constexpr (std::is_same_v<T, std::monostate> || std::is_same_v<T, ObjectPart> ||
                           std::is_same_v<T, std::vector<ObjectValue>>)
          return true;
        else
          return is == std::get<T>(valueB.is);
      },
      valueA.is);
}

bool haveEqualAxes(const Histogram& a, const Histogram& b) {
  constexpr std::array<std::string_view, 5> members{"fNbins", "fXmin", "fXmax", "fXbins",
                                                    "fLabels"};
  return std::ranges::all_of(axisMembers, [&](std::string_view axis) {
    const DescribedObject* const axisA = a.partOf(axis);
    const DescribedObject* const axisB = b.partOf(axis);
    return axisA && axisB && std::ranges::all_of(members, [&](std::string_view member) {
             const ObjectValue* const valueA = axisA->find(member);
             const ObjectValue* const valueB = axisB->find(member);
             return valueA && valueB ? areEqual(a.tree(), *valueA, b.tree(), *valueB)
                                     : valueA == valueB;
           });
  });
}

/// Whether a histogram still collects values to choose its bins.
bool isBuffering(const Histogram& histogram) noexcept {
  const ObjectNumbers* const buffer = histogram.member("fBuffer").numbers();
  return buffer && buffer->type == Scalar::Float64 && buffer->size() > 0 &&
         detail::loadAs<double>(buffer->bytes.data()) != 0;
}

template <class T>
T added(T a, double b) noexcept {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(a + b);
  } else { // ROOT's histograms of integers stop at their limits
    constexpr auto most = static_cast<double>(std::numeric_limits<T>::max());
    return static_cast<T>(std::clamp(static_cast<double>(a) + b, -most, most));
  }
}

double numberAt(const ObjectNumbers& numbers, std::size_t index) noexcept {
  const std::byte* const at = numbers.bytes.data() + index * sizeOf(numbers.type);
  switch (numbers.type) {
  case Scalar::Int8:
    return detail::loadAs<std::int8_t>(at);
  case Scalar::Int16:
    return detail::loadAs<std::int16_t>(at);
  case Scalar::Int32:
    return detail::loadAs<std::int32_t>(at);
  case Scalar::Float32:
    return detail::loadAs<float>(at);
  default:
    return detail::loadAs<double>(at);
  }
}

template <class T>
void addInPlace(std::byte* bytes, const ObjectNumbers& numbers) noexcept {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::byte* const at = bytes + i * sizeof(T);
    storeBigEndian(added(loadBigEndian<T>(at), numberAt(numbers, i)), at);
  }
}

/// Adds an array to the one that lies at a place, behind its length.
void addArray(const Histogram& to, const PlacedMember& place, const ObjectNumbers& numbers) {
  std::byte* const bytes = to.bytesAt(place.position + sizeof(std::uint32_t));
  switch (place.numbers()->type) {
  case Scalar::Int8:
    return addInPlace<std::int8_t>(bytes, numbers);
  case Scalar::Int16:
    return addInPlace<std::int16_t>(bytes, numbers);
  case Scalar::Int32:
    return addInPlace<std::int32_t>(bytes, numbers);
  case Scalar::Float32:
    return addInPlace<float>(bytes, numbers);
  default:
    return addInPlace<double>(bytes, numbers);
  }
}

/// The arrays of sums, each with the array that replaces it if it is empty: without weights, the
/// sums of squares equal the sums.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> arrayMembers{
    {{"fArray", "fArray"},
     {"fSumw2", "fArray"},
     {"fBinEntries", "fBinEntries"},
     {"fBinSumw2", "fBinEntries"}}};

/// Whether the bytes of one histogram can hold the sum: it has all arrays that the other has.
bool canHold(const Histogram& sum, const Histogram& other) {
  return std::ranges::all_of(arrayMembers, [&](const auto& names) {
    return other.arraySize(names.first) == 0 || sum.arraySize(names.first) > 0;
  });
}

std::string addHistogram(const Histogram& sum, const Histogram& other) {
  if (isBuffering(sum) || isBuffering(other))
    return "it was written before its bins were chosen";
  if (!haveEqualAxes(sum, other))
    return "its axes differ";
  for (const auto& [name, substitute] : arrayMembers) {
    const PlacedMember place = sum.member(name);
    if (!place.numbers() || place.numbers()->size() == 0)
      continue;
    const ObjectNumbers* numbers = other.member(name).numbers();
    if (!numbers || numbers->size() == 0)
      numbers = other.member(substitute).numbers();
    if (!numbers || numbers->size() != place.numbers()->size() || place.position == 0)
      return "its numbers of bins differ";
    addArray(sum, place, *numbers);
  }
  for (const std::string_view name : sumMembers) {
    const PlacedMember place = sum.member(name);
    const ObjectValue* const value = other.member(name).value;
    const auto* const number = value ? std::get_if<double>(&value->is) : nullptr;
    if (!place.value || !number || place.position == 0)
      continue;
    std::byte* const at = sum.bytesAt(place.position);
    storeBigEndian(loadBigEndian<double>(at) + *number, at);
  }
  return "";
}

/// Returns the histograms of an object: itself, or both of a TEfficiency.
std::vector<Histogram> histogramsOf(ReadObject& object) {
  const auto* const root = std::get_if<ObjectPart>(&object.tree.root.is);
  if (!root)
    return {};
  const DescribedObject& described = object.tree.parts[root->number];
  if (isHistogram(described.type))
    return {Histogram(object, root->number)};
  std::vector<Histogram> histograms;
  for (const std::string_view name : {"fPassedHistogram", "fTotalHistogram"})
    if (const ObjectValue* const value = described.find(name))
      if (const auto* const part = std::get_if<ObjectPart>(&value->is))
        histograms.emplace_back(object, part->number);
  return histograms;
}

} // namespace

bool isAddable(std::string_view className) noexcept {
  return isHistogram(className) || className == "TEfficiency";
}

std::string HistogramSum::add(ReadObject other) {
  if (histogramsOf(m_sum).empty())
    return "its class is not read";
  const auto fits = [](ReadObject& sum, ReadObject& added) {
    return std::ranges::equal(histogramsOf(sum), histogramsOf(added), canHold);
  };
  if (!fits(m_sum, other)) {
    if (!fits(other, m_sum))
      return "some of its bins have errors, and others have none";
    std::swap(m_sum, other);
  }
  const std::vector<Histogram> sums = histogramsOf(m_sum), others = histogramsOf(other);
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (std::string obstacle = addHistogram(sums[i], others[i]); !obstacle.empty())
      return obstacle;
  return "";
}

} // namespace kaon::root
