#include <kaon/formats/sio/podio/PodioContent.h>

#include <kaon/formats/sio/FileDocuments.h>
#include <kaon/formats/sio/podio/FileDescription.h>
#include <kaon/formats/sio/podio/FrameScan.h>
#include <kaon/formats/sio/podio/PodioFrames.h>
#include <kaon/model/Metadata.h>
#include <kaon/model/Model.h>
#include <kaon/model/ModelDatatypes.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kaon::sio::podio {

bool isPodioFile(const Container& container) {
  return container.nameOf(container.records().front()) == fileHeaderRecord;
}

FileContent contentOf(const Container& container) {
  const FileDescription description = describeFile(container);
  auto documents = detail::modelDocuments(description.models, container.name());
  FileContent content{.format = "sio",
                      .categories = categoriesOf(container),
                      .documents = {},
                      .isCut = endsWithHeader(container, headerSuffix),
                      .open = {}};
  std::vector<Model> models;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    content.documents.emplace(std::string(modelDocument) + description.models[i].name,
                              documents[i].json);
    models.push_back(Model::fromJson(documents[i].json, documents[i].where));
  }
  content.documents.merge(readDocuments(container));
  Metadata metadata;
  if (const auto text = content.documents.find(detail::metadataDocument);
      text != content.documents.end())
    metadata = Metadata::fromJson(text->second, container.name() + ": metadata");
  metadata.set("podio", description.version, "union"); // files of several versions can be merged
  content.documents.insert_or_assign(std::string(detail::metadataDocument), metadata.toJson());
  const auto datatypes = std::make_shared<const ModelDatatypes>(std::move(documents));
  content.open = [&container, datatypes, models](std::string_view category) {
    return std::unique_ptr<const Contents>(
        std::make_unique<PodioFrames>(container, category, models, *datatypes));
  };
  return content;
}

} // namespace kaon::sio::podio
