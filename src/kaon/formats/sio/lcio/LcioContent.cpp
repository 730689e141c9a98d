#include <kaon/formats/sio/lcio/LcioContent.h>

#include <kaon/formats/sio/lcio/EventHeader.h>
#include <kaon/formats/sio/lcio/HeaderTables.h>
#include <kaon/formats/sio/lcio/LcioEvents.h>
#include <kaon/formats/sio/lcio/LcioModel.h>
#include <kaon/formats/sio/lcio/LcioRuns.h>
#include <kaon/model/Model.h>

#include <algorithm>
#include <memory>
#include <string>

namespace kaon::sio::lcio {

bool isLcioFile(const Container& container) {
  return std::ranges::any_of(container.records(), [&](const RecordPlace& record) {
    const std::string& name = container.nameOf(record);
    return name == runRecord || name == eventHeaderRecord;
  });
}

FileContent contentOf(const Container& container) {
  return {.format = "lcio",
          .categories = {std::string(eventsCategory), std::string(runsCategory)},
          .documents = {{std::string(modelDocument) + std::string(modelName), modelText()}},
          .open = [&container](std::string_view category) -> std::unique_ptr<const Contents> {
            if (category == eventsCategory)
              return std::make_unique<LcioEvents>(container);
            return std::make_unique<LcioRuns>(container);
          }};
}

} // namespace kaon::sio::lcio
