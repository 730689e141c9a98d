#include <kaon/formats/sio/podio/PodioFileWriter.h>

#include <kaon/base/Error.h>
#include <kaon/detail/model/ModelDefinitions.h>
#include <kaon/formats/sio/BlockWriter.h>
#include <kaon/formats/sio/podio/FrameEncoder.h>
#include <kaon/formats/sio/podio/FrameScan.h>
#include <kaon/model/Model.h>
#include <kaon/model/SplitSchema.h>
#include <kaon/writing/BatchCheck.h>

#include <algorithm>
#include <limits>

namespace kaon::sio::podio {

std::vector<detail::Loss> lossesInPodio(const Schema& schema,
                                        std::span<const ModelDatatypes::Document> models) {
  return planFrames(splitSchema(schema), models).losses;
}

std::string obstacleTo(std::string_view category) {
  const bool isFree = isBlockName(category) &&
                      category.size() + headerSuffix.size() <= mostNameBytes &&
                      !category.ends_with(headerSuffix) && !isOwnRecord(category);
  return isFree ? ""
                : "in podio's files, its name must be at most " +
                      std::to_string(mostNameBytes - headerSuffix.size()) +
                      " letters, numbers and _, and not one of podio's own names";
}

struct PodioFileWriter::Records final : detail::EncodedBatch {
  [[nodiscard]] std::size_t bytes() const noexcept override {
    return frames.records.capacity() + frames.begins.size() * sizeof(std::size_t);
  }
  std::string category;
  EncodedFrames frames;
};

PodioFileWriter::PodioFileWriter(std::unique_ptr<io::ByteSink> sink, const SinkOptions& options)
    : SioFileWriter(std::move(sink), options) {
  writeBytes(versionRecord().bytes());
}

/// Returns the plan for a batch with these tables. The category's tables must be the first ones.
std::shared_ptr<const SioFramePlan> PodioFileWriter::planOf(std::string_view category,
                                                            const Schema& schema) {
  const auto known = m_plans.find(category);
  if (known == m_plans.end() && m_plans.size() == mostCategories)
    fail(ErrorKind::usage, name(), ": there cannot be a category '", category, "': kaon reads ",
         mostCategories, " of a podio file at most; write a .kaon file");
  auto plan = known != m_plans.end() && known->second->ids.size() == schema.size()
                  ? known->second
                  : std::make_shared<const SioFramePlan>(
                        planFrames(schema, detail::modelsOf(documents(), name())));
  if (!plan->losses.empty())
    fail(ErrorKind::usage, name(), ": podio's files cannot hold '",
         schema.table(plan->losses.front().table).name, "': ", plan->losses.front().reason,
         "; leave it out, or write a .kaon file");
  addTables(category, schema);
  m_plans.insert_or_assign(std::string(category), plan);
  return plan;
}

std::unique_ptr<detail::EncodedBatch> PodioFileWriter::encode(std::string_view category,
                                                              const Batch& batch) {
  if (const std::string obstacle = obstacleTo(category); !obstacle.empty())
    fail(ErrorKind::usage, name(), ": there cannot be a category '", category, "': ", obstacle);
  checkWhole(batch);
  std::shared_ptr<const SioFramePlan> plan;
  {
    const std::lock_guard lock(m_mutex);
    checkOpen();
    plan = planOf(category, splitSchema(batch.schema()));
  }
  auto records = std::make_unique<Records>();
  records->category = category;
  records->frames = encodeFrames(*plan, batch, category, codec(), name());
  return records;
}

void PodioFileWriter::addDocument(std::string_view documentName, std::string_view text) {
  {
    const std::lock_guard lock(m_mutex);
    const auto known = documents().find(documentName);
    if (!m_plans.empty() && documentName.starts_with(modelDocument) && known != documents().end() &&
        known->second != text)
      fail(ErrorKind::usage, name(), ": the model '", documentName.substr(modelDocument.size()),
           "' changes, but frames that are of it are written already");
  }
  SioFileWriter::addDocument(documentName, text);
}

void PodioFileWriter::checkPlace(std::uint64_t position) const {
  if (position > std::numeric_limits<std::uint32_t>::max())
    fail(ErrorKind::usage, name(), ": podio's SIO files have at most 4 GiB; write several");
}

void PodioFileWriter::addPlace(std::string_view record, std::uint64_t position) {
  checkPlace(position);
  auto places = std::ranges::find(m_places, record, &RecordPositions::first);
  if (places == m_places.end())
    places = m_places.insert(m_places.end(), {std::string(record), {}});
  places->second.push_back(static_cast<std::uint32_t>(position));
}

void PodioFileWriter::writeBatch(detail::EncodedBatch& encoded) {
  const auto* const batch = dynamic_cast<Records*>(&encoded);
  if (!batch)
    failStranger();
  for (const std::size_t begin : batch->frames.begins)
    addPlace(batch->category, position() + begin);
  writeBytes(batch->frames.records.bytes());
}

void PodioFileWriter::writeEnd() {
  addPlace(definitionsPlace, position());
  writeBytes(modelsRecord(detail::modelsOf(documents(), name()), codec(), name()).bytes());
  writeBytes(documentsRecord(documents(), codec(), name()).bytes());
  checkPlace(position());
  writeBytes(placesRecord(m_places, static_cast<std::uint32_t>(position()), codec()).bytes());
}

} // namespace kaon::sio::podio
