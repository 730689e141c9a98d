#include <kaon/batch/ObjectJson.h>

#include <kaon/base/Error.h>
#include <kaon/base/Utf8.h>
#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace kaon::detail {
namespace {

// The bytes of numbers are stored as they are in memory.
static_assert(std::endian::native == std::endian::little);

constexpr std::string_view base64Digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr unsigned bitsOfDigit = 6, digitsOfGroup = 4, bytesOfGroup = 3, bitsOfByte = 8;

/// Returns bytes in base64 (RFC 4648) with padding.
std::string toBase64(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve((bytes.size() + bytesOfGroup - 1) / bytesOfGroup * digitsOfGroup);
  for (std::size_t first = 0; first < bytes.size(); first += bytesOfGroup) {
    const std::size_t count = std::min<std::size_t>(bytesOfGroup, bytes.size() - first);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < bytesOfGroup; ++i)
      group =
          group << bitsOfByte | (i < count ? std::to_integer<std::uint32_t>(bytes[first + i]) : 0);
    for (unsigned i = 0; i < digitsOfGroup; ++i)
      text +=
          i <= count ? base64Digits[group >> (bitsOfDigit * (digitsOfGroup - 1 - i)) & 0x3F] : '=';
  }
  return text;
}

/// Returns the bytes of a text in base64, or nothing if it is not base64.
std::optional<std::vector<std::byte>> fromBase64(std::string_view text) {
  if (text.size() % digitsOfGroup != 0)
    return std::nullopt;
  static constexpr std::uint8_t none = 0xFF;
  static const auto values = [] {
    std::array<std::uint8_t, 256> all{};
    all.fill(none);
    for (std::size_t i = 0; i < base64Digits.size(); ++i)
      all[static_cast<unsigned char>(base64Digits[i])] = static_cast<std::uint8_t>(i);
    return all;
  }();
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / digitsOfGroup * bytesOfGroup);
  for (std::size_t first = 0; first < text.size(); first += digitsOfGroup) {
    std::uint32_t group = 0;
    for (std::size_t i = first; i < first + digitsOfGroup; ++i) {
      const bool isPadding = i >= text.size() - padding;
      const std::uint8_t value = isPadding ? 0 : values[static_cast<unsigned char>(text[i])];
      if (value == none)
        return std::nullopt;
      group = group << bitsOfDigit | value;
    }
    for (unsigned i = 0; i < bytesOfGroup; ++i)
      bytes.push_back(static_cast<std::byte>(group >> (bitsOfByte * (bytesOfGroup - 1 - i))));
  }
  bytes.resize(bytes.size() - padding);
  return bytes;
}

std::optional<Scalar> scalarOfName(std::string_view name) noexcept {
  for (std::size_t i = 0; i < scalarKinds; ++i)
    if (nameOf(static_cast<Scalar>(i)) == name)
      return static_cast<Scalar>(i);
  return std::nullopt;
}

Json entryOf(std::string_view name, Json value) {
  return Json::Entries{{std::string(name), std::move(value)}};
}

