#include <kaon/model/Model.h>

#include <kaon/base/Error.h>
#include <kaon/codec/Precision.h>
#include <kaon/model/Builtin.h>
#include <kaon/model/Json.h>

#include <cmath>
#include <functional>
#include <limits>

namespace kaon {
namespace {

/// A value in the document, and its path for messages.
class DocumentNode {
public:
  DocumentNode(const Json& json, std::string_view where) : m_json(&json), m_where(where) {}

  template <class... Parts>
  [[noreturn]] void wrong(const Parts&... parts) const {
    const std::string place = path();
    fail(ErrorKind::corrupt, m_where, ": ", place, place.empty() ? "" : ": ", parts...);
  }

  /// Returns a mandatory entry.
  [[nodiscard]] DocumentNode operator[](std::string_view name) const {
    const auto value = find(name);
    if (!value)
      wrong("the entry '", name, "' is missing");
    return *value;
  }
  [[nodiscard]] std::optional<DocumentNode> find(std::string_view name) const {
    if (!m_json->as<Json::Entries>())
      wrong("expected entries by name");
    const Json* const value = m_json->find(name);
    return value ? std::optional(DocumentNode(*value, *this, name)) : std::nullopt;
  }
  [[nodiscard]] bool isEntries() const { return m_json->as<Json::Entries>() != nullptr; }
  [[nodiscard]] bool isList() const { return m_json->as<Json::List>() != nullptr; }

  [[nodiscard]] std::string text() const {
    const auto* const text = m_json->as<std::string>();
    if (!text)
      wrong("expected a text");
    return *text;
  }
  /// Returns the text of an entry; "" if the entry is missing.
  [[nodiscard]] std::string text(std::string_view name) const {
    const auto value = find(name);
    return value ? value->text() : "";
  }
  [[nodiscard]] std::string name() const {
    std::string name = (*this)["name"].text();
    if (name.empty())
      wrong("the name is empty");
    return name;
  }
  [[nodiscard]] bool truth(std::string_view name) const {
    const auto value = find(name);
    if (value && !value->m_json->as<bool>())
      value->wrong("expected true or false");
    return value && *value->m_json->as<bool>();
  }
  [[nodiscard]] std::uint32_t number(std::uint32_t least, std::uint32_t most) const {
    const auto* const number = m_json->as<std::int64_t>();
    if (!number || *number < least || *number > most)
      wrong("expected a whole number from ", least, " to ", most);
    return static_cast<std::uint32_t>(*number);
  }
  [[nodiscard]] double real() const {
    if (const auto* const whole = m_json->as<std::int64_t>())
      return static_cast<double>(*whole);
    if (const auto* const real = m_json->as<double>())
      return *real;
    wrong("expected a number");
  }
  /// Returns the bits of a whole number.
  [[nodiscard]] std::uint64_t bits() const {
    if (const auto* const number = m_json->as<std::int64_t>())
      return static_cast<std::uint64_t>(*number);
    if (const auto* const number = m_json->as<std::uint64_t>())
      return *number;
    wrong("expected a whole number of 64 bits");
  }

  template <class Restore>
  [[nodiscard]] auto list(Restore restore) const {
    const auto* const list = m_json->as<Json::List>();
    if (!list)
      wrong("expected a list");
    std::vector<std::invoke_result_t<Restore, DocumentNode>> all;
    for (std::size_t i = 0; i < list->size(); ++i)
      all.push_back(restore(DocumentNode((*list)[i], *this, i)));
    return all;
  }
  /// Returns the list of an entry; empty if the entry is missing.
  template <class Restore>
  [[nodiscard]] auto list(std::string_view name, Restore restore) const {
    const auto value = find(name);
    return value ? value->list(restore)
                 : std::vector<std::invoke_result_t<Restore, DocumentNode>>();
  }
  template <class Use>
  void forEachEntry(Use use) const {
    if (!isEntries())
      wrong("expected entries by name");
    for (const detail::JsonEntry& entry : *m_json->as<Json::Entries>())
      use(entry.name, DocumentNode(entry.value, *this, entry.name));
  }

private:
  DocumentNode(const Json& json, const DocumentNode& parent, std::string_view name)
      : m_json(&json), m_where(parent.m_where), m_parent(&parent), m_name(name) {}
  DocumentNode(const Json& json, const DocumentNode& parent, std::size_t position)
      : m_json(&json), m_where(parent.m_where), m_parent(&parent), m_position(position) {}

