#include <kaon/train/OtherCategories.h>

#include <kaon/base/Error.h>
#include <kaon/base/Warning.h>
#include <kaon/files/ObjectCopies.h>
#include <kaon/model/StorageRules.h>
#include <kaon/reading/Batches.h>
#include <kaon/writing/JoinedBatch.h>

#include <bit>
#include <utility>

namespace kaon {
namespace {

/// Returns why files of a format cannot have a category with these tables; "" if they can.
std::string obstacleTo(const Format& format, const std::string& category, const Schema& schema,
                       std::span<const ModelDatatypes::Document> models) {
  if (format.obstacleTo)
    if (std::string obstacle = format.obstacleTo(category); !obstacle.empty())
      return obstacle;
  const std::vector<detail::Loss> losses =
      format.losses ? format.losses(category, schema, models) : std::vector<detail::Loss>();
  return losses.empty()
             ? ""
             : std::string(schema.table(losses.front().table).name) + ": " + losses.front().reason;
}

} // namespace

OtherCategories::OtherCategories(std::shared_ptr<const Dataset> dataset, CopiedForm form)
    : m_dataset(std::move(dataset)), m_form(std::move(form)) {
  for (std::size_t number = 0; number < m_dataset->files(); ++number) {
    if (m_dataset->isLeftOut(number))
      continue;
    const std::shared_ptr<const File> file = open(number);
    detail::addModels(*file, m_models);
    for (const std::string& name : file->categories()) {
      if (name == m_dataset->category())
        continue;
      try {
        Category& category = m_categories[name];
        category.parts.push_back({number, category.tables.add(file->category(name).schema())});
        category.missing.add(file->category(name));
      } catch (const Error& error) {
        fail(error.kind(), file->name(), ":", name, ": ", error.what(),
             "; leave other categories out of the train");
      }
    }
  }
}

/// Returns the outputs whose format can hold a category. Warns once of each other format.
std::vector<OutputSet> OtherCategories::setsThatHold(const std::string& name, const Schema& schema,
                                                     std::span<const Outputs> outputs) const {
  std::vector<OutputSet> sets;
  std::map<const Format*, bool> canHold;
  for (const auto& [format, set] : outputs) {
    const auto [known, isNew] = canHold.try_emplace(format, true);
    if (isNew) {
      const std::string obstacle = obstacleTo(*format, name, schema, detail::inOrder(m_models));
      known->second = obstacle.empty();
      if (!obstacle.empty())
        warn(WarningKind::lostMetadata, m_dataset->open(0)->name() + ":" + name +
                                            ": is left out of files of " +
                                            std::string(format->name) + ": " + obstacle);
    }
    if (known->second)
      sets.push_back(set);
  }
  return sets;
}

void OtherCategories::write(const std::vector<std::unique_ptr<Sink>>& sinks,
                            std::span<const Outputs> outputs, const WriterOptions& options,
                            detail::MemoryBudget& budget) const {
  for (const auto& [name, category] : m_categories) {
    const Schema schema = detail::schemaBy(options.rules(), category.tables.schema());
    const std::vector<OutputSet> sets = setsThatHold(name, schema, outputs);
    if (sets.empty())
      continue;
    for (const Table& table : schema.tables())
      category.missing.warnOf(table.name);
    const JoinedBatch none(schema);
    std::vector<std::unique_ptr<SharedClusters>> clusters; // for each set
    for (const OutputSet set : sets) {
      forEachOutput(set, [&](std::size_t output) { sinks[output]->write(name, none.batch(0)); });
      clusters.push_back(std::make_unique<SharedClusters>(
          sinks, static_cast<std::size_t>(std::countr_zero(set)), name, schema, options,
          options.bytesOfMemory() / 2 / sets.size(), budget));
    }
    for (const Part& part : category.parts) {
      const std::shared_ptr<const File> file = open(part.file);
      for (const Batch& batch : Batches::ofAll(file->category(name))) {
        const UnitedBatch united(batch, part.numbers, schema);
        for (std::size_t i = 0; i < sets.size(); ++i)
          clusters[i]->write(sets[i], united.batch());
      }
    }
    for (const auto& shared : clusters)
      shared->finish();
  }
}

void OtherCategories::copyObjects(const std::vector<std::unique_ptr<Sink>>& sinks,
                                  std::span<const Outputs> outputs) const {
  std::vector<std::shared_ptr<const File>> files; // keep the objects alive
  std::vector<const ObjectStore*> stores;
  for (std::size_t number = 0; number < m_dataset->files(); ++number) {
    files.push_back(m_dataset->open(number));
    if (const ObjectStore* const store = files.back()->objectStore())
      stores.push_back(store);
  }
  const detail::JoinedObjects objects(stores);
  objects.check();
  for (const auto& [format, set] : outputs)
    forEachOutput(set, [&](std::size_t output) { objects.copyTo(*sinks[output]); });
}

} // namespace kaon
