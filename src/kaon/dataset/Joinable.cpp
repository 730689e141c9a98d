#include <kaon/dataset/Joinable.h>

#include <kaon/base/Error.h>

#include <algorithm>

namespace kaon::detail {

bool hasValues(const Source& source) {
  return source.entries() > 0 &&
         std::ranges::any_of(source.schema().tables(), [](const Table& table) {
           return table.isRoot() && table.kind == TableKind::value;
         });
}

void checkJoinable(const Source& source, const Source* reference) {
  if (!reference || source.entries() == 0 || !hasValues(*reference))
    return;
  const bool isShared = std::ranges::any_of(source.schema().tables(), [&](const Table& table) {
    return table.isRoot() && reference->schema().find(table.name) != Table::none;
  });
  if (!isShared)
    fail(ErrorKind::name, source.name(), ": has none of the columns of ", reference->name());
}

} // namespace kaon::detail
