#include <kaon/model/ModelStructs.h>

#include <kaon/base/Error.h>
#include <kaon/base/Joined.h>
#include <kaon/base/Suggestion.h>
#include <kaon/model/Builtin.h>
#include <kaon/model/Structure.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

namespace kaon {
namespace {

// Limits far above the size of any model, and far below costly sizes.
constexpr std::uint64_t mostLeaves = 1 << 20;
constexpr std::uint64_t mostBytes = 1 << 28;

std::uint64_t aligned(std::uint64_t offset, std::uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

std::string descriptionIn(const std::string& outer, const std::string& inner) {
  return outer.empty() || inner.empty() ? outer + inner : outer + ": " + inner;
}

/// Appends the elements of an array of arrays. Models write them one after another, or with braces
/// around each row; the outermost braces may be doubled. Returns false if a row is incomplete,
/// because later elements would take wrong places. As in python/kaon/modelgen/defaults.py.
bool flatten(std::span<const Initialiser> values, std::span<const std::uint32_t> shape,
             std::vector<Initialiser>& all, bool mayBeDoubled = true) {
  const bool isLine = shape.size() == 1;
  if (mayBeDoubled && values.size() == 1 && values[0].isList() &&
      (isLine || (!values[0].list.empty() && values[0].list[0].isList())))
    return flatten(values[0].list, shape, all, false);
  if (isLine || std::ranges::none_of(values, &Initialiser::isList)) {
    all.insert(all.end(), values.begin(), values.end());
    return true;
  }
  const auto inRow = shape.subspan(1);
  const std::uint64_t size =
      std::accumulate(inRow.begin(), inRow.end(), std::uint64_t{1}, std::multiplies{});
  return std::ranges::all_of(values, [&](const Initialiser& row) {
    const std::size_t before = all.size();
    return row.isList() && flatten(row.list, inRow, all) && all.size() - before == size;
  });
}

} // namespace

void ModelStructs::add(const Model& model) {
  for (const Model::Enum& each : model.enums)
    m_enums.try_emplace(each.name, &each);
  for (const Model::Component& component : model.components)
    m_components.try_emplace(component.name, &component);
}

const Model::Component* ModelStructs::component(std::string_view name) const {
  const auto known = m_components.find(name);
  const bool isScalar = findBuiltin(name) || m_enums.contains(name); // which takes precedence
  return isScalar || known == m_components.end() ? nullptr : known->second;
}

StructLayout ModelStructs::structOf(const std::vector<Model::Member>& members) {
  StructLayout layout;
  for (const Model::Member& member : members)
    addMember(layout, member);
  layout.defaults.resize(aligned(layout.defaults.size(), layout.alignment));
  return layout;
}

const StructLayout& ModelStructs::typeOf(std::string_view name) {
  if (const auto known = m_structs.find(name); known != m_structs.end())
    return known->second;
  const Builtin* const builtin = findBuiltin(name);
  const auto named = m_enums.find(name);
  StructLayout layout;
  if (builtin || named != m_enums.end()) {
    const Scalar scalar = builtin ? builtin->scalar : named->second->underlying;
    layout.leaves.emplace_back().type = scalar;
    layout.alignment = sizeOf(scalar);
    layout.defaults.resize(sizeOf(scalar));
  } else {
    const Model::Component* const inside = component(name);
    if (!inside) {
      std::vector<std::string> known;
      for (const auto& [each, component] : m_components)
        known.emplace_back(each);
      fail(ErrorKind::corrupt, "there is no type '", name, "'", suggestion(name, known));
    }
    constexpr std::size_t deepest = 100;
    if (std::ranges::find(m_open, name) != m_open.end() || m_open.size() == deepest)
      fail(ErrorKind::corrupt, "the component '", name, "' contains itself, or is nested too deep");
    m_open.push_back(name);
    try {
      layout = structOf(inside->members);
    } catch (...) {
      m_open.pop_back();
      throw;
    }
    m_open.pop_back();
  }
  return m_structs.emplace(name, std::move(layout)).first->second;
}

void ModelStructs::addMember(StructLayout& to, const Model::Member& member) {
  if (member.type == stringType)
    fail(ErrorKind::corrupt, "the member '", member.name, "' is a string, which no struct holds");
  if (member.depth > 0)
    fail(ErrorKind::corrupt, "the member '", member.name, "' is of lists, which no struct holds");
  const StructLayout& element = typeOf(member.type);
  const std::uint64_t begin = aligned(to.defaults.size(), element.alignment);
  const std::uint64_t size = element.size() * member.extent();
  charge(0, size);
  to.alignment = std::max(to.alignment, element.alignment);
  to.defaults.resize(begin + size);
  addLeaves(to, member, element, begin);
  if (member.isOptional) {
    to.leaves.push_back({.name = joined(member.name, ".", optionalPresence),
                         .type = Scalar::Bool,
                         .offset = static_cast<std::uint32_t>(begin + size),
                         .unit = {},
                         .description = member.description,
                         .structure = std::string(optionalStep)});
    to.defaults.push_back(std::byte{!member.defaultValue.empty()});
    to.defaults.resize(aligned(to.defaults.size(), element.alignment));
  }
  const auto values = initialisersOf(member.defaultValue);
  if (!values || !initialise(member, *values, to.defaults.data() + begin)) {
    std::fill_n(to.defaults.data() + begin, size, std::byte{});
    to.unknownDefaults.push_back(member.name);
  }
}

/// Adds the leaves of a member, or of an optional's value, which begins at `begin`.
void ModelStructs::addLeaves(StructLayout& to, const Model::Member& member,
                             const StructLayout& element, std::uint64_t begin) {
  const std::string name =
      member.isOptional ? joined(member.name, ".", optionalValue) : member.name;
  std::string steps = shapeText(member.shape);
  if (member.isOptional)
    steps = joinSteps(optionalStep, steps);
  const bool isScalar = element.leaves.size() == 1 && element.leaves[0].name.empty();
  if (isScalar) {
    charge(1, 0);
    to.leaves.push_back({name, element.leaves[0].type, static_cast<std::uint32_t>(member.extent()),
                         static_cast<std::uint32_t>(begin), member.unit, member.description,
                         std::move(steps)});
    return;
  }
  if (member.isOptional && member.shape.empty())
    steps += "."; // of the value
  if (!member.shape.empty())
    steps += "."; // of the element
  for (std::uint64_t i = 0; i < member.extent(); ++i) {
    std::string prefix = name;
    if (!member.shape.empty())
      prefix.append(".").append(std::to_string(i));
    prefix += '.';
    charge(1, prefix.size()); // also for components without leaves
    for (const StructLayout::Leaf& leaf : element.leaves) {
      const StructLayout::Leaf& added = to.leaves.emplace_back(StructLayout::Leaf{
          prefix + leaf.name, leaf.type, leaf.extent,
          static_cast<std::uint32_t>(begin + i * element.size() + leaf.offset),
          leaf.unit.empty() ? member.unit : leaf.unit,
          descriptionIn(member.description, leaf.description), joinSteps(steps, leaf.structure)});
      charge(1, added.name.size() + added.unit.size() + added.description.size());
    }
  }
}

void ModelStructs::charge(std::uint64_t leaves, std::uint64_t bytes) {
  if (leaves > mostLeaves - m_leaves || bytes > mostBytes - m_bytes)
    fail(ErrorKind::corrupt, "its structs are too large: more than ", mostLeaves, " members, or ",
         mostBytes, " bytes");
  m_leaves += leaves;
  m_bytes += bytes;
}

/// Writes the value that C++ gives a member for these initialisers. Returns false if it is unknown.
bool ModelStructs::initialise(const Model::Member& member, std::span<const Initialiser> values,
                              std::byte* to) {
  const StructLayout& element = typeOf(member.type);
  const bool isArray = !member.shape.empty();
  const bool isComponent = component(member.type) != nullptr;
  for (std::uint64_t i = 0; i < member.extent(); ++i)
    std::ranges::copy(element.defaults, to + i * element.size());
  if (isComponent && !isArray)
    return initialiseComponent(*component(member.type), values, to);
  std::vector<Initialiser> flat;
  if (member.shape.size() > 1 && !isComponent) {
    if (!flatten(values, member.shape, flat))
      return false;
    values = flat;
  } else if (isArray && values.size() == 1 && values[0].isList()) {
    values = values[0].list; // the outermost braces of an array may be doubled
  }
  if (values.size() > member.extent() ||
      (values.size() < member.extent() && !element.unknownDefaults.empty()))
    return false;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!initialiseElement(member.type, values[i], to + i * element.size()))
      return false;
  return true;
}

bool ModelStructs::initialiseElement(std::string_view type, const Initialiser& value,
                                     std::byte* to) {
  if (const Model::Component* const inside = component(type))
    return value.isList() && initialiseComponent(*inside, value.list, to);
  if (value.isList()) // {} is zero; braces around a number change nothing
    return value.list.empty() ||
           (value.list.size() == 1 && initialiseElement(type, value.list[0], to));
  if (const auto named = m_enums.find(type); named != m_enums.end()) {
    const std::string_view name = value.literal.substr(value.literal.rfind(':') + 1);
    const auto& all = named->second->values;
    const auto entry = std::ranges::find(all, name, &Model::Enum::Value::name);
    if (entry != all.end()) {
      writeBits(entry->value, named->second->underlying, to);
      return true;
    }
  }
  return writeLiteral(value.literal, typeOf(type).leaves[0].type, to);
}

bool ModelStructs::initialiseComponent(const Model::Component& component,
                                       std::span<const Initialiser> values, std::byte* to) {
  if (values.size() > component.members.size())
    return false; // C++ would look for omitted braces
  const std::vector<std::string>& unknown = typeOf(component.name).unknownDefaults;
  for (std::size_t i = values.size(); i < component.members.size(); ++i)
    if (std::ranges::find(unknown, component.members[i].name) != unknown.end())
      return false;
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Model::Member& part = component.members[i];
    if (!values[i].isList() && (this->component(part.type) || !part.shape.empty()))
      return false; // C++ would give this member several of the values
    const StructLayout& element = typeOf(part.type);
    const std::uint64_t begin = aligned(end, element.alignment);
    end = begin + element.size() * part.extent();
    const auto& given = values[i].isList() ? values[i].list : std::vector{values[i]};
    if (!initialise(part, given, to + begin))
      return false;
    if (part.isOptional) {
      to[end] = std::byte{!given.empty()}; // {} is an optional without a value
      end = aligned(end + 1, element.alignment);
    }
  }
  return true;
}

} // namespace kaon
