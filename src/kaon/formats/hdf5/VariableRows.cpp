#include <kaon/formats/hdf5/VariableRows.h>

#include <kaon/base/Error.h>

#include <utility>

namespace kaon::hdf5 {
namespace {

VariableRows::Form formOfText(hid_t type) {
  if (H5Tis_variable_str(type) > 0)
    return VariableRows::Form::heap;
  switch (H5Tget_strpad(type)) {
  case H5T_STR_SPACEPAD:
    return VariableRows::Form::blanks;
  case H5T_STR_NULLPAD:
    return VariableRows::Form::padded;
  default:
    return VariableRows::Form::terminated;
  }
}

} // namespace

std::optional<VariableRows> variableRowsOf(hid_t type) {
  const H5T_class_t kind = H5Tget_class(type);
  if (kind == H5T_STRING) {
    const VariableRows::Form form = formOfText(type);
    const auto size = static_cast<std::uint32_t>(H5Tget_size(type));
    return VariableRows{form, true, Scalar::UInt8,
                        form == VariableRows::Form::heap ? heapPlaceBytes : size};
  }
  if (kind == H5T_REFERENCE && H5Tequal(type, H5T_STD_REF_OBJ) > 0)
    return VariableRows{VariableRows::Form::object, true, Scalar::UInt8, sizeof(hobj_ref_t)};
  if (kind != H5T_VLEN)
    return std::nullopt;
  const ValueType element = valueTypeOf(Hdf5Handle(H5Tget_super(type)));
  if (!element.isPlain || element.members[0].extent != 1)
    fail(ErrorKind::type, "is of lists of ", className(element.stored.get()),
         " values; kaon reads lists of numbers, little-endian");
  return VariableRows{VariableRows::Form::heap, false, element.members[0].type, heapPlaceBytes};
}

ValueType storedBytesOf(const VariableRows& rows, Hdf5Handle type) {
  ValueType bytes;
  bytes.storedSize = bytes.size = rows.size;
  bytes.members = {{.name = "", .type = Scalar::UInt8, .extent = bytes.size}};
  bytes.isPlain = true;
  bytes.memory = Hdf5Handle(H5Tcopy(type.get()));
  bytes.stored = std::move(type);
  return bytes;
}

} // namespace kaon::hdf5
