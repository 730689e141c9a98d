#include <kaon/formats/root/podio/FrameWriter.h>

#include <kaon/base/Error.h>
#include <kaon/detail/model/ModelDefinitions.h>
#include <kaon/formats/root/podio/FrameBatch.h>
#include <kaon/formats/root/podio/FrameNames.h>
#include <kaon/formats/root/podio/PodioClasses.h>
#include <kaon/formats/root/podio/RootFramePlan.h>
#include <kaon/model/KnownTables.h>
#include <kaon/model/SplitSchema.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace kaon::root::podio {
namespace {

std::string lowered(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

/// Returns the stored tables in podio's order: collections by name, ignoring case, then the keys of
/// parameters, then their values.
std::vector<std::uint32_t> rootsInOrder(const RootFramePlan& plan, const Schema& schema) {
  std::vector<StoredRows> rows = plan.rows;
  std::ranges::stable_sort(rows, {}, [&](const StoredRows& each) {
    return lowered(schema.table(schema.rootOf(each.table)).name);
  });
  std::vector<std::uint32_t> roots;
  for (const StoredRows& each : rows)
    roots.push_back(each.stored);
  for (const PodioParameters& type : plan.parameters)
    roots.push_back(type.keys);
  for (const PodioParameters& type : plan.parameters)
    roots.push_back(type.values);
  return roots;
}

} // namespace

std::vector<detail::Loss> lossesInFrames(const Schema& schema,
                                         std::span<const ModelDatatypes::Document> models) {
  std::vector<detail::Loss> losses = planFrames(schema).losses;
  const auto isLost = [&](TableNumber table) {
    return std::ranges::find(losses, table, &detail::Loss::table) != losses.end();
  };
  const PodioClasses classes(models);
  for (TableNumber table = 0; table < schema.size(); ++table)
    if (schema.table(table).kind == TableKind::collection && !isLost(table))
      std::ranges::move(classes.losses(schema, table), std::back_inserter(losses));
  std::ranges::sort(losses, {}, &detail::Loss::table);
  return losses;
}

void FrameWriter::check(const Schema& schema, std::span<const ModelDatatypes::Document> models,
                        const std::string& file) const {
  for (const detail::Loss& loss : lossesInFrames(schema, models))
    fail(ErrorKind::usage, file, ": podio's files cannot hold '", schema.table(loss.table).name,
         "': ", loss.reason, "; leave it out, or write a .kaon file or plain RNTuples");
}

void FrameWriter::addTables(const Schema& schema, const std::string& file) {
  const Schema split = splitSchema(schema);
  const std::uint32_t known = m_schema.size();
  checkKnownTables(split, m_schema, file, name());
  if (split.size() <= known && known > 0)
    return;
  check(split, detail::modelsOf(m_documents, file), file);
  m_stored.addTables(planFrames(split).schema, file);
  for (TableNumber table = known; table < split.size(); ++table)
    m_schema.add(split.table(table).definition());
}

std::unique_ptr<EncodedEntries> FrameWriter::encode(const Schema& schema, const Batch& batch,
                                                    Buffer pages) const {
  const RootFramePlan plan = planFrames(schema);
  const FrameBatch stored(plan, batch);
  return m_stored.encode(plan.schema, stored.batch(), std::move(pages));
}

void FrameWriter::write(ContainerWriter& file, EncodedEntries& encoded) {
  m_stored.write(file, encoded);
}

std::string FrameWriter::finish(ContainerWriter& file) {
  const auto models = detail::modelsOf(m_documents, file.sink().name());
  check(m_schema, models, file.sink().name()); // models may have been replaced
  const PodioClasses classes(models);
  const RootFramePlan plan = planFrames(m_schema);
  m_stored.addTables(plan.schema, file.sink().name()); // in case there was no batch
  FieldForm form{.roots = rootsInOrder(plan, m_schema)};
  std::vector<CollectionDescription>& collections = m_description.categories[name()];
  for (const Table& table : m_schema.tables())
    if (table.kind == TableKind::collection) {
      collections.push_back(classes.describe(table));
      classes.addTo(form, table);
    }
  m_stored.finish(file, std::move(form));
  return "";
}

} // namespace kaon::root::podio
