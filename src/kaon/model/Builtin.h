#pragma once

#include <kaon/model/Scalar.h>

#include <string>
#include <string_view>

namespace kaon {

/// A builtin type of models: what it is in files, and what tables of vector members call it.
struct Builtin {
  std::string_view name; ///< as models write it: "unsigned", "int32_t"
  Scalar scalar;
  std::string_view cpp; ///< "unsigned int", "std::int32_t"
};

/// Null if no builtin type has this name.
[[nodiscard]] const Builtin* findBuiltin(std::string_view name) noexcept;

/// The builtin type of a scalar, as podio names it: "float", "int32_t".
[[nodiscard]] std::string builtinName(Scalar type);

/// The type of texts.
inline constexpr std::string_view stringType = "std::string";

} // namespace kaon
