#include <kaon/formats/hdf5/ValueType.h>

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>

namespace kaon::hdf5 {
namespace {

hid_t plainType(Scalar type) {
  const std::array<hid_t, detail::scalarKinds> types{
      H5T_STD_U8LE,  H5T_STD_I8LE,  H5T_STD_U8LE,  H5T_STD_I16LE,  H5T_STD_U16LE, H5T_STD_I32LE,
      H5T_STD_U32LE, H5T_STD_I64LE, H5T_STD_U64LE, H5T_IEEE_F32LE, H5T_IEEE_F64LE};
  return types[static_cast<std::size_t>(type)];
}

/// The type in memory while it is being assembled.
struct MemoryType {
  Hdf5Handle type;
  ValueMember member;
  std::uint64_t size = 0;
  bool isPlain = false;
};

MemoryType ofNumber(Scalar scalar, hid_t stored) {
  const hid_t plain = plainType(scalar);
  return {Hdf5Handle(H5Tcopy(plain)),
          {.name = "", .type = scalar},
          sizeOf(scalar),
          H5Tequal(stored, plain) > 0};
}

Scalar integerOf(hid_t type) {
  const bool isSigned = H5Tget_sign(type) == H5T_SGN_2;
  switch (H5Tget_size(type)) {
  case 1:
    return isSigned ? Scalar::Int8 : Scalar::UInt8;
  case 2:
    return isSigned ? Scalar::Int16 : Scalar::UInt16;
  case 4:
    return isSigned ? Scalar::Int32 : Scalar::UInt32;
  case 8:
    return isSigned ? Scalar::Int64 : Scalar::UInt64;
  default:
    refuse("has integers that are not of 1, 2, 4 or 8 bytes");
  }
}

Scalar floatOf(hid_t type) {
  switch (H5Tget_size(type)) {
  case 2:
  case 4:
    return Scalar::Float32;
  case 8:
    return Scalar::Float64;
  default:
    refuse("has floats that are not of 2, 4 or 8 bytes");
  }
}

/// Whether the type is h5py's bool: FALSE is 0, TRUE is 1.
bool isBool(hid_t type) {
  std::int8_t no = -1, yes = -1;
  return H5Tget_size(type) == 1 && H5Tget_nmembers(type) == 2 &&
         H5Tenum_valueof(type, "FALSE", &no) >= 0 && H5Tenum_valueof(type, "TRUE", &yes) >= 0 &&
         no == 0 && yes == 1;
}

MemoryType memoryTypeOf(hid_t stored, int level);

/// Bits that have no sign: an unsigned integer.
MemoryType ofBits(hid_t stored) {
  const std::array<std::tuple<Scalar, hid_t>, 4> types{{{Scalar::UInt8, H5T_STD_B8LE},
                                                        {Scalar::UInt16, H5T_STD_B16LE},
                                                        {Scalar::UInt32, H5T_STD_B32LE},
                                                        {Scalar::UInt64, H5T_STD_B64LE}}};
  for (const auto& [scalar, plain] : types)
    if (sizeOf(scalar) == H5Tget_size(stored))
      return {Hdf5Handle(H5Tcopy(plain)),
              {.name = "", .type = scalar},
              sizeOf(scalar),
              H5Tequal(stored, plain) > 0};
  refuse("has bit fields that are not of 1, 2, 4 or 8 bytes");
}

MemoryType ofEnum(hid_t stored) {
  const Hdf5Handle base(H5Tget_super(stored));
  MemoryType type = ofNumber(integerOf(base.get()), base.get());
  if (isBool(stored))
    type.member.type = Scalar::Bool;
  return type;
}

MemoryType ofArray(hid_t stored, int level) {
  const Hdf5Handle base(H5Tget_super(stored));
  if (H5Tget_class(base.get()) == H5T_COMPOUND)
    refuse("has arrays of records");
  MemoryType type = memoryTypeOf(base.get(), level + 1);
  std::array<hsize_t, H5S_MAX_RANK> dimensions{};
  const int rank = H5Tget_array_ndims(stored);
  if (rank < 1 || H5Tget_array_dims2(stored, dimensions.data()) < 0)
    refuse("has an array whose size libhdf5 does not know");
  std::uint64_t extent = type.member.extent;
  for (int i = 0; i < rank; ++i) {
    const hsize_t length = dimensions[static_cast<std::size_t>(i)];
    if (length == 0 || length > mostValueBytes || extent > mostValueBytes / length)
      refuse("has arrays that are too large");
    extent *= length;
  }
  type.member.extent = static_cast<std::uint32_t>(extent);
  type.size = extent * sizeOf(type.member.type);
  type.type =
      Hdf5Handle(H5Tarray_create2(type.type.get(), static_cast<unsigned>(rank), dimensions.data()));
  return type;
}

MemoryType memoryTypeOf(hid_t stored, int level) {
  if (level > mostLevels)
    refuse("has types within types too deeply");
  const H5T_class_t kind = H5Tget_class(stored);
  switch (kind) {
  case H5T_INTEGER:
    return ofNumber(integerOf(stored), stored);
  case H5T_FLOAT:
    return ofNumber(floatOf(stored), stored);
  case H5T_BITFIELD:
    return ofBits(stored);
  case H5T_ENUM:
    return ofEnum(stored);
  case H5T_ARRAY:
    return ofArray(stored, level);
  default:
    refuse("is of HDF5's class " + std::string(className(stored)));
  }
}

} // namespace

std::string_view className(hid_t type) {
  const H5T_class_t number = H5Tget_class(type);
  constexpr std::array<std::string_view, 11> names{
      "integer",  "float",     "time", "string",          "bitfield", "opaque",
      "compound", "reference", "enum", "variable length", "array"};
  return number >= 0 && static_cast<std::size_t>(number) < names.size()
             ? names[static_cast<std::size_t>(number)]
             : "unknown";
}

ValueType valueTypeOf(Hdf5Handle stored) {
  MemoryType memory = memoryTypeOf(stored.get(), 0);
  const std::size_t storedSize = H5Tget_size(stored.get());
  if (!memory.type.isOpen() || memory.size > mostValueBytes || storedSize == 0 ||
      storedSize > mostValueBytes)
    refuse("has values that are too large");
  ValueType type;
  type.members = {memory.member};
  type.memory = std::move(memory.type);
  type.stored = std::move(stored);
  type.storedSize = static_cast<std::uint32_t>(storedSize);
  type.size = static_cast<std::uint32_t>(memory.size);
  type.isPlain = memory.isPlain;
  return type;
}

void widenToUInt64(ValueType& type) {
  if (type.members.size() != 1 || type.members[0].extent != 1 ||
      H5Tget_class(type.stored.get()) != H5T_INTEGER)
    refuse("is not of whole numbers");
  const MemoryType wide = ofNumber(Scalar::UInt64, type.stored.get());
  type.members = {wide.member};
  type.memory = Hdf5Handle(H5Tcopy(wide.type.get()));
  type.size = static_cast<std::uint32_t>(wide.size);
  type.isPlain = wide.isPlain;
}

Hdf5Handle typeOf(Scalar type) {
  if (type != Scalar::Bool)
    return Hdf5Handle(H5Tcopy(plainType(type)));
  Hdf5Handle both(H5Tenum_create(H5T_STD_I8LE));
  const std::int8_t no = 0, yes = 1;
  (void)H5Tenum_insert(both.get(), "FALSE", &no);
  (void)H5Tenum_insert(both.get(), "TRUE", &yes);
  return both;
}

} // namespace kaon::hdf5
