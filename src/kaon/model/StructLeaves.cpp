#include <kaon/detail/model/StructLeaves.h>

#include <kaon/base/Bytes.h>

#include <cstdint>
#include <ostream>

namespace kaon::detail {
namespace {

template <class T>
void printAs(std::ostream& out, const std::byte* bytes) {
  if constexpr (sizeof(T) == 1)
    out << static_cast<int>(loadAs<T>(bytes));
  else
    out << loadAs<T>(bytes);
}

void printScalar(std::ostream& out, Scalar type, const std::byte* bytes) {
  using Print = void (*)(std::ostream&, const std::byte*);
  constexpr Print print[scalarKinds] = {
      printAs<std::uint8_t>,  printAs<std::int8_t>,  printAs<std::uint8_t>,  printAs<std::int16_t>,
      printAs<std::uint16_t>, printAs<std::int32_t>, printAs<std::uint32_t>, printAs<std::int64_t>,
      printAs<std::uint64_t>, printAs<float>,        printAs<double>};
  print[static_cast<std::size_t>(type)](out, bytes);
}

} // namespace

void printLeaf(std::ostream& out, const Leaf& leaf, const std::byte* value) {
  for (std::uint32_t i = 0; i < leaf.extent; ++i) {
    out << (i > 0 ? " " : "");
    printScalar(out, leaf.type, value + i * sizeOf(leaf.type));
  }
}

void printLeaves(std::ostream& out, std::span<const Leaf> leaves, const std::byte* begin) {
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    out << (i > 0 ? " " : "");
    printLeaf(out, leaves[i], begin + leaves[i].offset);
  }
}

} // namespace kaon::detail
