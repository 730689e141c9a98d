#include <kaon/train/SharedClusters.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace kaon {
namespace {

/// A cluster of several files.
struct SharedCluster final : detail::EncodedBatch {
  [[nodiscard]] std::size_t bytes() const noexcept override { return encoded->bytes(); }
  OutputSet outputs = 0;
  std::unique_ptr<detail::EncodedBatch> encoded;
  std::shared_ptr<const File> file; ///< for stored clusters that are copied
};

} // namespace

SharedClusters::SharedClusters(const std::vector<std::unique_ptr<Sink>>& sinks, std::size_t encoder,
                               std::string category, const Schema& schema,
                               const WriterOptions& options, std::size_t room,
                               detail::MemoryBudget& budget)
    : m_sinks(sinks), m_encoder(encoder), m_category(std::move(category)),
      m_clusterBytes(options.bytesOfCluster(schema.columns().size())),
      m_clusterEntries(options.clusterEntries > 0 ? options.clusterEntries
                                                  : std::numeric_limits<std::uint32_t>::max()),
      m_room(room), m_queue(budget, [this](std::unique_ptr<detail::EncodedBatch> encoded) {
        append(std::move(encoded));
      }) {}

std::unique_ptr<JoinedBatch> SharedClusters::emptyBatch(const Schema& schema) {
  std::unique_ptr<JoinedBatch> idle = m_queue.takeIdle();
  return idle && idle->schema() == schema ? std::move(idle) : std::make_unique<JoinedBatch>(schema);
}

/// Divides the room so that each set has space for a cluster, as do the clusters being encoded.
std::size_t SharedClusters::bytesOfCluster() const noexcept {
  return std::clamp<std::size_t>(m_room / (m_sets.size() + 2), 1, m_clusterBytes);
}

void SharedClusters::write(OutputSet outputs, const Batch& batch,
                           std::span<const detail::RowRange> runs) {
  for (const detail::RowRange run : runs)
    forEachOutput(outputs, [&](std::size_t output) { m_entries[output] += run.size(); });
  if (const auto known = m_sets.find(outputs);
      known != m_sets.end() && known->second && hasRoom(*known->second, batch)) {
    known->second->append(batch, runs);
  } else if (runs.size() == 1 && runs[0].size() == batch.entries()) {
    add(outputs, batch);
  } else {
    if (!m_piece || !(m_piece->schema() == batch.schema()))
      m_piece = std::make_unique<JoinedBatch>(batch.schema());
    m_piece->clear();
    m_piece->append(batch, runs);
    add(outputs, m_piece->batch(0));
  }
  if (bytesOfCluster() < std::min(leastCluster, m_clusterBytes))
    writeShared();
}

/// Whether a cluster stays below its limits, whichever entries of the batch it gets.
bool SharedClusters::hasRoom(const JoinedBatch& gathered, const Batch& batch) const {
  return gathered.schema() == batch.schema() &&
         gathered.entries() + batch.entries() < m_clusterEntries &&
         gathered.bytes() + detail::bytesOf(batch, 0, batch.entries()) < bytesOfCluster();
}

void SharedClusters::add(OutputSet outputs, const Batch& batch) {
  std::unique_ptr<JoinedBatch>& gathered = m_sets[outputs];
  if (gathered && !(gathered->schema() == batch.schema()))
    writeCluster(outputs, std::exchange(gathered, nullptr));
  for (std::size_t first = 0; first < batch.entries();) {
    if (!gathered)
      gathered = emptyBatch(batch.schema());
    const std::size_t most = bytesOfCluster();
    const std::size_t room = most - std::min<std::size_t>(most - 1, gathered->bytes());
    const std::size_t last =
        detail::endOfRun(batch, first, room, m_clusterEntries - gathered->entries());
    gathered->append(batch, first, last);
    if (gathered->bytes() >= most || gathered->entries() >= m_clusterEntries)
      writeCluster(outputs, std::exchange(gathered, nullptr));
    first = last;
  }
}

void SharedClusters::writeCluster(OutputSet outputs, std::unique_ptr<JoinedBatch> entries) {
  if (entries->entries() == 0)
    return;
  m_encodedEntries += entries->entries();
  const JoinedBatch& data = *entries;
  m_queue.add(std::move(entries), data.bytes(), [this, &data, outputs] {
    auto cluster = std::make_unique<SharedCluster>();
    cluster->outputs = outputs;
    cluster->encoded = encoderOf(outputs).encode(m_category, data.batch(0));
    return cluster;
  });
}

void SharedClusters::copy(OutputSet outputs, std::unique_ptr<detail::EncodedBatch> stored,
                          std::size_t entries, std::shared_ptr<const File> file) {
  forEachOutput(outputs, [&](std::size_t output) {
    m_entries[output] += entries;
    m_copiedEntries += entries;
    if (const auto alone = m_sets.find(OutputSet{1} << output);
        alone != m_sets.end() && alone->second)
      writeCluster(alone->first, std::exchange(alone->second, nullptr));
  });
  auto cluster = std::make_shared<std::unique_ptr<SharedCluster>>(new SharedCluster);
  (*cluster)->outputs = outputs;
  (*cluster)->encoded = std::move(stored);
  (*cluster)->file = std::move(file);
  const std::size_t bytes = (*cluster)->bytes();
  m_queue.add(nullptr, bytes, [cluster] { return std::move(*cluster); });
}

/// Returns the sink that encodes for these files: the same one for all if files take copies.
Sink& SharedClusters::encoderOf(OutputSet outputs) const {
  return *m_sinks[m_sinks[m_encoder]->takesCopies()
                      ? m_encoder
                      : static_cast<std::size_t>(std::countr_zero(outputs))];
}

/// Appends a cluster to its files, last to the one that encoded it, which takes ownership.
void SharedClusters::append(std::unique_ptr<detail::EncodedBatch> encoded) {
  auto& cluster = static_cast<SharedCluster&>(*encoded);
  if (cluster.file)
    return forEachOutput(cluster.outputs, [&](std::size_t output) {
      m_sinks[output]->appendCopy(m_category, *cluster.encoded);
    });
  Sink& encoder = encoderOf(cluster.outputs);
  bool isTaken = false; // by the encoder
  forEachOutput(cluster.outputs, [&](std::size_t output) {
    if (m_sinks[output].get() == &encoder)
      isTaken = true;
    else
      m_sinks[output]->appendCopy(m_category, *cluster.encoded);
  });
  if (isTaken)
    encoder.append(std::move(cluster.encoded));
  else
    encoder.takeBack(std::move(cluster.encoded));
}

/// Makes room for further sets. Sets of several files are written if they are large enough for a
/// cluster. Otherwise their entries move to the sets of the single files.
void SharedClusters::writeShared() {
  Sets shared;
  for (auto& [outputs, gathered] : m_sets)
    if (!std::has_single_bit(outputs))
      shared.emplace(outputs, std::move(gathered));
  std::erase_if(m_sets, [](const auto& set) { return !std::has_single_bit(set.first); });
  for (auto& [outputs, gathered] : shared) {
    if (gathered && gathered->bytes() >= leastCluster)
      writeCluster(outputs, std::exchange(gathered, nullptr));
    else if (gathered)
      forEachOutput(outputs,
                    [&](std::size_t output) { add(OutputSet{1} << output, gathered->batch(0)); });
    gathered.reset();
  }
}

void SharedClusters::finish() {
  writeShared();
  for (auto& [outputs, gathered] : m_sets)
    if (gathered)
      writeCluster(outputs, std::exchange(gathered, nullptr));
  m_queue.wait();
}

} // namespace kaon
