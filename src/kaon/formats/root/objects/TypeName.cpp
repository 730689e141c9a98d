#include <kaon/formats/root/objects/TypeName.h>

#include <cctype>
#include <cstddef>

namespace kaon::root {
namespace {

bool isWordCharacter(char c) noexcept {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

} // namespace

std::string normalTypeName(std::string_view name) {
  constexpr std::string_view scope = "std::", constant = "const ";
  std::string normal;
  normal.reserve(name.size());
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool isBehindWord =
        !normal.empty() && (isWordCharacter(normal.back()) || normal.back() == ':');
    if (!isBehindWord && name.substr(i).starts_with(scope)) {
      i += scope.size() - 1;
    } else if (!isBehindWord && name.substr(i).starts_with(constant)) {
      i += constant.size() - 1;
    } else if (name[i] != ' ') {
      normal += name[i];
    } else if (isBehindWord && i + 1 < name.size() && isWordCharacter(name[i + 1])) {
      normal += ' ';
    }
  }
  return normal;
}

TypeParts partsOfType(std::string_view normalName) {
  const std::size_t open = normalName.find('<');
  if (open == std::string_view::npos || !normalName.ends_with('>'))
    return {normalName, {}};
  TypeParts parts{normalName.substr(0, open), {}};
  std::size_t begin = open + 1;
  int depth = 0;
  for (std::size_t i = begin; i < normalName.size(); ++i) {
    const char c = normalName[i];
    const bool isLast = i + 1 == normalName.size();
    if (isLast || (c == ',' && depth == 0)) {
      parts.arguments.push_back(normalName.substr(begin, i - begin));
      begin = i + 1;
    }
    depth += c == '<' ? 1 : c == '>' ? -1 : 0;
  }
  return parts;
}

bool isStandardArray(std::string_view normalName) noexcept {
  return normalName.starts_with("array<");
}

} // namespace kaon::root
