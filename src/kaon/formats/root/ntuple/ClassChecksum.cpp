#include <kaon/formats/root/ntuple/ClassChecksum.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace kaon::root {
namespace {

/// Returns the type of a field with the compiler's names.
std::string trueName(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> integers{
      {{"std::int8_t", "signed char"},
       {"std::uint8_t", "unsigned char"},
       {"std::int16_t", "short"},
       {"std::uint16_t", "unsigned short"},
       {"std::int32_t", "int"},
       {"std::uint32_t", "unsigned int"},
       {"std::int64_t", "long"},
       {"std::uint64_t", "unsigned long"}}};
  constexpr std::string_view array = "std::array<";
  for (const auto& [name, known] : integers)
    if (type == name)
      return std::string(known);
  if (type == "std::string")
    return "string";
  if (!type.starts_with(array))
    return std::string(type);
  const std::size_t comma = type.rfind(',');
  return "array<" + trueName(type.substr(array.size(), comma - array.size())) +
         std::string(type.substr(comma));
}

void add(std::string_view text, std::uint32_t& sum) noexcept {
  for (const char c : text)
    sum = sum * 3 + static_cast<std::uint32_t>(c);
}

} // namespace

std::uint32_t classChecksum(const std::vector<NTupleField>& fields, const NTupleField& record) {
  std::uint32_t sum = 0;
  add(record.typeName, sum);
  for (const std::uint32_t member : record.children) {
    add(fields[member].name, sum);
    add(trueName(fields[member].typeName), sum);
  }
  return sum;
}

} // namespace kaon::root
