#pragma once

#include <kaon/model/Scalar.h>

#include <string>
#include <string_view>

namespace kaon {

/// A builtin type of models: its scalar in files, and its C++ name, which is the type of vector
/// members' tables.
struct Builtin {
  std::string_view name; ///< as models write it: "unsigned", "int32_t"
  Scalar scalar;
  std::string_view cpp; ///< "unsigned int", "std::int32_t"
};

/// Returns the builtin type with this name; null for other names.
[[nodiscard]] const Builtin* findBuiltin(std::string_view name) noexcept;

/// Returns podio's name for the builtin type of a scalar: "float", "int32_t".
[[nodiscard]] std::string builtinName(Scalar type);

/// The type of texts.
inline constexpr std::string_view stringType = "std::string";

} // namespace kaon