/// Returns a number; NaN and infinities, which JSON lacks, by name.
Json jsonOfFloat(double number) {
  if (std::isfinite(number))
    return number;
  return entryOf("float", std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
}

Json jsonOf(const ObjectValue& value) {
  return std::visit(
      [](const auto& is) -> Json {
        using T = std::decay_t<decltype(is)>;
        if constexpr (std::is_same_v<T, std::monostate>) {
          return nullptr;
        } else if constexpr (std::is_same_v<T, std::string>) {
          return jsonOfText(is);
        } else if constexpr (std::is_same_v<T, double>) {
          return jsonOfFloat(is);
        } else if constexpr (std::is_same_v<T, ObjectNumbers>) {
          return entryOf(nameOf(is.type), toBase64(is.bytes));
        } else if constexpr (std::is_same_v<T, ObjectPart>) {
          return entryOf("part", is.number);
        } else if constexpr (std::is_same_v<T, std::vector<ObjectValue>>) {
          Json::List items;
          for (const ObjectValue& item : is)
            items.push_back(jsonOf(item));
          return items;
        } else {
          return is;
        }
      },
      value.is);
}

/// Reads an object from JSON.
class ObjectReader {
public:
  explicit ObjectReader(std::string_view where) : m_where(where) {}

  ObjectTree read(const Json& json) {
    const auto* const parts = entry(json, "parts").as<Json::List>();
    if (!parts)
      failHere("its parts are not a list");
    m_parts = parts->size();
    ObjectTree tree;
    for (const Json& part : *parts)
      tree.parts.push_back(partFrom(part));
    tree.root = valueFrom(entry(json, "value"));
    return tree;
  }

private:
  [[noreturn]] void failHere(std::string_view fault) const {
    fail(ErrorKind::corrupt, m_where, ": ", fault);
  }
  [[nodiscard]] const Json& entry(const Json& json, std::string_view name) const {
    const Json* const found = json.find(name);
    if (!found)
      failHere("an entry '" + std::string(name) + "' is missing");
    return *found;
  }
  [[nodiscard]] std::string textFrom(const Json& json) const {
    const ObjectValue value = valueFrom(json);
    const auto* const text = std::get_if<std::string>(&value.is);
    if (!text)
      failHere("a name is not a text");
    return *text;
  }

  [[nodiscard]] DescribedObject partFrom(const Json& json) const {
    DescribedObject part;
    part.type = textFrom(entry(json, "class"));
    if (const Json* const failure = json.find("failure"))
      part.failure = textFrom(*failure);
    const auto* const members = entry(json, "members").as<Json::List>();
    if (!members)
      failHere("the members of a part are not a list");
    for (const Json& member : *members) {
      constexpr std::size_t fields = 3;
      const auto* const three = member.as<Json::List>();
      if (!three || three->size() != fields)
        failHere("a member is not a list of a class, a name and a value");
      part.members.push_back(
          {textFrom((*three)[0]), textFrom((*three)[1]), valueFrom((*three)[2])});
    }
    return part;
  }

  [[nodiscard]] ObjectValue valueFrom(const Json& json) const {
    return std::visit(
        [&](const auto& is) -> ObjectValue {
          using T = std::decay_t<decltype(is)>;
          if constexpr (std::is_same_v<T, std::nullptr_t>) {
            return {};
          } else if constexpr (std::is_same_v<T, Json::List>) {
            std::vector<ObjectValue> items;
            for (const Json& item : is)
              items.push_back(valueFrom(item));
            return {std::move(items)};
          } else if constexpr (std::is_same_v<T, Json::Entries>) {
            if (is.size() != 1)
              failHere("a value has several entries");
            return namedFrom(is[0].name, is[0].value);
          } else if constexpr (std::is_same_v<T, Json::LongNumber>) {
            failHere("a number has more than 64 bits");
          } else {
            return {is};
          }
        },
        json.value());
  }

  /// Reads a value that JSON has no form for.
  [[nodiscard]] ObjectValue namedFrom(const std::string& name, const Json& json) const {
    if (name == "part") {
      const auto* const number = json.as<std::int64_t>();
      if (!number || *number < 0 || static_cast<std::uint64_t>(*number) >= m_parts)
        failHere("a value is a part that the object lacks");
      return {ObjectPart{static_cast<std::size_t>(*number)}};
    }
    const auto* const text = json.as<std::string>();
    if (!text)
      failHere("a value of the kind '" + name + "' is not a text");
    if (name == "float") {
      constexpr double infinite = std::numeric_limits<double>::infinity();
      return {*text == "nan" ? std::numeric_limits<double>::quiet_NaN()
                             : (*text == "-inf" ? -infinite : infinite)};
    }
    std::optional<std::vector<std::byte>> bytes = fromBase64(*text);
    if (!bytes)
      failHere("a value is not in base64");
    if (name == "bytes")
      return {std::string(detail::valuesAt<char>(bytes->data()), bytes->size())};
    const std::optional<Scalar> type = scalarOfName(name);
    if (!type || bytes->size() % sizeOf(*type) != 0 ||
        (*type == Scalar::Bool &&
         std::ranges::any_of(*bytes, [](std::byte byte) { return byte > std::byte{1}; })))
      failHere("a value is of the kind '" + name + "', or has another size");
    return {ObjectNumbers{*type, std::move(*bytes)}};
  }

  std::string m_where;
  std::size_t m_parts = 0;
};

} // namespace

Json jsonOfText(std::string_view text) {
  return isUtf8(text) ? Json(text) : entryOf("bytes", toBase64(std::as_bytes(std::span(text))));
}

Json toJson(const ObjectTree& object) {
  Json::List parts;
  for (const DescribedObject& part : object.parts) {
    Json::List members;
    for (const DescribedObject::Member& member : part.members)
      members.push_back(
          Json::List{jsonOfText(member.owner), jsonOfText(member.name), jsonOf(member.value)});
    Json::Entries entries{{"class", jsonOfText(part.type)}};
    if (!part.failure.empty())
      entries.push_back({"failure", jsonOfText(part.failure)});
    entries.push_back({"members", std::move(members)});
    parts.emplace_back(std::move(entries));
  }
  return Json::Entries{{"value", jsonOf(object.root)}, {"parts", std::move(parts)}};
}

ObjectTree objectFrom(const Json& json, std::string_view where) {
  return ObjectReader(where).read(json);
}

} // namespace kaon::detail
