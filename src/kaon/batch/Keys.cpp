#include <kaon/batch/Keys.h>

#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>

#include <concepts>
#include <cstring>
#include <type_traits>

namespace kaon {
namespace {

constexpr std::uint64_t signBit = std::uint64_t{1} << 63;

template <std::integral T>
std::uint64_t rank(T value) noexcept {
  if constexpr (std::is_signed_v<T>)
    return static_cast<std::uint64_t>(std::int64_t{value}) ^ signBit;
  else
    return value;
}

/// Calls `use(T())` with the C++ type of a key.
void withKey(Scalar type, auto use) {
  withScalar(type, [&]<class T>(T zero) {
    if constexpr (std::is_integral_v<T>)
      use(zero);
  });
}

} // namespace

std::optional<KeyLocator> findKey(const Schema& schema, std::string_view name) {
  const auto place = [&](TableNumber table, MemberNumber member) -> std::optional<KeyLocator> {
    const Member info = schema.table(table).members[member];
    if (info.extent != 1 || !isInteger(info.type))
      return std::nullopt;
    return KeyLocator{std::string(name), table, member, info.type};
  };
  const TableNumber value = schema.find(name);
  if (value != Table::none && schema.table(value).kind == TableKind::value &&
      schema.table(value).members.size() == 1)
    return place(value, 0);
  for (std::size_t dot = name.rfind('.'); dot != std::string_view::npos && dot > 0;
       dot = name.rfind('.', dot - 1)) {
    const TableNumber table = schema.findCollection(name.substr(0, dot));
    if (table == Table::none)
      continue;
    const MemberNumber member = schema.table(table).members.find(name.substr(dot + 1));
    if (member < schema.table(table).members.size())
      return place(table, member);
  }
  return std::nullopt;
}

std::uint64_t rankOf(Scalar type, const std::byte* bytes) noexcept {
  std::uint64_t all = 0;
  withKey(type, [&]<class T>(T) { all = rank(detail::loadAs<T>(bytes)); });
  return all;
}

std::optional<std::uint64_t> rankOf(Scalar type, std::int64_t number,
                                    detail::KeyBits bits) noexcept {
  const bool isUnsigned = bits == detail::KeyBits::ofKey ? type == Scalar::UInt64
                                                         : bits == detail::KeyBits::unsignedNumber;
  if (number < 0 && isUnsigned != (type == Scalar::UInt64))
    return std::nullopt; // greater than all signed numbers, or less than all unsigned ones
  std::optional<std::uint64_t> all;
  withKey(type, [&]<class T>(T) {
    const auto value = static_cast<T>(number);
    if (static_cast<std::int64_t>(value) == number)
      all = rank(value);
  });
  return all;
}

std::int64_t numberOf(Scalar type, std::uint64_t rank) noexcept {
  std::int64_t number = 0;
  withKey(type, [&]<class T>(T) {
    number = static_cast<std::int64_t>(std::is_signed_v<T> ? rank ^ signBit : rank);
  });
  return number;
}

void ranksOf(Scalar type, const ColumnView& values, std::span<std::uint64_t> ranks) noexcept {
  withKey(type, [&]<class T>(T) {
    const std::byte* value = values.base;
    for (std::uint64_t& each : ranks) {
      each = rank(detail::loadAs<T>(value));
      value += values.stride;
    }
  });
}

void valuesOf(Scalar type, std::span<const std::uint64_t> ranks, std::byte* values) noexcept {
  withKey(type, [&]<class T>(T) {
    for (const std::uint64_t each : ranks) {
      const auto value = static_cast<T>(std::is_signed_v<T> ? each ^ signBit : each);
      std::memcpy(values, &value, sizeof value);
      values += sizeof value;
    }
  });
}

std::optional<std::size_t> entryWithoutOne(std::span<const std::uint32_t> offsets) noexcept {
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
    if (offsets[i + 1] - offsets[i] != 1)
      return i;
  return std::nullopt;
}

void failNotOne(const std::string& name, const std::string& key, std::uint64_t entry,
                std::uint32_t rows) {
  fail(ErrorKind::usage, name, ": each entry must have one '", key, "' to be found by, but entry ",
       entry, " has ", rows == 0 ? "none" : std::to_string(rows));
}

} // namespace kaon
