#include <kaon/batch/NamedMembers.h>

#include <kaon/base/Error.h>
#include <kaon/batch/UnreadColumns.h>

namespace kaon {
namespace {

/// What `find` returns for the schema of a source.
auto findIn(const Source& source, std::string_view name, auto find) {
  try {
    return find(source.schema());
  } catch (const Error& error) {
    fail(error.kind(), source.name(), ": ", error.what(),
         error.kind() == ErrorKind::name ? whyUnread(source, name) : "");
  }
}

} // namespace

std::pair<std::uint32_t, std::uint32_t> memberNamed(const Source& source, std::string_view name) {
  return findIn(source, name, [&](const Schema& schema) { return schema.memberNamed(name); });
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> membersBelow(const Source& source,
                                                                  std::string_view name) {
  return findIn(source, name, [&](const Schema& schema) { return schema.membersBelow(name); });
}

ColumnPlace columnPlace(const Source& source, std::string_view name) {
  return findIn(source, name, [&](const Schema& schema) { return columnPlace(schema, name); });
}

} // namespace kaon
