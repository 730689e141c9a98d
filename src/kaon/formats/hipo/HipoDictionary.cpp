#include <kaon/formats/hipo/HipoDictionary.h>

#include <kaon/base/Error.h>
#include <kaon/base/Trim.h>
#include <kaon/base/Utf8.h>
#include <kaon/model/Json.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <sstream>

namespace kaon::hipo {
namespace {

struct TypeLetter {
  char letter;
  Scalar type;
};
constexpr std::array<TypeLetter, 6> letters{{{'B', Scalar::Int8},
                                             {'S', Scalar::Int16},
                                             {'I', Scalar::Int32},
                                             {'L', Scalar::Int64},
                                             {'F', Scalar::Float32},
                                             {'D', Scalar::Float64}}};

std::optional<std::uint32_t> numberIn(std::string_view text) noexcept {
  std::uint32_t number = 0;
  text = trimmed(text);
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && rest == text.data() + text.size() ? std::optional(number)
                                                                   : std::nullopt;
}

/// Returns the text up to the next mark, or all, and removes it from `rest`.
std::string_view taken(std::string_view& rest, char mark) noexcept {
  const std::size_t end = rest.find(mark);
  const std::string_view head = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return head;
}

/// Sets the type from a text such as "F" or "F#16".
bool setType(std::string_view text, BankColumn& column) noexcept {
  text = trimmed(text);
  const auto type = text.empty() ? std::nullopt : columnType(text[0]);
  if (!type || (text.size() > 1 && text[1] != '#'))
    return false;
  const auto extent = text.size() > 1 ? numberIn(text.substr(2)) : std::optional(1U);
  if (!extent || *extent == 0 || *extent > mostStructureBytes)
    return false;
  column.type = *type;
  column.extent = *extent;
  return true;
}

/// Returns the fault of a bank, or "".
std::string mistakeIn(const BankDescription& bank) {
  if (bank.name.empty() || !isUtf8(bank.name))
    return "its name is empty, or not UTF-8";
  if (bank.group > std::numeric_limits<std::uint16_t>::max() ||
      bank.item > std::numeric_limits<std::uint8_t>::max())
    return "its group or item is too large";
  if (bank.columns.empty())
    return "it has no columns";
  std::uint64_t bytes = 0;
  std::vector<std::string_view> names;
  for (const BankColumn& column : bank.columns) {
    if (column.name.empty() || !isUtf8(column.name))
      return "the name of a column is empty, or not UTF-8";
    names.emplace_back(column.name);
    bytes += std::uint64_t{sizeOf(column.type)} * column.extent;
  }
  std::ranges::sort(names);
  if (std::ranges::adjacent_find(names) != names.end())
    return "two columns have the same name";
  return bytes > mostStructureBytes ? "its rows are larger than structures can be" : "";
}

/// Reads "{NAME/GROUP/ITEM}{col/T,...}". Returns false if the text has another form.
bool readShort(std::string_view text, BankDescription& bank) {
  const std::size_t open = text.find('{'), close = text.find('}');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    return false;
  const std::string_view head = text.substr(open + 1, close - open - 1);
  const std::size_t second = head.rfind('/');
  const std::size_t first =
      second == std::string_view::npos || second == 0 ? second : head.rfind('/', second - 1);
  if (first == std::string_view::npos || first == second)
    return false;
  const auto group = numberIn(head.substr(first + 1, second - first - 1));
  const auto item = numberIn(head.substr(second + 1));
  const std::size_t begin = text.find('{', close), end = text.find('}', close + 1);
  if (!group || !item || begin == std::string_view::npos || end == std::string_view::npos ||
      end < begin)
    return false;
  bank.name = trimmed(head.substr(0, first));
  bank.group = *group;
  bank.item = *item;
  std::string_view columns = trimmed(text.substr(begin + 1, end - begin - 1));
  while (!columns.empty()) {
    std::string_view type = taken(columns, ',');
    BankColumn column;
    column.name = trimmed(taken(type, '/'));
    if (!setType(type, column))
      return false;
    bank.columns.push_back(std::move(column));
  }
  return true;
}

std::string textOf(const Json& json, std::string_view name) {
  const Json* const value = json.find(name);
  const std::string* const text = value ? value->as<std::string>() : nullptr;
  return text ? std::string(trimmed(*text)) : std::string();
}

/// Reads the description in JSON. Returns false if it has another form.
bool readJson(const Json& json, BankDescription& bank) {
  const auto number = [&](std::string_view name) {
    const Json* const value = json.find(name);
    const auto* const integer = value ? value->as<std::int64_t>() : nullptr;
    return integer && *integer >= 0 && *integer <= std::numeric_limits<std::uint16_t>::max()
               ? std::optional(static_cast<std::uint32_t>(*integer))
               : std::nullopt;
  };
  const auto group = number("group"), item = number("item");
  const Json* const entries = json.find("entries");
  const Json::List* const columns = entries ? entries->as<Json::List>() : nullptr;
  if (!group || !item || !columns)
    return false;
  bank.name = textOf(json, "name");
  bank.group = *group;
  bank.item = *item;
  bank.description = textOf(json, "info");
  for (const Json& entry : *columns) {
    BankColumn column;
    column.name = textOf(entry, "name");
    column.description = textOf(entry, "info");
    if (!setType(textOf(entry, "type"), column))
      return false;
    bank.columns.push_back(std::move(column));
  }
  return true;
}

/// Returns the bank from its JSON description. Returns nothing if it is invalid, as in files of
/// some writers.
std::optional<BankDescription> fromJson(std::string_view text) {
  BankDescription bank;
  try {
    if (readJson(detail::parseJson(text, "dictionary"), bank))
      return bank;
  } catch (const Error&) { // the short text has the same information
  }
  return std::nullopt;
}

/// Copies descriptions, which only the JSON has, by the names of columns.
void takeDescriptions(const BankDescription& from, BankDescription& bank) {
  bank.description = from.description;
  for (std::size_t i = 0; i < std::min(from.columns.size(), bank.columns.size()); ++i)
    if (from.columns[i].name == bank.columns[i].name)
      bank.columns[i].description = from.columns[i].description;
}

void addBank(std::string_view shortText, std::string_view json, HipoDictionary& dictionary) {
  BankDescription bank;
  const bool isShort = !shortText.empty() && readShort(shortText, bank);
  const std::optional<BankDescription> described =
      json.empty() ? std::nullopt : fromJson(trimmed(json.substr(0, json.find('\0'))));
  if (isShort && described)
    takeDescriptions(*described, bank);
  else if (described)
    bank = *described;
  const std::string mistake =
      isShort || described ? mistakeIn(bank) : "its description has an unknown form";
  if (mistake.empty())
    dictionary.banks.push_back(std::move(bank));
  else
    dictionary.refused.push_back({std::string(shortText.empty() ? json : shortText), mistake});
}

/// Returns the type as text: "F", "F#16".
std::string typeText(const BankColumn& column) {
  std::string text(1, columnLetter(column.type));
  if (column.extent > 1)
    text.append("#").append(std::to_string(column.extent));
  return text;
}

} // namespace

std::optional<Scalar> columnType(char letter) noexcept {
  const auto known = std::ranges::find(letters, letter, &TypeLetter::letter);
  return known == letters.end() ? std::nullopt : std::optional(known->type);
}

char columnLetter(Scalar type) noexcept {
  const auto known = std::ranges::find(letters, type, &TypeLetter::type);
  return known == letters.end() ? '\0' : known->letter;
}

void readDictionaryEvent(std::span<const std::byte> event, bool isSwapped,
                         HipoDictionary& dictionary) {
  std::string_view json, brief, key, value, tagNames;
  const bool isWhole = forStructures(event, isSwapped, [&](const Structure& structure) {
    switch (structure.key) {
    case jsonKey:
      json = structure.text();
      break;
    case shortKey:
      brief = structure.text();
      break;
    case tagNamesKey:
      tagNames = structure.text();
      break;
    case configurationKey:
      key = structure.text();
      break;
    case configurationValue:
      value = structure.text();
      break;
    default:
      break;
    }
  });
  // Next to a piece of the configuration there is at most a bank without columns.
  if (key.empty() && (!json.empty() || !brief.empty()))
    addBank(brief, json, dictionary);
  if (!key.empty() && isUtf8(key) && isUtf8(value))
    dictionary.configuration.emplace_back(key, value);
  if (isUtf8(tagNames) && !tagNames.empty())
    dictionary.tagNames = trimmed(tagNames);
  if (!isWhole)
    dictionary.refused.push_back({"an event of the dictionary", "it is damaged"});
}

std::string shortText(const BankDescription& bank) {
  std::ostringstream text;
  text << '{' << bank.name << '/' << bank.group << '/' << bank.item << "}{";
  for (const BankColumn& column : bank.columns)
    text << (&column == bank.columns.data() ? "" : ",") << column.name << '/' << typeText(column);
  text << '}';
  return text.str();
}

std::string jsonText(const BankDescription& bank) {
  const auto quoted = [](const std::string& text) {
    return Json(text.empty() ? " " : text).text();
  };
  std::ostringstream text;
  text << R"({ "name": )" << quoted(bank.name) << R"(, "group": )" << bank.group << R"(, "item": )"
       << bank.item << R"(, "info": )" << quoted(bank.description) << R"(,"entries": [ )";
  for (const BankColumn& column : bank.columns)
    text << (&column == bank.columns.data() ? "" : ", ") << R"({"name":)" << quoted(column.name)
         << R"(, "type":)" << quoted(typeText(column)) << R"(, "info":)"
         << quoted(column.description) << '}';
  text << "] }";
  return text.str();
}

} // namespace kaon::hipo
