#include <kaon/formats/sio/lcio/LcioFileWriter.h>

#include <kaon/base/Error.h>
#include <kaon/batch/BatchRows.h>
#include <kaon/formats/sio/RecordWriter.h>
#include <kaon/formats/sio/lcio/EventEncoder.h>
#include <kaon/formats/sio/lcio/HeaderTables.h>
#include <kaon/model/SplitSchema.h>

#include <algorithm>
#include <utility>

namespace kaon::sio::lcio {

std::vector<Loss> lossesInLcio(const Schema& schema) {
  return planEvents(splitSchema(schema)).losses;
}

struct LcioFileWriter::Records final : EncodedBatch {
  [[nodiscard]] std::size_t bytes() const noexcept override {
    return encoded.records.capacity() + encoded.entries.size() * sizeof(EncodedEntry);
  }
  EncodedEntries encoded;
};

LcioFileWriter::LcioFileWriter(std::unique_ptr<io::ByteSink> sink, SinkOptions options)
    : m_sink(std::move(sink)), m_options(std::move(options)) {
  m_options.codec = compressionOfRecords(m_options.codec, m_sink->name());
}

LcioFileWriter::~LcioFileWriter() = default;

void LcioFileWriter::checkOpen() const {
  if (!m_open)
    fail(ErrorKind::usage, name(), ": is finished, or failed; nothing can be written");
}

/// Runs what writes something of which half is of no use: if it throws, nothing can follow.
void LcioFileWriter::attempt(const auto& write) {
  try {
    write();
  } catch (...) {
    m_open = false;
    m_sink->abandon();
    throw;
  }
}

Schema LcioFileWriter::schema(std::string_view category) const {
  const std::lock_guard lock(m_mutex);
  const auto known = m_schemas.find(category);
  return known == m_schemas.end() ? Schema() : known->second;
}

/// Takes in the tables of a batch that are new.
void LcioFileWriter::addTables(std::string_view category, const Schema& schema) {
  Schema& known = m_schemas[std::string(category)];
  for (std::uint32_t table = 0; table < std::min(schema.size(), known.size()); ++table)
    if (schema.table(table) != known.table(table))
      fail(ErrorKind::usage, name(), ": the batch does not have the tables that the file has had ",
           "so far: '", schema.table(table).name, "' differs");
  for (std::uint32_t table = known.size(); table < schema.size(); ++table)
    (void)known.add(schema.table(table).definition());
}

std::unique_ptr<EncodedBatch> LcioFileWriter::encode(std::string_view category,
                                                     const Batch& batch) {
  if (category != eventsCategory && category != runsCategory)
    fail(ErrorKind::usage, name(), ": an LCIO file has the categories 'events' and 'runs', and ",
         "cannot have '", category, "'");
  const Schema schema = splitSchema(batch.schema());
  const EventPlan plan = planEvents(schema);
  if (!plan.losses.empty())
    fail(ErrorKind::usage, name(), ": LCIO cannot hold '",
         schema.table(plan.losses.front().table).name, "': ", plan.losses.front().reason);
  {
    const std::lock_guard lock(m_mutex);
    checkOpen();
    addTables(category, schema);
  }
  checkWhole(batch);
  auto records = std::make_unique<Records>();
  const auto encode = category == eventsCategory ? encodeEvents : encodeRuns;
  records->encoded = encode(plan, batch, m_options.codec, name());
  return records;
}

void LcioFileWriter::append(std::unique_ptr<EncodedBatch> encoded) {
  auto* const batch = dynamic_cast<Records*>(encoded.get());
  if (!batch)
    fail(ErrorKind::usage, name(), ": a batch that another file encoded");
  const std::lock_guard lock(m_mutex);
  checkOpen();
  attempt([&] {
    for (const EncodedEntry& entry : batch->encoded.entries)
      m_index.push_back({entry.run, entry.event, m_position + entry.begin});
    m_sink->write(batch->encoded.records.bytes());
    m_position += batch->encoded.records.size();
  });
}

void LcioFileWriter::addDocument(std::string_view /*name*/, std::string_view /*text*/) {
  const std::lock_guard lock(m_mutex);
  checkOpen();
}

void LcioFileWriter::finish() {
  const std::lock_guard lock(m_mutex);
  if (!m_open)
    fail(ErrorKind::usage, name(), ": is finished already, or failed");
  attempt([&] {
    m_sink->write(indexRecords(m_index, m_position).bytes());
    m_sink->finish();
  });
  m_open = false;
}

void LcioFileWriter::abandon() noexcept {
  const std::lock_guard lock(m_mutex);
  m_open = false;
  m_sink->abandon();
}

} // namespace kaon::sio::lcio
