#include <kaon/model/Json.h>

#include <kaon/base/Error.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace kaon {
namespace {

constexpr std::size_t deepest = 100;

/// Builds a value from the events of the parser.
class JsonBuilder {
public:
  explicit JsonBuilder(std::string_view where) : m_where(where) {}

  bool null() { return add({}); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(std::int64_t value) { return add(value); }
  bool number_unsigned(std::uint64_t value) { return add(value); }
  bool number_float(double value, const std::string& text) {
    if (text.find_first_of(".eE") == std::string::npos)
      return add(Json::LongNumber{text});
    return add(value);
  }
  bool string(std::string& text) { return add(std::move(text)); }
  bool binary(nlohmann::json::binary_t& /*bytes*/) { return false; } // not in texts
  bool start_object(std::size_t /*size*/) { return open(Json::Entries()); }
  bool key(std::string& name) {
    m_open.back().names.push_back(std::move(name));
    return true;
  }
  bool end_object() {
    Open& object = m_open.back();
    std::vector<std::string_view> names(object.names.begin(), object.names.end());
    std::ranges::sort(names);
    if (const auto same = std::ranges::adjacent_find(names); same != names.end())
      wrong("the name '", *same, "' appears twice");
    Json::Entries entries;
    entries.reserve(names.size());
    for (std::size_t i = 0; i < object.values.size(); ++i)
      entries.push_back({std::move(object.names[i]), std::move(object.values[i])});
    return close(std::move(entries));
  }
  bool start_array(std::size_t /*size*/) { return open(Json::List()); }
  bool end_array() { return close(std::move(m_open.back().values)); }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::json::exception& error) {
    const std::string_view what = error.what(); // "[json.exception.parse_error.101] parse error at"
    constexpr std::size_t longest = 200;
    const std::size_t begin = what.find("] ");
    wrong(what.substr(begin == std::string_view::npos ? 0 : begin + 2, longest));
  }

  [[nodiscard]] Json take() { return std::move(m_whole); }

private:
  struct Open { // a list or an object that is not closed yet
    std::vector<std::string> names;
    Json::List values;
  };
  template <class... Parts>
  [[noreturn]] void wrong(const Parts&... parts) const {
    fail(ErrorKind::corrupt, m_where, ": is not JSON that kaon reads: ", parts...);
  }
  bool add(Json value) {
    if (m_open.empty())
      m_whole = std::move(value);
    else
      m_open.back().values.push_back(std::move(value));
    return true;
  }
  bool open(const Json& /*kind*/) {
    if (m_open.size() == deepest)
      wrong("it is nested more than ", deepest, " deep");
    m_open.emplace_back();
    return true;
  }
  bool close(Json value) {
    m_open.pop_back();
    return add(std::move(value));
  }

  std::string_view m_where;
  std::vector<Open> m_open;
  Json m_whole;
};

/// Returns a text in quotes.
std::string quoted(const std::string& text) {
  try {
    return nlohmann::json(text).dump(-1, ' ', true);
  } catch (const nlohmann::json::exception&) {
    fail(ErrorKind::type, "a text in JSON must be UTF-8");
  }
}

/// Returns a number in the fewest digits, as a decimal fraction unless it is very large or small.
std::string digitsOf(double value) {
  if (!std::isfinite(value))
    fail(ErrorKind::type, "JSON has no numbers that are not finite, such as ", value);
  const double magnitude = std::abs(value);
  const bool isPlain = magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e16);
  char digits[64];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), value,
                                 isPlain ? std::chars_format::fixed : std::chars_format::scientific)
                       .ptr;
  std::string text(digits, end);
  if (isPlain && text.find('.') == std::string::npos)
    text += ".0"; // otherwise it would be a whole number
  return text;
}

class Printer {
public:
  explicit Printer(bool isSorted) : m_isSorted(isSorted) {}

  void operator()(std::nullptr_t) { m_text += "null"; }
  void operator()(bool value) { m_text += value ? "true" : "false"; }
  void operator()(std::int64_t value) { m_text += std::to_string(value); }
  void operator()(std::uint64_t value) { m_text += std::to_string(value); }
  void operator()(const Json::LongNumber& number) { m_text += number.digits; }
  void operator()(double value) { m_text += digitsOf(value); }
  void operator()(const std::string& text) { m_text += quoted(text); }
  void operator()(const Json::List& list) {
    m_text += '[';
    for (const Json& item : list) {
      m_text += &item == list.data() ? "" : ",";
      std::visit(*this, item.value());
    }
    m_text += ']';
  }
  void operator()(const Json::Entries& entries) {
    std::vector<const detail::JsonEntry*> order;
    for (const detail::JsonEntry& entry : entries)
      order.push_back(&entry);
    if (m_isSorted)
      std::ranges::sort(order, {}, [](const detail::JsonEntry* entry) { return entry->name; });
    m_text += '{';
    for (const detail::JsonEntry* const entry : order) {
      m_text.append(entry == order.front() ? "" : ",").append(quoted(entry->name)).append(":");
      std::visit(*this, entry->value.value());
    }
    m_text += '}';
  }

  [[nodiscard]] std::string take() { return std::move(m_text); }

private:
  bool m_isSorted;
  std::string m_text;
};

std::string jsonText(const Json& value, bool isSorted) {
  Printer printer(isSorted);
  std::visit([&](const auto& plain) { printer(plain); }, value.value());
  return printer.take();
}

} // namespace

const Json* Json::find(std::string_view name) const noexcept {
  const Entries* const entries = as<Entries>();
  if (!entries)
    return nullptr;
  const auto entry = std::ranges::find(*entries, name, &detail::JsonEntry::name);
  return entry == entries->end() ? nullptr : &entry->value;
}

std::string Json::text() const { return jsonText(*this, false); }
std::string Json::sortedText() const { return jsonText(*this, true); }

Json detail::parseJson(std::string_view text, std::string_view where) {
  JsonBuilder builder(where);
  (void)nlohmann::json::sax_parse(text, &builder); // throws errors
  return builder.take();
}

} // namespace kaon
