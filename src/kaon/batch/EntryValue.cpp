#include <kaon/batch/EntryValue.h>

namespace kaon {

std::string cppNameOf(ColumnType type) {
  constexpr std::string_view numbers[scalarKinds] = {
      "bool",          "std::int8_t",  "std::uint8_t",  "std::int16_t",
      "std::uint16_t", "std::int32_t", "std::uint32_t", "std::int64_t",
      "std::uint64_t", "float",        "double"};
  std::string name(numbers[static_cast<std::size_t>(type.scalar)]);
  for (unsigned level = 0; level < type.depth; ++level)
    name = "kaon::Array<" + name + ">";
  return name;
}

} // namespace kaon
