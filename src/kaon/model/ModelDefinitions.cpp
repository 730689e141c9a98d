#include <kaon/detail/model/ModelDefinitions.h>

#include <kaon/model/Builtin.h>
#include <kaon/model/Json.h>
#include <kaon/model/MemberLine.h>
#include <kaon/model/Model.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace kaon::detail {
namespace {

using Enums = std::map<std::string, Model::Enum, std::less<>>;

std::string textOf(const Json& json, std::string_view key) {
  const Json* const value = json.find(key);
  const auto* const text = value ? value->as<std::string>() : nullptr;
  return text ? *text : "";
}

const Json::List& listOf(const Json& json, std::string_view key) {
  static const Json::List none;
  const Json* const value = json.find(key);
  const auto* const list = value ? value->as<Json::List>() : nullptr;
  return list ? *list : none;
}

/// Makes podio's definition of one model.
class Definition {
public:
  Definition(const Json& document, const Enums& enums) : m_document(document), m_enums(enums) {}

  [[nodiscard]] Json::Entries entries() const {
    const Json* const version = m_document.find("schema_version");
    return {{"options", options()},
            {"schema_version", version ? *version : Json(1)},
            {"components", types("components", &Definition::component)},
            {"datatypes", types("datatypes", &Definition::datatype)},
            {"interfaces", types("interfaces", &Definition::interface)},
            {"links", types("links", &Definition::link)}};
  }

private:
  using Translate = Json::Entries (Definition::*)(const Json& type) const;

  /// Returns the options. podio states the subfolder's name, kaon only its existence.
  [[nodiscard]] Json options() const {
    const Json* const options = m_document.find("options");
    const auto isSet = [&](std::string_view name) {
      const Json* const value = options ? options->find(name) : nullptr;
      return value && *value == Json(true);
    };
    const std::string folder = isSet("includeSubfolder") ? textOf(m_document, "name") + "/" : "";
    return Json::Entries{{"getSyntax", isSet("getSyntax")},
                         {"exposePODMembers", isSet("exposePODMembers")},
                         {"includeSubfolder", folder.empty() ? Json(false) : Json(folder)}};
  }

  [[nodiscard]] Json types(std::string_view key, Translate translate) const {
    Json::Entries all;
    for (const Json& type : listOf(m_document, key))
      all.push_back({textOf(type, "name"), (this->*translate)(type)});
    return all;
  }

  [[nodiscard]] Json::Entries component(const Json& type) const {
    Json::Entries entries;
    if (std::string description = textOf(type, "description"); !description.empty())
      entries.push_back({"Description", std::move(description)});
    entries.push_back({"Members", lines(type, "members")});
    if (const Json code = extraCode(type, "extraCode"); code != Json(Json::Entries()))
      entries.push_back({"ExtraCode", code});
    return entries;
  }

  [[nodiscard]] static Json::Entries heading(const Json& type) {
    return {{"Description", textOf(type, "description")}, {"Author", textOf(type, "author")}};
  }

  [[nodiscard]] Json::Entries datatype(const Json& type) const {
    Json::Entries entries = heading(type);
    entries.push_back({"Members", lines(type, "members")});
    entries.push_back({"VectorMembers", lines(type, "vectorMembers")});
    entries.push_back({"OneToOneRelations", lines(type, "oneToOneRelations")});
    entries.push_back({"OneToManyRelations", lines(type, "oneToManyRelations")});
    entries.push_back({"ExtraCode", extraCode(type, "extraCode")});
    entries.push_back({"MutableExtraCode", extraCode(type, "mutableExtraCode")});
    return entries;
  }

  [[nodiscard]] Json::Entries interface(const Json& type) const {
    Json::Entries entries = heading(type);
    entries.push_back({"Members", lines(type, "members")});
    entries.push_back({"Types", listOf(type, "types")});
    return entries;
  }

  [[nodiscard]] Json::Entries link(const Json& type) const {
    Json::Entries entries = heading(type);
    entries.push_back({"From", textOf(type, "from")});
    entries.push_back({"To", textOf(type, "to")});
    return entries;
  }

  [[nodiscard]] static Json extraCode(const Json& type, std::string_view key) {
    const Json* const code = type.find(key);
    return code && code->as<Json::Entries>() ? *code : Json(Json::Entries());
  }

  [[nodiscard]] Json::List lines(const Json& type, std::string_view key) const {
    Json::List all;
    for (const Json& member : listOf(type, key))
      all.emplace_back(lineOfMember(withoutEnum(member)));
    return all;
  }

  /// Returns a member with the integers of its enum, if it has one.
  [[nodiscard]] Json withoutEnum(const Json& member) const {
    const auto known = m_enums.find(textOf(member, "type"));
    if (known == m_enums.end())
      return member;
    Json::Entries entries = *member.as<Json::Entries>();
    for (JsonEntry& entry : entries) {
      if (entry.name == "type")
        entry.value = "std::" + builtinName(known->second.underlying);
      if (entry.name == "default")
        entry.value = numberOf(known->second, textOf(member, "default"));
    }
    return entries;
  }

  [[nodiscard]] static std::string numberOf(const Model::Enum& type, std::string_view initial) {
    const std::size_t colon = initial.rfind(':');
    const std::string_view name =
        colon == std::string_view::npos ? initial : initial.substr(colon + 1);
    const auto value = std::ranges::find(type.values, name, &Model::Enum::Value::name);
    return value == type.values.end() ? std::string(initial)
                                      : std::to_string(std::bit_cast<std::int64_t>(value->value));
  }

  const Json& m_document;
  const Enums& m_enums;
};

/// Returns a document, and before it the documents of the models that it uses.
std::vector<Json> withUpstream(const Json& document) {
  std::vector<Json> all(listOf(document, "upstream"));
  all.push_back(document);
  return all;
}

} // namespace

std::vector<ModelDefinition> modelDefinitions(std::span<const ModelDatatypes::Document> documents) {
  Enums enums;
  std::vector<Json> all;
  for (const ModelDatatypes::Document& document : documents) {
    const Model parsed = Model::fromJson(document.json, document.where);
    for (const Model* const model : parsed.whole())
      for (const Model::Enum& type : model->enums)
        enums.emplace(type.name, type);
    for (Json& each : withUpstream(parseJson(document.json, document.where)))
      if (std::ranges::none_of(all, [&](const Json& other) {
            return textOf(other, "name") == textOf(each, "name");
          }))
        all.push_back(std::move(each));
  }
  std::vector<ModelDefinition> models;
  for (const Json& document : all)
    models.push_back({textOf(document, "name"), Json(Definition(document, enums).entries()).text(),
                      textOf(document, "version")});
  return models;
}

std::vector<ModelDatatypes::Document>
modelsOf(const std::map<std::string, std::string, std::less<>>& documents,
         const std::string& file) {
  std::vector<ModelDatatypes::Document> models;
  for (const auto& [name, text] : documents)
    if (name.starts_with(modelDocument))
      models.push_back({file + ": model '" + name.substr(modelDocument.size()) + "'", text});
  return models;
}

} // namespace kaon::detail
