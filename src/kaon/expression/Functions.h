#pragma once

#include <kaon/expression/Binder.h>

#include <cstddef>
#include <span>
#include <string_view>

namespace kaon::expression {

/// A function that expressions can call.
struct Function {
  std::string_view name;
  std::size_t least, most;                 ///< how many arguments it takes
  Meaning (Binder::*meaning)(const Call&); ///< what finds out what a call of it means
  Operation operation = Operation::constant;
};

/// All of them.
[[nodiscard]] std::span<const Function> functions();

} // namespace kaon::expression
