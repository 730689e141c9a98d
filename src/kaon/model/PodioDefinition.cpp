#include <kaon/detail/model/PodioDefinition.h>

#include <kaon/base/Error.h>
#include <kaon/base/Utf8.h>
#include <kaon/model/Json.h>
#include <kaon/model/MemberLine.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <utility>

namespace kaon::detail {
namespace {

/// Makes kaon's document of one definition.
class Translation {
public:
  Translation(const Json& definition, std::string_view where)
      : m_definition(definition), m_where(where) {}

  [[nodiscard]] Json::Entries document(const ModelDefinition& model) const {
    Json::Entries entries{{"name", model.name}};
    const Json* const version = m_definition.find("schema_version");
    entries.push_back({"schema_version", version ? *version : Json(1)});
    entries.push_back({"options", options()});
    entries.push_back({"components", types("components", &Translation::component)});
    entries.push_back({"datatypes", types("datatypes", &Translation::datatype)});
    entries.push_back({"interfaces", types("interfaces", &Translation::interface)});
    entries.push_back({"links", types("links", &Translation::link)});
    entries.push_back({"storage", Json::List()});
    if (!model.version.empty())
      entries.push_back({"version", model.version});
    return entries;
  }

private:
  using Translate = Json::Entries (Translation::*)(const Json& type) const;

  [[nodiscard]] Json options() const {
    Json::Entries entries;
    const Json* const options = m_definition.find("options");
    for (const std::string_view name : {"getSyntax", "exposePODMembers"})
      if (const Json* const value = options ? options->find(name) : nullptr;
          value && value->as<bool>())
        entries.push_back({std::string(name), *value});
    const Json* const folder = options ? options->find("includeSubfolder") : nullptr;
    const std::string* const name = folder ? folder->as<std::string>() : nullptr;
    entries.push_back({"includeSubfolder", name && !name->empty()});
    return entries;
  }

  /// Returns the types under a key, each with its name first.
  [[nodiscard]] Json types(std::string_view key, Translate translate) const {
    Json::List all;
    const Json* const types = m_definition.find(key);
    const auto* const entries = types ? types->as<Json::Entries>() : nullptr;
    if (types && !entries)
      fail(ErrorKind::corrupt, m_where, ": '", key, "' must be types by name");
    if (entries)
      for (const JsonEntry& type : *entries) {
        Json::Entries translated{{"name", type.name},
                                 {"description", text(type.value, "Description")},
                                 {"author", text(type.value, "Author")}};
        std::ranges::move((this->*translate)(type.value), std::back_inserter(translated));
        all.emplace_back(std::move(translated));
      }
    return all;
  }

  [[nodiscard]] static std::string text(const Json& type, std::string_view key) {
    const Json* const value = type.find(key);
    const auto* const text = value ? value->as<std::string>() : nullptr;
    return text ? *text : "";
  }

  /// Returns the converted texts of a list; empty if the list is missing.
  template <class Make>
  [[nodiscard]] static Json::List list(const Json& type, std::string_view key, Make make) {
    Json::List all;
    const Json* const value = type.find(key);
    if (const auto* const items = value ? value->as<Json::List>() : nullptr)
      for (const Json& item : *items)
        if (const auto* const text = item.as<std::string>())
          all.push_back(make(*text));
    return all;
  }
  [[nodiscard]] Json::List members(const Json& type, std::string_view key) const {
    return list(type, key, [&](const std::string& line) { return memberOfLine(line, m_where); });
  }

  [[nodiscard]] static Json extraCode(const Json& type, std::string_view key) {
    Json::Entries entries;
    const Json* const code = type.find(key);
    for (const std::string_view part : {"includes", "declaration", "implementation"})
      if (const Json* const value = code ? code->find(part) : nullptr;
          value && value->as<std::string>())
        entries.push_back({std::string(part), *value});
    return entries;
  }

  [[nodiscard]] Json::Entries component(const Json& type) const {
    return {{"members", members(type, "Members")}, {"extraCode", extraCode(type, "ExtraCode")}};
  }

  [[nodiscard]] Json::Entries datatype(const Json& type) const {
    return {{"members", members(type, "Members")},
            {"vectorMembers", members(type, "VectorMembers")},
            {"oneToOneRelations", members(type, "OneToOneRelations")},
            {"oneToManyRelations", members(type, "OneToManyRelations")},
            {"extraCode", extraCode(type, "ExtraCode")},
            {"mutableExtraCode", extraCode(type, "MutableExtraCode")}};
  }

