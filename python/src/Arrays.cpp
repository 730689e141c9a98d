#include "Arrays.h"

#include "Module.h"

#include <kaon/detail/base/LargeArray.h>

#include <limits>
#include <memory>
#include <new>

namespace nb = nanobind;
using namespace nb::literals;

namespace kaon::python {
namespace {

nb::object largeArray(Scalar type, std::size_t rows, std::size_t extent, std::size_t size) {
  if (rows > std::numeric_limits<std::ptrdiff_t>::max() / size)
    throw std::bad_alloc();
  auto memory = std::make_unique<detail::LargeArray<std::byte>>(rows * size);
  std::byte* const values = memory->data();
  const nb::capsule owner(memory.get(), [](void* held) noexcept {
    delete static_cast<detail::LargeArray<std::byte>*>(held);
  });
  (void)memory.release();
  const std::size_t shape[] = {rows, extent};
  const std::size_t dimensions = extent == 1 ? 1 : 2;
  return nb::cast(nb::ndarray<nb::numpy>(values, dimensions, shape, owner, nullptr, dtypeOf(type)));
}

} // namespace

nb::object emptyArray(Scalar type, std::size_t rows, std::size_t extent) {
  if (const std::size_t size = sizeOf(type) * extent; rows >= detail::leastLargeArray / size + 1)
    return largeArray(type, rows, extent, size);
  const nb::object shape = extent == 1 ? nb::make_tuple(rows) : nb::make_tuple(rows, extent);
  const std::string_view name = nameOf(type);
  return nb::module_::import_("numpy").attr("empty")(shape, nb::str(name.data(), name.size()));
}

nb::dlpack::dtype dtypeOf(Scalar type) {
  using enum nb::dlpack::dtype_code;
  constexpr nb::dlpack::dtype_code codes[detail::scalarKinds] = {Bool, Int, UInt, Int,   UInt, Int,
                                                                 UInt, Int, UInt, Float, Float};
  return {static_cast<std::uint8_t>(codes[static_cast<std::size_t>(type)]),
          static_cast<std::uint8_t>(sizeOf(type) * 8), 1};
}

void normaliseBools(std::span<std::byte> bools) noexcept {
  for (std::byte& value : bools)
    value = static_cast<std::byte>(value != std::byte{0});
}

void bindArrays(nb::module_& module) {
  nb::class_<TableArrays>(module, "TableArrays", "The arrays of one table.")
      .def(nb::init<nb::object, nb::object, nb::dict>(), "offsets"_a.none(), "present"_a.none(),
           "members"_a)
      .def_ro("offsets", &TableArrays::offsets)
      .def_ro("present", &TableArrays::present)
      .def_ro("members", &TableArrays::members);
}

} // namespace kaon::python
