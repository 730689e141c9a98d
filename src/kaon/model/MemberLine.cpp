#include <kaon/model/MemberLine.h>

#include <kaon/base/Error.h>
#include <kaon/base/Trim.h>

#include <charconv>
#include <cstdint>
#include <string>

namespace kaon {
namespace {

constexpr std::string_view arrayPrefix = "std::array<";

/// Cuts off a text from a mark on. Returns the text behind the mark.
std::string_view cutFrom(std::string_view& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos)
    return {};
  const std::string_view behind = text.substr(at + mark.size());
  text = trimmed(text.substr(0, at));
  return trimmed(behind);
}

/// Cuts off brackets at the end of a text. Returns the text inside.
std::string_view cutBrackets(std::string_view& text, char opening, char closing) {
  const std::size_t at = text.find(opening);
  if (!text.ends_with(closing) || at == std::string_view::npos)
    return {};
  const std::string_view inside = text.substr(at + 1, text.size() - at - 2);
  text = trimmed(text.substr(0, at));
  return trimmed(inside);
}

bool isNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Cuts off the sizes of arrays, and returns them, the outermost first.
Json::List cutSizes(std::string_view& type) {
  Json::List sizes;
  while (type.starts_with(arrayPrefix) && type.ends_with('>')) {
    const std::size_t comma = type.rfind(',');
    if (comma == std::string_view::npos)
      break;
    const std::string_view digits = trimmed(type.substr(comma + 1, type.size() - comma - 2));
    std::uint32_t size = 0;
    const char* const end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, size);
    if (error != std::errc{} || rest != end)
      break;
    sizes.emplace_back(size);
    type = trimmed(type.substr(arrayPrefix.size(), comma - arrayPrefix.size()));
  }
  return sizes;
}

} // namespace

Json memberOfLine(std::string_view line, std::string_view where) {
  std::string_view rest = trimmed(line);
  const std::string_view comment = cutFrom(rest, "//");
  const std::string_view unit = cutBrackets(rest, '[', ']');
  const std::string_view initial = cutBrackets(rest, '{', '}');
  std::size_t nameBegin = rest.size();
  while (nameBegin > 0 && isNameCharacter(rest[nameBegin - 1]))
    --nameBegin;
  const std::string_view name = rest.substr(nameBegin);
  std::string_view type = trimmed(rest.substr(0, nameBegin));
  if (name.empty() || type.empty())
    fail(ErrorKind::corrupt, where, ": '", line, "' is not a member: expected a type and a name");
  const Json::List sizes = cutSizes(type);
  Json::Entries entries{{"type", type}, {"name", name}};
  if (sizes.size() == 1)
    entries.push_back({"arraySize", sizes[0]});
  else if (!sizes.empty())
    entries.push_back({"arraySize", sizes});
  if (!initial.empty())
    entries.push_back({"default", initial});
  if (!unit.empty())
    entries.push_back({"unit", unit});
  if (!comment.empty())
    entries.push_back({"comment", comment});
  return entries;
}

std::string lineOfMember(const Json& member) {
  const auto text = [&](std::string_view key) {
    const Json* const value = member.find(key);
    const auto* const known = value ? value->as<std::string>() : nullptr;
    return known ? *known : std::string();
  };
  const auto wrap = [](const std::string& before, const std::string& part, std::string_view after) {
    return part.empty() ? "" : before + part + std::string(after);
  };
  std::string type = text("type");
  if (const Json* const optional = member.find("optional"); optional && *optional == Json(true))
    type = "std::optional<" + type + ">";
  if (const Json* const size = member.find("arraySize")) {
    const auto* const sizes = size->as<Json::List>();
    const Json::List all = sizes ? *sizes : Json::List{*size};
    for (auto each = all.rbegin(); each != all.rend(); ++each)
      type = "std::array<" + type + ", " + each->text() + ">";
  }
  return type + " " + text("name") + wrap("{", text("default"), "}") +
         wrap("[", text("unit"), "]") + wrap(" // ", text("comment"), "");
}

} // namespace kaon
