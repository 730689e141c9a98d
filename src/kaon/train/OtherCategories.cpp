#include <kaon/train/OtherCategories.h>

#include <kaon/base/Error.h>
#include <kaon/batch/Batches.h>
#include <kaon/batch/JoinedBatch.h>

#include <bit>
#include <utility>

namespace kaon {

OtherCategories::OtherCategories(std::shared_ptr<const Dataset> dataset)
    : m_dataset(std::move(dataset)) {
  for (std::size_t number = 0; number < m_dataset->files(); ++number) {
    const std::shared_ptr<const File> file = m_dataset->open(number);
    for (const std::string& name : file->categories()) {
      if (name == m_dataset->category())
        continue;
      try {
        Category& category = m_categories[name];
        category.parts.push_back({number, category.tables.add(file->category(name).schema())});
        category.missing.add(file->category(name));
      } catch (const Error& error) {
        fail(error.kind(), file->name(), ":", name, ": ", error.what(),
             "; a train that leaves other categories out does without it");
      }
    }
  }
}

void OtherCategories::write(const std::vector<std::unique_ptr<Sink>>& sinks,
                            std::span<const OutputSet> sets, const WriterOptions& options,
                            MemoryBudget& budget) const {
  for (const auto& [name, category] : m_categories) {
    const Schema schema = schemaBy(options.rules(), category.tables.schema());
    for (const Table& table : schema.tables())
      category.missing.warnOf(table.name);
    const JoinedBatch none(schema);
    std::vector<std::unique_ptr<SharedClusters>> clusters; // of each set
    for (const OutputSet outputs : sets) {
      forEachOutput(outputs,
                    [&](std::size_t output) { sinks[output]->write(name, none.batch(0)); });
      clusters.push_back(std::make_unique<SharedClusters>(
          sinks, static_cast<std::size_t>(std::countr_zero(outputs)), name, schema, options,
          options.bytesOfMemory() / 2 / sets.size(), budget));
    }
    for (const Part& part : category.parts) {
      const std::shared_ptr<const File> file = m_dataset->open(part.file);
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

} // namespace kaon