  [[nodiscard]] Json::Entries interface(const Json& type) const {
    return {{"members", members(type, "Members")},
            {"types", list(type, "Types", [](const std::string& name) { return Json(name); })}};
  }

  [[nodiscard]] Json::Entries link(const Json& type) const {
    return {{"from", text(type, "From")}, {"to", text(type, "To")}};
  }

  const Json& m_definition;
  std::string_view m_where;
};

struct TranslatedModel {
  Json::Entries document;
  std::set<std::string> types;  ///< the model's own types
  std::set<std::string> others; ///< types that it uses
};

const Json& entry(const Json::Entries& entries, std::string_view name) {
  return std::ranges::find(entries, name, &JsonEntry::name)->value;
}

/// Collects the texts of these keys at all levels.
void collectTexts(const Json& json, std::initializer_list<std::string_view> keys,
                  std::set<std::string>& texts) {
  if (const auto* const list = json.as<Json::List>())
    for (const Json& item : *list)
      collectTexts(item, keys, texts);
  if (const auto* const entries = json.as<Json::Entries>())
    for (const JsonEntry& each : *entries) {
      const bool isKey = std::ranges::find(keys, each.name) != keys.end();
      if (const auto* const text = each.value.as<std::string>(); text && isKey)
        texts.insert(*text);
      else
        collectTexts(each.value, keys, texts);
    }
}

TranslatedModel translate(const ModelDefinition& model, const std::string& where) {
  if (!isUtf8(model.name) || !isUtf8(model.definition))
    fail(ErrorKind::corrupt, where, ": the definition of a model is not UTF-8");
  const std::string here = where + ": model '" + model.name + "'";
  const Json definition = parseJson(model.definition, here);
  if (!definition.as<Json::Entries>())
    fail(ErrorKind::corrupt, here, ": its definition is not a JSON object");
  TranslatedModel translated{Translation(definition, here).document(model), {}, {}};
  for (const std::string_view kind : {"components", "datatypes", "interfaces", "links"}) {
    const Json& types = entry(translated.document, kind);
    for (const Json& type : *types.as<Json::List>())
      translated.types.insert(*type.find("name")->as<std::string>());
    collectTexts(types, {"type", "from", "to"}, translated.others);
  }
  return translated;
}

/// Adds a model after the models that it uses.
void addWithUpstream(const std::vector<TranslatedModel>& models, std::size_t number,
                     std::set<std::size_t>& visited, std::vector<std::size_t>& order) {
  visited.insert(number);
  for (std::size_t other = 0; other < models.size(); ++other) {
    const auto isUsed = [&](const std::string& type) {
      return models[other].types.contains(type) && !models[number].types.contains(type);
    };
    if (!visited.contains(other) && std::ranges::any_of(models[number].others, isUsed))
      addWithUpstream(models, other, visited, order);
  }
  order.push_back(number);
}

} // namespace

std::vector<ModelDatatypes::Document> modelDocuments(std::span<const ModelDefinition> models,
                                                     const std::string& where) {
  std::vector<TranslatedModel> translated;
  for (const ModelDefinition& model : models)
    translated.push_back(translate(model, where));
  std::vector<ModelDatatypes::Document> documents;
  for (std::size_t number = 0; number < models.size(); ++number) {
    std::set<std::size_t> visited;
    std::vector<std::size_t> order;
    addWithUpstream(translated, number, visited, order);
    order.pop_back(); // itself
    Json::Entries document = translated[number].document;
    Json::List others;
    for (const std::size_t other : order)
      others.emplace_back(translated[other].document);
    if (!others.empty())
      document.push_back({"upstream", std::move(others)});
    documents.push_back(
        {where + ": model '" + models[number].name + "'", Json(std::move(document)).text()});
  }
  return documents;
}

std::optional<PodioVersion> podioVersionOf(std::string_view text) {
  PodioVersion version{};
  if (text.starts_with('v'))
    text.remove_prefix(1);
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t part = 0; part < version.size(); ++part) {
    if (part > 0 && (at == end || *at++ != '.'))
      return std::nullopt;
    const auto [rest, error] = std::from_chars(at, end, version[part]);
    if (error != std::errc{})
      return std::nullopt;
    at = rest;
  }
  return at == end ? std::optional(version) : std::nullopt;
}

} // namespace kaon::detail
