#include <kaon/formats/sio/lcio/LcioContent.h>

#include <kaon/formats/sio/FileDocuments.h>
#include <kaon/formats/sio/lcio/EventHeader.h>
#include <kaon/formats/sio/lcio/FileIndex.h>
#include <kaon/formats/sio/lcio/HeaderTables.h>
#include <kaon/formats/sio/lcio/LcioEvents.h>
#include <kaon/formats/sio/lcio/LcioModel.h>
#include <kaon/formats/sio/lcio/LcioRuns.h>
#include <kaon/model/Model.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::sio::lcio {

bool isLcioFile(const SioContainer& container) {
  return std::ranges::any_of(container.records(), [&](const SioRecordLocator& record) {
    const std::string& name = container.nameOf(record);
    return name == runRecord || name == eventHeaderRecord || name == indexRecord;
  });
}

namespace {

/// Returns the categories in the order in which they were first written. Files without events have
/// the empty category of events.
std::vector<std::string> categoriesOf(const SioContainer& container) {
  std::vector<std::string> categories;
  for (const SioRecordLocator& record : container.records()) {
    const std::string& name = container.nameOf(record);
    const std::string category(name == runRecord           ? runsCategory
                               : name == eventHeaderRecord ? eventsCategory
                                                           : std::string_view{});
    if (!category.empty() && std::ranges::find(categories, category) == categories.end())
      categories.push_back(category);
  }
  if (std::ranges::find(categories, eventsCategory) == categories.end())
    categories.emplace_back(eventsCategory);
  return categories;
}

} // namespace

FileContent contentOf(const SioContainer& container) {
  Documents documents = readDocuments(container);
  documents.insert_or_assign(std::string(modelDocument) + std::string(modelName), modelText());
  return {.format = "lcio",
          .categories = categoriesOf(container),
          .documents = std::move(documents),
          .isCut = endsWithHeader(container, eventHeaderRecord),
          .open = [&container](std::string_view category) -> std::unique_ptr<const SioContents> {
            if (category == eventsCategory)
              return std::make_unique<LcioEvents>(container);
            return std::make_unique<LcioRuns>(container);
          }};
}

} // namespace kaon::sio::lcio
