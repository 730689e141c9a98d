#include <kaon/model/Table.h>

#include <kaon/base/OptionValue.h>

#include <algorithm>
#include <array>

namespace kaon {
namespace {
constexpr std::array<std::string_view, 3> layoutNames{"split", "row", "member"};

std::uint32_t alignedTo(std::uint32_t size, std::uint32_t alignment) noexcept {
  return (size + alignment - 1) / alignment * alignment;
}

} // namespace

std::string_view layoutName(Layout layout) noexcept {
  const auto number = static_cast<std::size_t>(layout);
  return number < layoutNames.size() ? layoutNames[number] : "?";
}

Layout layoutNamed(std::string_view name) {
  return detail::optionValue<Layout>("layout", layoutNames, name);
}

std::uint32_t detail::placeMembers(std::span<MemberDefinition> members) noexcept {
  std::uint32_t end = 0, alignment = 1;
  for (MemberDefinition& member : members) {
    member.offset = alignedTo(end, sizeOf(member.type));
    end = member.offset + member.size();
    alignment = std::max(alignment, sizeOf(member.type));
  }
  return alignedTo(end, alignment);
}

codec::Element detail::elementOf(const Member& member) noexcept {
  const Scalar type = member.type;
  return {.size = sizeOf(type),
          .isFloat = kaon::isFloat(type),
          .isSigned = type == Scalar::Int8 || type == Scalar::Int16 || type == Scalar::Int32 ||
                      type == Scalar::Int64,
          .precision = member.precision};
}

TableDefinition Table::definition() const {
  TableDefinition definition{.name = std::string(name),
                             .kind = kind,
                             .layout = layout,
                             .type = std::string(type),
                             .parent = parent,
                             .rowSize = rowSize,
                             .description = std::string(description),
                             .group = std::string(group),
                             .use = use};
  for (const Member& member : members)
    definition.members.push_back(member.definition());
  return definition;
}

bool operator==(const Table& a, const Table& b) noexcept {
  return a.name == b.name && a.kind == b.kind && a.layout == b.layout && a.type == b.type &&
         a.parent == b.parent && a.rowSize == b.rowSize && a.description == b.description &&
         a.group == b.group && a.use == b.use &&
         std::equal(a.members.begin(), a.members.end(), b.members.begin(), b.members.end());
}

} // namespace kaon
