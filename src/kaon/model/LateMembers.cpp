#include <kaon/model/LateMembers.h>

#include <kaon/base/Error.h>
#include <kaon/model/Structure.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

namespace kaon {
namespace {

template <class Things>
auto findCalled(Things& things, std::string_view name) {
  const auto place =
      std::ranges::find_if(things, [&](const auto& thing) { return thing.name == name; });
  return place == std::ranges::end(things) ? nullptr : &*place;
}

template <class... Parts>
[[noreturn]] void failChanged(const TableDefinition& collection, const Parts&... what) {
  fail(ErrorKind::usage, "'", collection.name, "' was written with another version of ",
       collection.type, ", in which ", what...,
       "; you can append only new members: first convert the file to the new model with kaon "
       "convert --model");
}

std::string text(const MemberDefinition& member) {
  const std::string shape(lastStep(member.name, member.structure));
  return std::string(nameOf(member.type)) +
         (shape.empty() && member.extent > 1 ? " * " + std::to_string(member.extent) : shape);
}

void checkMember(const TableDefinition& collection, const TableDefinition& table,
                 const MemberDefinition& had, const MemberDefinition* has) {
  const std::string name = had.name.empty() ? table.name : table.name + "." + had.name;
  if (!has)
    failChanged(collection, "'", name, "' exists");
  if (has->type != had.type || has->extent != had.extent ||
      !structuresAgree(has->structure, had.structure))
    failChanged(collection, "'", name, "' is ", text(had), ", not ", text(*has));
}

/// Throws Error(usage) unless a table still has all that the file has of it.
void checkKept(const TableDefinition& collection, const TableDefinition& had,
               const TableDefinition* has) {
  if (!has || has->kind != had.kind)
    failChanged(collection, "'", had.name, "' exists");
  if (has->type != had.type)
    failChanged(collection, "'", had.name, "' is of ", had.type, ", not of ", has->type);
  for (const MemberDefinition& member : had.members)
    checkMember(collection, had, member, findCalled(has->members, member.name));
  if (&had != &collection && has->members.size() != had.members.size())
    failChanged(collection, "elements of '", had.name, "' have fewer members");
}

/// Returns the value that all elements of a default have. Throws Error(usage) if they differ.
std::uint64_t missingOf(const MemberDefinition& member, std::string_view name,
                        std::span<const std::byte> defaults) {
  const std::size_t size = sizeOf(member.type);
  const auto value = defaults.subspan(member.offset, size);
  for (std::uint32_t i = 1; i < member.extent; ++i)
    if (!std::ranges::equal(value, defaults.subspan(member.offset + i * size, size)))
      fail(ErrorKind::usage, "'", name,
           "' is new, and its default differs from element to element, ",
           "which earlier objects cannot have: first convert the file to the new model with kaon "
           "convert --model");
  std::uint64_t missing = 0;
  std::memcpy(&missing, value.data(), size);
  return missing;
}

} // namespace

void addLateMembers(std::vector<TableDefinition>& tables, std::span<const TableDefinition> known,
                    std::span<const std::byte> defaults) {
  const TableDefinition root = tables.front();
  for (const TableDefinition& had : known) {
    if (had.kind == TableKind::decoration)
      continue;
    TableDefinition* const has = findCalled(tables, had.name);
    checkKept(known.front(), had, has);
    const std::uint32_t place = has->parent;
    *has = had;
    has->parent = place;
  }
  for (const MemberDefinition& member : root.members) {
    if (findCalled(known.front().members, member.name))
      continue;
    TableDefinition late{.name = root.name + "." + member.name,
                         .kind = TableKind::decoration,
                         .layout = known.front().layout,
                         .type = std::string(nameOf(member.type)),
                         .parent = 0,
                         .rowSize = member.size(),
                         .members = {member},
                         .description = member.description};
    late.members.front().name.clear();
    late.members.front().offset = 0;
    if (const TableDefinition* const had = findCalled(known, late.name)) {
      if (had->kind != TableKind::decoration || had->members.size() != 1)
        failChanged(known.front(), "'", late.name, "' is not a member");
      checkMember(known.front(), *had, had->members.front(), &late.members.front());
      late = *had;
      late.parent = 0;
    } else {
      late.members.front().missing = missingOf(member, late.name, defaults);
    }
    tables.push_back(std::move(late));
  }
}

std::vector<TableDefinition> definitionsUnder(const Schema& schema, TableNumber root) {
  std::vector<TableDefinition> tables;
  std::vector<std::uint32_t> numbers;
  for (const TableNumber number : schema.tablesUnder(root)) {
    TableDefinition& table = tables.emplace_back(schema.table(number).definition());
    if (number != root)
      table.parent =
          static_cast<std::uint32_t>(std::ranges::find(numbers, table.parent) - numbers.begin());
    numbers.push_back(number);
  }
  return tables;
}

} // namespace kaon
