#include <kaon/formats/sio/lcio/LcioFileWriter.h>

#include <kaon/base/Error.h>
#include <kaon/detail/batch/BatchRows.h>
#include <kaon/formats/sio/lcio/HeaderTables.h>
#include <kaon/model/SplitSchema.h>
#include <kaon/writing/BatchCheck.h>

namespace kaon::sio::lcio {

std::vector<detail::Loss> lossesInLcio(std::string_view category, const Schema& schema) {
  return planEvents(category, splitSchema(schema)).losses;
}

std::string obstacleTo(std::string_view category) {
  return category == eventsCategory || category == runsCategory
             ? ""
             : "an LCIO file has the categories 'events' and 'runs'";
}

bool LcioFileWriter::isLeading(std::string_view category) const { return category == runsCategory; }

struct LcioFileWriter::Records final : detail::EncodedBatch {
  [[nodiscard]] std::size_t bytes() const noexcept override {
    return encoded.records.capacity() + encoded.entries.size() * sizeof(EncodedEntry);
  }
  EncodedEvents encoded;
  bool areRuns = false;
};

std::unique_ptr<detail::EncodedBatch> LcioFileWriter::encode(std::string_view category,
                                                             const Batch& batch) {
  if (const std::string obstacle = obstacleTo(category); !obstacle.empty())
    fail(ErrorKind::usage, name(), ": there cannot be a category '", category, "': ", obstacle);
  const Schema schema = splitSchema(batch.schema());
  const LcioEventPlan plan = planEvents(category, schema);
  if (!plan.losses.empty())
    fail(ErrorKind::usage, name(), ": LCIO cannot hold '",
         schema.table(plan.losses.front().table).name, "': ", plan.losses.front().reason);
  checkWhole(batch);
  auto records = std::make_unique<Records>();
  records->areRuns = category == runsCategory;
  const auto encode = records->areRuns ? encodeRuns : encodeEvents;
  records->encoded = encode(plan, batch, codec(), name());
  const std::lock_guard lock(m_mutex);
  checkOpen();
  addTables(category, schema); // last, so that refused batches leave no trace
  return records;
}

void LcioFileWriter::writeBatch(detail::EncodedBatch& encoded) {
  const auto* const batch = dynamic_cast<Records*>(&encoded);
  if (!batch)
    failStranger();
  if (batch->areRuns)
    keepRuns(batch->encoded);
  else
    writeEvents(batch->encoded);
}

void LcioFileWriter::keepRuns(const EncodedEvents& runs) {
  const std::size_t begin = m_runs.records.size();
  m_runs.records.append(runs.records.bytes());
  for (const EncodedEntry& run : runs.entries) {
    m_runs.entries.push_back({begin + run.begin, run.run, run.event});
    m_endOfRun[run.run] = m_runs.entries.size();
  }
}

void LcioFileWriter::writeEvents(const EncodedEvents& events) {
  const std::span<const std::byte> records = events.records.bytes();
  std::size_t written = 0;
  for (const EncodedEntry& event : events.entries) {
    const auto end = m_endOfRun.find(event.run);
    if (end != m_endOfRun.end() && end->second > m_writtenRuns) {
      writeBytes(records.subspan(written, event.begin - written));
      written = event.begin;
      writeRuns(end->second);
    }
    m_index.push_back({event.run, event.event, position() + event.begin - written});
  }
  writeBytes(records.subspan(written));
}

/// Writes the waiting run headers in the order in which they came, up to this number.
void LcioFileWriter::writeRuns(std::size_t end) {
  const auto beginOf = [&](std::size_t run) {
    return run < m_runs.entries.size() ? m_runs.entries[run].begin : m_runs.records.size();
  };
  const std::size_t begin = beginOf(m_writtenRuns);
  for (; m_writtenRuns < end; ++m_writtenRuns) {
    const EncodedEntry& run = m_runs.entries[m_writtenRuns];
    m_index.push_back({run.run, run.event, position() + run.begin - begin});
  }
  writeBytes(m_runs.records.bytes().subspan(begin, beginOf(end) - begin));
}

void LcioFileWriter::writeEnd() {
  writeRuns(m_runs.entries.size());
  writeBytes(documentsRecord(documents(), codec(), name()).bytes());
  writeBytes(indexRecords(m_index, position()).bytes());
}

} // namespace kaon::sio::lcio
