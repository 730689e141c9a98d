#include <kaon/model/Structure.h>

#include <kaon/base/Joined.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

namespace kaon {
namespace {

/// Removes the text before the next dot, and the dot. Returns the text.
std::string_view takePart(std::string_view& text) noexcept {
  const std::size_t dot = text.find('.');
  const std::string_view part = text.substr(0, dot);
  text.remove_prefix(dot == std::string_view::npos ? text.size() : dot + 1);
  return part;
}

std::optional<std::uint32_t> numberFrom(std::string_view digits) noexcept {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool isCanonical = !digits.empty() && (digits.size() == 1 || digits.front() != '0');
  return error == std::errc() && end == digits.data() + digits.size() && isCanonical
             ? std::optional(number)
             : std::nullopt;
}

bool isUnknownShape(std::string_view step) noexcept {
  return step.empty() || step.starts_with("[~");
}

/// Returns the product of the sizes in a step, 1 without sizes; nothing if the step is not a shape.
std::optional<std::uint64_t> productOf(std::string_view step) noexcept {
  constexpr std::uint64_t most = ~std::uint32_t{0};
  std::uint64_t elements = 1;
  const bool isUnknown = step.starts_with("[~");
  for (bool isFirst = true; !step.empty(); isFirst = false) {
    const std::size_t end = step.find(']');
    if (step.front() != '[' || end == std::string_view::npos || (isUnknown && !isFirst))
      return std::nullopt;
    const std::size_t begin = isUnknown ? 2 : 1;
    const auto size = numberFrom(step.substr(begin, end - begin));
    if (!size || *size == 0 || elements * *size > most)
      return std::nullopt;
    elements *= *size;
    step.remove_prefix(end + 1);
  }
  return elements;
}

} // namespace

std::uint64_t elementsIn(std::string_view step) noexcept {
  return step.empty() ? 0 : productOf(step).value_or(0);
}

std::string shapeText(std::span<const std::uint32_t> shape) {
  std::string text;
  for (const std::uint32_t size : shape)
    text.append("[").append(std::to_string(size)).append("]");
  return text;
}

std::vector<std::uint32_t> shapeOf(std::string_view step, std::uint32_t size) {
  if (isUnknownShape(step))
    return size > 1 ? std::vector{size} : std::vector<std::uint32_t>{};
  std::vector<std::uint32_t> shape;
  while (step.starts_with('[')) {
    const std::size_t end = step.find(']');
    shape.push_back(numberFrom(step.substr(1, end - 1)).value_or(0));
    step.remove_prefix(end + 1);
  }
  return shape;
}

bool haveSameShape(std::string_view a, std::string_view b) noexcept {
  const auto isOne = [](std::string_view step) { return elementsIn(step) == 1; };
  if (a.empty() || b.empty()) // one value, or an unknown shape
    return a == b || !isOne(a.empty() ? b : a);
  return a == b || isUnknownShape(a) || isUnknownShape(b);
}

bool structuresAgree(std::string_view a, std::string_view b) noexcept {
  if (a == b)
    return true;
  while (!a.empty() || !b.empty()) {
    const std::string_view one = takePart(a), other = takePart(b);
    const bool areArrays = one != optionalStep && other != optionalStep;
    if (one != other && !(areArrays && haveSameShape(one, other)))
      return false;
  }
  return true;
}

std::string_view lastStep(std::string_view name, std::string_view structure) noexcept {
  const auto parts = std::ranges::count(name, '.');
  return std::ranges::count(structure, '.') == parts ? structure.substr(structure.rfind('.') + 1)
                                                     : std::string_view{};
}

std::string pathInModel(std::string_view path, std::string_view structure) {
  std::string declared;
  for (bool isOptional = false; !path.empty();) {
    const std::string_view part = takePart(path);
    if (!isOptional || part != optionalValue)
      declared.append(declared.empty() ? "" : ".").append(part);
    isOptional = takePart(structure) == optionalStep;
  }
  return declared;
}

std::string structureOfList(std::string_view path,
                            const std::function<std::string_view(std::string_view)>& structureOf) {
  const auto isOptionalPart = [&](std::string_view part) {
    const std::string_view presence = structureOf(joined(part, ".", optionalPresence));
    return presence.ends_with(optionalStep) &&
           std::ranges::count(presence, '.') == std::ranges::count(part, '.');
  };
  std::string steps;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos;
       dot = path.find('.', dot + 1)) {
    const std::string_view rest = path.substr(dot + 1);
    if (rest.substr(0, rest.find('.')) == optionalValue && isOptionalPart(path.substr(0, dot)))
      steps += optionalStep;
    steps += '.';
  }
  steps.erase(steps.find_last_not_of('.') + 1);
  return steps;
}