  /// Returns the path of the value: "datatypes[3].members[1]".
  [[nodiscard]] std::string path() const {
    if (!m_parent)
      return "";
    const std::string before = m_parent->path();
    if (m_name.empty())
      return before + "[" + std::to_string(m_position) + "]";
    return before + (before.empty() ? "" : ".") + std::string(m_name);
  }

  const Json* m_json;
  std::string_view m_where;
  const DocumentNode* m_parent = nullptr; // outlives this node
  std::string_view m_name;
  std::size_t m_position = 0;
};

constexpr std::uint32_t mostVersions = std::numeric_limits<std::int32_t>::max();
constexpr std::uint32_t mostElements = 999'999'999;
constexpr std::size_t mostDimensions = 32; // of arrays
constexpr std::size_t mostMigrations = 1000;
constexpr std::uint32_t mostDepth = 8; // levels of lists, as in python/kaon/modelgen/members.py

std::vector<std::uint32_t> shapeOf(const DocumentNode& size) {
  const auto number = [](const DocumentNode& node) { return node.number(1, mostElements); };
  if (!size.isList())
    return {number(size)};
  std::vector<std::uint32_t> shape = size.list(number);
  if (shape.size() > mostDimensions)
    size.wrong("an array of more than ", mostDimensions, " dimensions");
  std::uint64_t elements = 1;
  for (const std::uint32_t dimension : shape)
    if ((elements *= dimension) > mostElements)
      size.wrong("an array of more than ", mostElements, " elements");
  return shape;
}

Model::Member memberOf(const DocumentNode& node) {
  Model::Member member{.name = node.name(),
                       .type = node["type"].text(),
                       .shape = {},
                       .isOptional = node.truth("optional"),
                       .defaultValue = node.text("default"),
                       .unit = node.text("unit"),
                       .description = node.text("comment")};
  if (const auto size = node.find("arraySize"))
    member.shape = shapeOf(*size);
  if (const auto depth = node.find("depth"))
    member.depth = depth->number(1, mostDepth);
  return member;
}

Model::Relation relationOf(const DocumentNode& node, bool many) {
  return {node.name(), node["type"].text(), node.text("comment"), many};
}

Model::Enum enumOf(const DocumentNode& node) {
  Model::Enum enumeration{
      .name = node.name(), .description = node.text("description"), .values = {}};
  if (const auto underlying = node.find("underlying")) {
    const Builtin* const builtin = findBuiltin(underlying->text());
    if (!builtin)
      underlying->wrong("'", underlying->text(), "' is not a builtin type");
    enumeration.underlying = builtin->scalar;
  }
  enumeration.values = node.list("values", [](const DocumentNode& value) {
    return Model::Enum::Value{value.name(), value["value"].bits(), value.text("comment")};
  });
  return enumeration;
}

Model::Component componentOf(const DocumentNode& node) {
  return {node.name(), node.text("description"), node.list("members", memberOf)};
}

Model::Datatype datatypeOf(const DocumentNode& node) {
  Model::Datatype datatype{.name = node.name(),
                           .description = node.text("description"),
                           .author = node.text("author"),
                           .members = node.list("members", memberOf),
                           .vectorMembers = node.list("vectorMembers", memberOf),
                           .relations = node.list("oneToOneRelations", [](const DocumentNode& one) {
                             return relationOf(one, false);
                           })};
  for (Model::Relation& many : node.list("oneToManyRelations", [](const DocumentNode& relation) {
         return relationOf(relation, true);
       }))
    datatype.relations.push_back(std::move(many));
  return datatype;
}

Model::Interface interfaceOf(const DocumentNode& node) {
  return {node.name(), node.text("description"), node.list("members", memberOf),
          node.list("types", [](const DocumentNode& type) { return type.text(); })};
}

Model::Link linkOf(const DocumentNode& node) {
  return {node.name(), node.text("description"), node["from"].text(), node["to"].text()};
}

Precision precisionOf(const DocumentNode& node) {
  constexpr std::uint32_t mostMantissa = 51, mostSteps = 32;
  if (!node.isEntries())
    return mantissaBits(node.number(1, mostMantissa));
  const double low = node["low"].real(), high = node["high"].real();
  if (const auto step = node.find("step")) {
    if (step->real() <= 0)
      step->wrong("expected a number above 0");
    return stepsOf(low, high, step->real());
  }
  return detail::bitsIn(low, high, node["bits"].number(1, mostSteps));
}

Model::Storage storageOf(const DocumentNode& node) {
  Model::Storage storage{.datatype = node["datatype"].text(),
                         .layout = {},
                         .group = node.text("group"),
                         .precision = {}};
  if (const auto layout = node.find("layout")) {
    try {
      storage.layout = layoutNamed(layout->text());
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::name)
        throw;
      layout->wrong(error.what());
    }
  }
  if (const auto precision = node.find("precision"))
    precision->forEachEntry([&](const std::string& name, const DocumentNode& of) {
      storage.precision.push_back({name, precisionOf(of)});
    });
  return storage;
}

Model::Migration migrationOf(const DocumentNode& node) {
  const auto version = [&](std::string_view name) { return node[name].number(1, mostVersions); };
  Model::Migration migration{.type = node["type"].text(),
                             .fromVersion = version("fromVersion"),
                             .toVersion = version("toVersion"),
                             .before = {},
                             .after = {}};
  if (const auto member = node.find("renameMember")) {
    migration.before = (*member)["from"].text();
    migration.after = (*member)["to"].text();
  } else {
    migration.before = node["renameType"]["from"].text();
  }
  return migration;
}

Model modelOf(const DocumentNode& node) {
  Model model{.name = node.name(),
              .schemaVersion = node["schema_version"].number(1, mostVersions),
              .enums = node.list("enums", enumOf),
              .components = node.list("components", componentOf),
              .datatypes = node.list("datatypes", datatypeOf),
              .interfaces = node.list("interfaces", interfaceOf),
              .links = node.list("links", linkOf),
              .storage = node.list("storage", storageOf),
              .migrations = node.list("migrations", migrationOf),
              .upstream = node.list("upstream", modelOf)};
  if (model.migrations.size() > mostMigrations)
    node.wrong("more than ", mostMigrations, " migrations");
  return model;
}

} // namespace

std::uint64_t Model::Member::extent() const noexcept {
  std::uint64_t elements = 1;
  for (const std::uint32_t dimension : shape)
    elements *= dimension;
  return elements;
}

Model::Datatype Model::Link::datatype() const {
  return {.name = name,
          .description = description,
          .author = {},
          .members = {{.name = "weight",
                       .type = "float",
                       .shape = {},
                       .defaultValue = "1",
                       .unit = {},
                       .description = "of the link"}},
          .vectorMembers = {},
          .relations = {{"from", from, "where it begins"}, {"to", to, "where it ends"}}};
}

Model Model::fromJson(std::string_view text, std::string_view where) {
  const Json json = detail::parseJson(text, where);
  return modelOf(DocumentNode(json, where));
}

std::vector<const Model*> Model::whole() const {
  std::vector<const Model*> all;
  for (const Model& model : upstream)
    all.push_back(&model);
  all.push_back(this);
  return all;
}

} // namespace kaon
