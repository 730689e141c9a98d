#include <kaon/formats/kaonfile/StoredObjects.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/batch/ObjectJson.h>
#include <kaon/formats/kaonfile/ContentsReader.h>
#include <kaon/model/Json.h>

#include <utility>

namespace kaon::kaonfile {
namespace {

std::string textOf(const Json& json, std::string_view entry) {
  const Json* const found = json.find(entry);
  const auto* const text = found ? found->as<std::string>() : nullptr;
  return text ? *text : std::string();
}

} // namespace

std::string documentOf(const ObjectTree& object, std::string_view type, std::string_view title) {
  Json json = detail::toJson(object);
  Json::Entries entries{{"class", detail::jsonOfText(type)}, {"title", detail::jsonOfText(title)}};
  for (const detail::JsonEntry& entry : *json.as<Json::Entries>())
    entries.push_back(entry);
  return Json(std::move(entries)).text();
}

std::vector<StoredObject> StoredObjects::objects() const {
  std::vector<StoredObject> all;
  for (auto place = m_documents.lower_bound(objectDocument);
       place != m_documents.end() && place->first.starts_with(objectDocument); ++place) {
    const auto& [name, document] = *place;
    StoredObject object;
    object.name = name.substr(objectDocument.size());
    object.bytes = document.metaSize;
    try {
      const Json json = detail::parseJson(readDocument(m_bytes, m_file.id, name, document),
                                          m_bytes.name() + ": '" + name + "'");
      object.type = textOf(json, "class");
      object.title = textOf(json, "title");
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::corrupt)
        throw;
    }
    all.push_back(std::move(object));
  }
  return all;
}

ObjectTree StoredObjects::read(std::string_view name) const {
  const auto place = m_documents.find(std::string(objectDocument) + std::string(name));
  if (place == m_documents.end()) {
    std::vector<std::string> names;
    for (const StoredObject& object : objects())
      names.push_back(object.name);
    fail(ErrorKind::name, m_bytes.name(), ": has no object '", name, "'", suggestion(name, names));
  }
  const std::string where = m_bytes.name() + ": object '" + std::string(name) + "'";
  const Json json =
      detail::parseJson(readDocument(m_bytes, m_file.id, place->first, place->second), where);
  return detail::objectFrom(json, where);
}

} // namespace kaon::kaonfile
