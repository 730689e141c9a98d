#include <kaon/formats/sio/lcio/LcioFileWriter.h>

#include <kaon/base/Error.h>
#include <kaon/batch/BatchRows.h>
#include <kaon/formats/sio/lcio/EventEncoder.h>
#include <kaon/formats/sio/lcio/HeaderTables.h>
#include <kaon/model/SplitSchema.h>

namespace kaon::sio::lcio {

std::vector<Loss> lossesInLcio(std::string_view category, const Schema& schema) {
  return planEvents(category, splitSchema(schema)).losses;
}

std::string obstacleTo(std::string_view category) {
  return category == eventsCategory || category == runsCategory
             ? ""
             : "an LCIO file has the categories 'events' and 'runs'";
}

struct LcioFileWriter::Records final : EncodedBatch {
  [[nodiscard]] std::size_t bytes() const noexcept override {
    return encoded.records.capacity() + encoded.entries.size() * sizeof(EncodedEntry);
  }
  EncodedEntries encoded;
};

std::unique_ptr<EncodedBatch> LcioFileWriter::encode(std::string_view category,
                                                     const Batch& batch) {
  if (const std::string obstacle = obstacleTo(category); !obstacle.empty())
    fail(ErrorKind::usage, name(), ": there cannot be a category '", category, "': ", obstacle);
  const Schema schema = splitSchema(batch.schema());
  const EventPlan plan = planEvents(category, schema);
  if (!plan.losses.empty())
    fail(ErrorKind::usage, name(), ": LCIO cannot hold '",
         schema.table(plan.losses.front().table).name, "': ", plan.losses.front().reason);
  checkWhole(batch);
  auto records = std::make_unique<Records>();
  const auto encode = category == eventsCategory ? encodeEvents : encodeRuns;
  records->encoded = encode(plan, batch, codec(), name());
  const std::lock_guard lock(m_mutex);
  checkOpen();
  addTables(category, schema); // last: what is refused leaves no trace
  return records;
}

void LcioFileWriter::writeBatch(EncodedBatch& encoded) {
  const auto* const batch = dynamic_cast<Records*>(&encoded);
  if (!batch)
    failStranger();
  for (const EncodedEntry& entry : batch->encoded.entries)
    m_index.push_back({entry.run, entry.event, position() + entry.begin});
  writeBytes(batch->encoded.records.bytes());
}

void LcioFileWriter::writeEnd() {
  writeBytes(documentsRecord(documents(), codec(), name()).bytes());
  writeBytes(indexRecords(m_index, position()).bytes());
}

} // namespace kaon::sio::lcio
