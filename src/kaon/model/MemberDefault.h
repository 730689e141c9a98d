#pragma once

#include <kaon/model/Scalar.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace kaon {

/// A C++ initialiser in a model's default: a literal, or a list of initialisers in braces. Its text
/// is a view of the model's text.
struct Initialiser {
  std::string_view literal; ///< "" for a list
  std::vector<Initialiser> list;
  [[nodiscard]] bool isList() const noexcept { return literal.empty(); }
};

/// Returns the initialisers between the outermost braces of a default: `1, {2, 3}`. Returns nothing
/// for code that only a compiler understands.
[[nodiscard]] std::optional<std::vector<Initialiser>> initialisersOf(std::string_view text);

/// Writes the value of a C++ literal as a scalar. Returns false if it is not a literal, or does not
/// fit.
[[nodiscard]] bool writeLiteral(std::string_view literal, Scalar type, std::byte* to);

/// Writes a whole number, given as its 64 bits.
void writeBits(std::uint64_t bits, Scalar type, std::byte* to);

} // namespace kaon
