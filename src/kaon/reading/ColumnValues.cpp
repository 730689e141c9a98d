#include <kaon/detail/reading/ColumnValues.h>

namespace kaon::detail {

std::string nameOf(ColumnType type) {
  std::string name;
  for (unsigned level = 0; level < type.lists(); ++level)
    name += level == 0 ? "list of " : "lists of ";
  if (type.isText)
    return name + (type.lists() > 0 ? "strings" : "string");
  return name.append(nameOf(type.scalar));
}

} // namespace kaon::detail
