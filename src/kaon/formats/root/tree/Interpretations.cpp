#include <kaon/formats/root/tree/Interpretations.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/formats/root/Interpretation.h>
#include <kaon/formats/root/objects/NumberLayout.h>
#include <kaon/formats/root/objects/TypeName.h>
#include <kaon/formats/root/tree/ShapeDecoder.h>
#include <kaon/model/Json.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace kaon::root {
namespace {

using Kind = Shape::Kind;
using Wrap = ShapePart::Wrap;

constexpr std::string_view textName = "string", headerName = "@header";
constexpr std::pair<std::string_view, Scalar> numberTypes[] = {
    {"bool", Scalar::Bool}, {"i1", Scalar::Int8},    {"u1", Scalar::UInt8},   {"i2", Scalar::Int16},
    {"u2", Scalar::UInt16}, {"i4", Scalar::Int32},   {"u4", Scalar::UInt32},  {"i8", Scalar::Int64},
    {"u8", Scalar::UInt64}, {"f4", Scalar::Float32}, {"f8", Scalar::Float64},
};

/// Returns the form of a number such as "<u4", or nothing for other texts.
std::optional<NumberLayout> formNamed(std::string_view text) noexcept {
  const bool isLittle = text.starts_with('<');
  if (isLittle || text.starts_with('>'))
    text.remove_prefix(1);
  for (const auto& [name, scalar] : numberTypes)
    if (name == text) {
      NumberLayout form;
      form.type = scalar;
      form.storedBytes = static_cast<std::uint8_t>(sizeOf(scalar));
      if (scalar == Scalar::Bool)
        form.kind = NumberLayout::Kind::boolean;
      else if (isLittle && form.storedBytes > 1)
        form.kind = NumberLayout::Kind::little;
      return form;
    }
  return std::nullopt;
}

/// Parses a description into the part of its values.
class DescriptionParser {
public:
  explicit DescriptionParser(std::string_view type) : m_place(type) {}

  ShapePart partOf(const Json& json) {
    ShapePart part;
    if (const auto* const name = json.as<std::string>())
      part.shape = simple(*name);
    else if (const auto* const list = json.as<Json::List>())
      part = listOf(*list);
    else if (const auto* const entries = json.as<Json::Entries>())
      part = recordOf(*entries);
    else
      failHere("is no type, list or members");
    return part;
  }

private:
  [[noreturn]] void failHere(const auto&... text) const {
    fail(ErrorKind::usage, "the description of '", m_place, "' ", text...);
  }

  [[nodiscard]] Shape simple(std::string_view name) const {
    Shape shape;
    if (name == textName) {
      shape.kind = Kind::text;
      return shape;
    }
    const std::optional<NumberLayout> form = formNamed(name);
    if (!form) {
      std::vector<std::string> known{std::string(textName)};
      for (const auto& [type, scalar] : numberTypes)
        known.emplace_back(type);
      failHere("has the unknown type '", name, "'", suggestion(name, known));
    }
    shape.kind = Kind::number;
    shape.form = *form;
    return shape;
  }

  ShapePart listOf(const Json::List& list) {
    if (list.empty() || list.size() > 2)
      failHere("has a list of ", list.size(), " things; write [type], or [type, length]");
    const Level level(*this, "[]");
    ShapePart part, element = partOf(list[0]);
    part.shape.kind = Kind::list;
    if (list.size() == 1)
      part.wrap = Wrap::rest;
    else if (const auto* const length = list[1].as<std::int64_t>())
      return arrayOf(std::move(element), *length);
    else if (const auto* const counter = list[1].as<std::string>())
      setCounter(part, *counter);
    else
      failHere("has a length that is no number, member or type");
    if (canBeEmpty(element))
      failHere("has a list of elements that can have no bytes");
    part.shape.parts.push_back(std::move(element));
    return part;
  }

  [[nodiscard]] ShapePart arrayOf(ShapePart element, std::int64_t length) const {
    constexpr std::int64_t mostElements = 1 << 18;
    if (length < 1 || length > mostElements)
      failHere("has an array of ", length, " elements; from 1 to ", mostElements, " are allowed");
    const auto size = static_cast<std::uint32_t>(length);
    ShapePart part;
    if (element.shape.kind == Kind::number && element.shape.extent <= mostElements / size) {
      part.shape = std::move(element.shape);
      makeArray(part.shape, size);
    } else {
      part.shape.kind = Kind::list;
      part.shape.length = size;
      part.shape.parts.push_back(std::move(element));
    }
    return part;
  }

