#include <kaon/reading/NamedMembers.h>

#include <kaon/base/Error.h>
#include <kaon/batch/UnreadColumns.h>
#include <kaon/model/MemberTree.h>

namespace kaon::detail {
namespace {

/// Returns the result of `find` for the schema of a source. Its errors name the source.
auto findIn(const Source& source, std::string_view name, auto find) {
  try {
    return find(source.schema());
  } catch (const Error& error) {
    fail(error.kind(), source.name(), ": ", error.what(),
         error.kind() == ErrorKind::name ? whyUnread(source, name) : "");
  }
}

} // namespace

TableMember memberNamed(const Source& source, std::string_view name) {
  return findIn(source, name, [&](const Schema& schema) { return schema.memberNamed(name); });
}

TableMember valueNamed(const Source& source, std::string_view name) {
  const auto [table, member] =
      findIn(source, name, [&](const Schema& schema) { return schema.valueNamed(name); });
  return {table, member};
}

std::vector<TableMember> membersBelow(const Source& source, std::string_view name) {
  return findIn(source, name, [&](const Schema& schema) { return schema.membersBelow(name); });
}

std::vector<TableMember> valuesBelow(const Source& source, std::string_view name) {
  const Schema& schema = source.schema();
  std::vector<TableMember> members =
      findIn(source, name, [&](const Schema& known) { return known.valuesBelow(name); });
  for (std::size_t i = 0, named = members.size(); i < named; ++i)
    for (const TableMember presence : presencesOf(schema, members[i].table, members[i].member))
      members.push_back(presence);
  return members;
}

ColumnLocator columnPlace(const Source& source, std::string_view name) {
  return findIn(source, name, [&](const Schema& schema) { return columnPlace(schema, name); });
}

} // namespace kaon::detail
