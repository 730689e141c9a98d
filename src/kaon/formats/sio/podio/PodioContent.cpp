#include <kaon/formats/sio/podio/PodioContent.h>

#include <kaon/formats/sio/FileDocuments.h>
#include <kaon/formats/sio/podio/FrameScan.h>
#include <kaon/formats/sio/podio/PodioFrames.h>
#include <kaon/formats/sio/podio/SioFileDescription.h>
#include <kaon/model/Model.h>
#include <kaon/model/ModelDatatypes.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kaon::sio::podio {

bool isPodioFile(const SioContainer& container) {
  return container.nameOf(container.records().front()) == fileHeaderRecord;
}

FileContent contentOf(const SioContainer& container) {
  PodioDocuments documents =
      podioDocuments(describeFile(container), readDocuments(container), container.name());
  FileContent content{.format = "sio",
                      .categories = categoriesOf(container),
                      .documents = std::move(documents.texts),
                      .isCut = endsWithHeader(container, headerSuffix),
                      .open = {}};
  std::vector<Model> models;
  for (const ModelDatatypes::Document& document : documents.models)
    models.push_back(Model::fromJson(document.json, document.where));
  const auto datatypes = std::make_shared<const ModelDatatypes>(std::move(documents.models));
  content.open = [&container, datatypes, models](std::string_view category) {
    return std::unique_ptr<const SioContents>(
        std::make_unique<PodioFrames>(container, category, models, *datatypes));
  };
  return content;
}

} // namespace kaon::sio::podio