  /// Makes a list one that has a count in front, or that another member counts.
  void setCounter(ShapePart& list, const std::string& counter) const {
    const std::optional<NumberLayout> form = formNamed(counter);
    if (form && !isInteger(form->type))
      failHere("has a count of type '", counter, "', which is no integer");
    if (form) {
      list.wrap = Wrap::prefixed;
      list.shape.form = *form;
      return;
    }
    const bool isThere =
        m_record && std::ranges::any_of(m_record->parts, [&](const ShapePart& part) {
          return part.name == counter && isWholeNumber(part.shape);
        });
    if (!isThere)
      failHere("has a list of length '", counter,
               "', but no integer with this name comes before it in the same {…}");
    list.wrap = Wrap::sized;
    list.counter = counter;
  }

  ShapePart recordOf(const Json::Entries& entries) {
    ShapePart part;
    part.wrap = Wrap::bytes;
    part.shape.kind = Kind::record;
    const Shape* const outer = std::exchange(m_record, &part.shape);
    for (const auto& [name, value] : entries) {
      const Level level(*this, name);
      if (name == headerName)
        setHeader(part, value);
      else
        addMember(part.shape, name, value);
    }
    m_record = outer;
    if (part.shape.parts.empty())
      failHere("has no members");
    return part;
  }

  void setHeader(ShapePart& record, const Json& value) const {
    if (!value.as<bool>() || !*value.as<bool>() || !record.shape.parts.empty())
      failHere("is wrong: write \"", headerName, "\": true, before all members");
    record.wrap = Wrap::framed;
  }

  void addMember(Shape& record, const std::string& name, const Json& value) {
    const bool isHidden = name.starts_with('@');
    if (name.empty() || name.find('.') != std::string::npos)
      failHere("has a name that is empty or has a dot");
    if (std::ranges::find(record.parts, name, &ShapePart::name) != record.parts.end())
      failHere("is there twice");
    if (formNamed(name))
      failHere("has the name of a type");
    ShapePart member;
    if (const auto* const skipped = value.as<std::int64_t>())
      member.shape = padding(*skipped, isHidden);
    else
      member = partOf(value);
    member.name = name;
    record.parts.push_back(std::move(member));
  }

  [[nodiscard]] Shape padding(std::int64_t bytes, bool isHidden) const {
    constexpr std::int64_t mostBytes = 1 << 24;
    if (!isHidden)
      failHere("is a number; to skip bytes, use a name that begins with '@'");
    if (bytes < 1 || bytes > mostBytes)
      failHere("skips ", bytes, " bytes; from 1 to ", mostBytes, " are allowed");
    Shape shape;
    shape.kind = Kind::padding;
    shape.extent = static_cast<std::uint32_t>(bytes);
    return shape;
  }

  /// A name inside the description, for the lifetime of this object.
  class Level {
  public:
    Level(DescriptionParser& parser, std::string_view name)
        : m_parser(parser), m_size(parser.m_place.size()) {
      constexpr int mostDepth = 32;
      if (++parser.m_depth > mostDepth)
        parser.failHere("is nested too deeply");
      parser.m_place.append(name == "[]" ? "" : ".").append(name);
    }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() {
      --m_parser.m_depth;
      m_parser.m_place.resize(m_size);
    }

  private:
    DescriptionParser& m_parser;
    std::size_t m_size;
  };

  std::string m_place;
  int m_depth = 0;
  const Shape* m_record = nullptr; // that is being parsed
};

/// The interpretations of this process.
struct InterpretationRegistry {
  std::mutex mutex; // guards `current`
  std::shared_ptr<const Interpretations> current = std::make_shared<const Interpretations>();
};

InterpretationRegistry& registry() {
  static InterpretationRegistry registry;
  return registry;
}

} // namespace

std::shared_ptr<const Interpretations> interpretations() {
  const std::lock_guard lock(registry().mutex);
  return registry().current;
}

ShapePart interpretedPart(std::string_view type, std::string_view description) {
  Json json;
  try {
    json = detail::parseJson(description, "the description");
  } catch (const Error& error) {
    fail(ErrorKind::usage, "the description of '", type, "' is not JSON: ", error.what());
  }
  return DescriptionParser(type).partOf(json);
}

void interpret(std::string_view type, std::string_view description) {
  const std::string name = normalTypeName(type);
  if (name.empty() || numberNamed(name))
    fail(ErrorKind::usage, "'", type, "' is no name of a class; kaon reads numbers by itself");
  std::optional<ShapePart> part;
  if (!description.empty())
    part = interpretedPart(name, description);
  const std::lock_guard lock(registry().mutex);
  auto changed = std::make_shared<Interpretations>(*registry().current);
  changed->erase(name);
  if (part)
    changed->emplace(name, std::move(*part));
  registry().current = std::move(changed);
}

} // namespace kaon::root
