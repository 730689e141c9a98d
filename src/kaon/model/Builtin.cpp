#include <kaon/model/Builtin.h>

#include <algorithm>

namespace kaon {
namespace {

// Equal to the table in python/kaon/modelgen/scalars.py.
constexpr Builtin builtins[] = {{"bool", Scalar::Bool, "bool"},
                                {"char", Scalar::Int8, "char"},
                                {"signed char", Scalar::Int8, "signed char"},
                                {"unsigned char", Scalar::UInt8, "unsigned char"},
                                {"short", Scalar::Int16, "short"},
                                {"unsigned short", Scalar::UInt16, "unsigned short"},
                                {"int", Scalar::Int32, "int"},
                                {"unsigned", Scalar::UInt32, "unsigned int"},
                                {"unsigned int", Scalar::UInt32, "unsigned int"},
                                {"long", Scalar::Int64, "std::int64_t"},
                                {"unsigned long", Scalar::UInt64, "std::uint64_t"},
                                {"long long", Scalar::Int64, "long long"},
                                {"unsigned long long", Scalar::UInt64, "unsigned long long"},
                                {"float", Scalar::Float32, "float"},
                                {"double", Scalar::Float64, "double"},
                                {"int8_t", Scalar::Int8, "std::int8_t"},
                                {"uint8_t", Scalar::UInt8, "std::uint8_t"},
                                {"int16_t", Scalar::Int16, "std::int16_t"},
                                {"uint16_t", Scalar::UInt16, "std::uint16_t"},
                                {"int32_t", Scalar::Int32, "std::int32_t"},
                                {"uint32_t", Scalar::UInt32, "std::uint32_t"},
                                {"int64_t", Scalar::Int64, "std::int64_t"},
                                {"uint64_t", Scalar::UInt64, "std::uint64_t"}};

} // namespace

const Builtin* findBuiltin(std::string_view name) noexcept {
  if (name.starts_with("std::") && name.ends_with("_t"))
    name.remove_prefix(5);
  const auto builtin = std::ranges::find(builtins, name, &Builtin::name);
  return builtin == std::end(builtins) ? nullptr : &*builtin;
}

std::string builtinName(Scalar type) {
  if (type == Scalar::Bool)
    return "bool";
  if (isFloat(type))
    return type == Scalar::Float32 ? "float" : "double";
  return std::string(nameOf(type)) + "_t";
}

} // namespace kaon
