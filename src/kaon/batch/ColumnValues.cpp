#include <kaon/batch/ColumnValues.h>

namespace kaon {

std::string nameOf(ColumnType type) {
  std::string name;
  for (unsigned level = 0; level < type.depth; ++level)
    name += level == 0 ? "list of " : "lists of ";
  return name.append(nameOf(type.scalar));
}

} // namespace kaon
