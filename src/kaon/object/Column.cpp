#include <kaon/detail/object/Column.h>

namespace kaon::detail {

std::uint32_t leafAt(const Datatype& type, std::size_t offset) {
  for (std::uint32_t i = 0; i < type.leaves.size(); ++i)
    if (type.leaves[i].offset == offset)
      return i;
  fail(ErrorKind::usage, "no value of ", type.name, " begins at byte ", offset);
}

} // namespace kaon::detail