std::string joinSteps(std::string_view outer, std::string_view inner) {
  std::string steps = std::string(outer).append(".").append(inner);
  steps.erase(steps.find_last_not_of('.') + 1);
  return steps;
}

std::string_view structureMistake(std::string_view path, std::string_view structure, Scalar type,
                                  std::uint32_t extent) noexcept {
  if (structure.ends_with('.') ||
      std::ranges::count(structure, '.') > std::ranges::count(path, '.'))
    return "has another number of steps than its name has parts";
  while (!structure.empty()) {
    const std::string_view step = takePart(structure);
    (void)takePart(path);
    const std::string_view next = path.substr(0, path.find('.'));
    if (step == optionalStep) {
      const bool isPresence = next == optionalPresence && next.size() == path.size();
      if (next != optionalValue && !(isPresence && type == Scalar::Bool && extent == 1))
        return "has an optional that is neither its value nor its presence";
    } else if (const auto elements = productOf(step); !elements) {
      return "has an unknown step";
    } else if (path.empty() && !step.empty() && *elements != extent) {
      return "has a shape of another number of values";
    } else if (!path.empty() && !step.empty() && numberFrom(next).value_or(~0U) >= *elements) {
      return "has an array that does not have the element";
    }
  }
  return {};
}

std::vector<std::string> structuresFromNames(std::span<const NamedMember> members) {
  // The names of the parts below each path, in their order.
  std::map<std::string_view, std::vector<std::string_view>> below;
  for (const NamedMember& member : members)
    for (std::size_t dot = member.name.find('.'); dot != std::string_view::npos;
         dot = member.name.find('.', dot + 1)) {
      auto& parts = below[member.name.substr(0, dot)];
      const std::string_view rest = member.name.substr(dot + 1);
      const std::string_view part = rest.substr(0, rest.find('.'));
      if (parts.empty() || parts.back() != part)
        parts.push_back(part);
    }
  std::map<std::string_view, std::string> steps;
  for (const auto& [path, parts] : below) {
    const auto isPresence = [&, above = path](const NamedMember& member) {
      return member.type == Scalar::Bool && member.extent == 1 &&
             member.name.size() == above.size() + 1 + optionalPresence.size() &&
             member.name.starts_with(above) && member.name.ends_with(optionalPresence);
    };
    bool isArray = true;
    for (std::size_t i = 0; i < parts.size() && isArray; ++i)
      isArray = parts[i] == std::to_string(i);
    if (isArray)
      steps.emplace(path, "[~" + std::to_string(parts.size()) + "]");
    else if (parts.size() == 2 && parts[0] == optionalValue && parts[1] == optionalPresence &&
             std::ranges::any_of(members, isPresence))
      steps.emplace(path, optionalStep);
  }
  std::vector<std::string> structures;
  for (const NamedMember& member : members) {
    std::string& structure = structures.emplace_back();
    for (std::size_t dot = member.name.find('.'); dot != std::string_view::npos && !steps.empty();
         dot = member.name.find('.', dot + 1)) {
      const auto step = steps.find(member.name.substr(0, dot));
      structure.append(step == steps.end() ? "" : step->second).append(".");
    }
    structure.erase(structure.find_last_not_of('.') + 1);
  }
  return structures;
}

} // namespace kaon
