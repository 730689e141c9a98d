#include <kaon/model/TableCheck.h>

#include <kaon/base/Joined.h>
#include <kaon/base/Utf8.h>
#include <kaon/codec/RoundTo.h>
#include <kaon/model/Datatype.h>
#include <kaon/model/OptionalRows.h>
#include <kaon/model/Structure.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kaon {
namespace {

/// Returns whether the rows of a table are strings, or characters of a string.
bool holdsText(const Table& table) noexcept {
  return table.type == VectorMember::string &&
         (table.kind == TableKind::parameter || table.kind == TableKind::vectorMember);
}

bool mayLieUnder(const Table& child, const Table& parent) noexcept {
  switch (child.kind) {
  case TableKind::text:
    return parent.kind == TableKind::parameter ||
           (parent.kind == TableKind::vectorMember && holdsText(parent) && parent.members.empty());
  case TableKind::vectorMember:
    return parent.kind == TableKind::collection ||
           ((parent.kind == TableKind::vectorMember || parent.kind == TableKind::parameter) &&
            !holdsText(parent)) ||
           (parent.kind == TableKind::value && parent.use == TableUse::none);
  default:
    return parent.kind == TableKind::collection;
  }
}

bool bearsNameOf(const Table& parent, const Table& child) noexcept {
  return child.name.starts_with(parent.name) && child.name.size() > parent.name.size() &&
         child.name[parent.name.size()] == '.';
}

bool liesUnderEntries(TableKind kind) noexcept {
  return kind == TableKind::collection || kind == TableKind::parameter || kind == TableKind::value;
}

/// Returns whether a relation has only index and collection, because its rows are copied like
/// memory.
bool hasRelationMembers(const Table& table) noexcept {
  const auto isAt = [&](MemberNumber member, Scalar type, std::uint32_t offset) {
    const Member info = table.members[member];
    return info.type == type && info.extent == 1 && info.offset == offset;
  };
  return table.members.size() == 2 && table.rowSize == 8 &&
         isAt(detail::relationIndex, Scalar::Int32, 0) &&
         isAt(detail::relationCollection, Scalar::UInt32, 4);
}

/// Returns the mistake in a tag or key, or "".
std::string checkUse(const Table& info) {
  if (info.use == TableUse::none)
    return {};
  if (info.kind == TableKind::value && isOptionalRow(info.members))
    return joined(
        "'", info.name,
        "' is a tag or key, so each entry must have it, but some entries or files lack it");
  if (info.kind != TableKind::value || info.members.size() != 1 || info.members[0].extent != 1)
    return joined("'", info.name,
                  "' must be a single value in each entry, because it is a tag or key");
  const Scalar type = info.members[0].type;
  if (has(info.use, TableUse::key) && (type == Scalar::Bool || isFloat(type)))
    return joined("'", info.name, "' is a key, but its values are not integers");
  if (has(info.use, TableUse::tag) && !info.group.empty())
    return joined("'", info.name, "' is a tag, and cannot be in a group of others");
  return {};
}

/// Returns the path of a member within the objects. For decorations, it begins with the table's own
/// name.
std::string pathOf(const Table& info, const Table* parent, std::string_view member) {
  std::string path(info.kind == TableKind::decoration && parent
                       ? info.name.substr(parent->name.size() + 1)
                       : std::string_view{});
  return path.append(path.empty() || member.empty() ? "" : ".").append(member);
}

std::string checkMembers(const Table& info, const Table* parent) {
  std::uint64_t bytes = 0;
  for (const Member& member : info.members) {
    if (!isUtf8(member.name) || !isUtf8(member.unit) || !isUtf8(member.description) ||
        !isUtf8(member.structure))
      return joined("a text of a member of '", info.name, "' is not UTF-8");
    if (static_cast<std::size_t>(member.type) >= detail::scalarKinds || member.extent == 0)
      return joined("'", info.name, ".", member.name, "' is of an unknown type");
    if (!member.structure.empty())
      if (const auto wrong = structureMistake(pathOf(info, parent, member.name), member.structure,
                                              member.type, member.extent);
          !wrong.empty())
        return joined("'", info.name, ".", member.name, "' ", wrong);
    const std::uint64_t end = member.offset + std::uint64_t{sizeOf(member.type)} * member.extent;
    if (end > info.rowSize)
      return joined("'", info.name, ".", member.name, "' lies outside its row");
    bytes += end - member.offset;
  }
  // Alignment enlarges members at most eight times. Larger rows would waste memory.
  if (info.rowSize > 8 * bytes)
    return joined("the rows of '", info.name, "' are larger than their members need");
  if ((info.kind == TableKind::oneRelation || info.kind == TableKind::manyRelation) &&
      !hasRelationMembers(info))
    return joined("relation '", info.name, "' does not have the members of one");
  return {};
}

} // namespace

std::string mistakeIn(const Table& info, const Table* parent) {
  if (info.name.empty())
    return "a table has no name";
  for (const std::string_view text : {info.name, info.type, info.description, info.group})
    if (!isUtf8(text))
      return "a text of a table is not UTF-8";
  if (static_cast<std::size_t>(info.kind) >= detail::tableKinds || info.layout > Layout::member ||
      info.use > (TableUse::tag | TableUse::key))
    return joined("table '", info.name, "' is of an unknown kind or layout");
  if (info.isRoot() != liesUnderEntries(info.kind) ||
      (!info.isRoot() && (!parent || !mayLieUnder(info, *parent))))
    return joined("table '", info.name, "' lies under a table that cannot have it");
  if (parent && !bearsNameOf(*parent, info))
    return joined("table '", info.name, "' must begin with the name of its parent, '", parent->name,
                  "', and a dot");
  if (const std::string wrong = checkUse(info); !wrong.empty())
    return wrong;
  return checkMembers(info, parent);
}

std::string precisionMistakeIn(const Table& info) {
  for (const Member& member : info.members) {
    if (static_cast<std::size_t>(member.type) >= detail::scalarKinds)
      continue; // reported elsewhere
    if (const std::string wrong = codec::check(member.precision, detail::elementOf(member));
        !wrong.empty())
      return joined("'", info.name, member.name.empty() ? "" : ".", member.name, "': ", wrong);
  }
  return {};
}

} // namespace kaon
