#include <kaon/train/TrainAccumulator.h>

#include <kaon/base/Error.h>
#include <kaon/base/Wording.h>
#include <kaon/batch/StoredClusters.h>
#include <kaon/batch/StoredEntries.h>
#include <kaon/dataset/DatasetParts.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace kaon {
namespace {

/// The most bytes that are gathered before they are written: they stay in the cache, and few parts
/// wait for others.
constexpr std::size_t mostGathered = std::size_t{4} << 20;

bool hasAny(std::span<const std::uint32_t> tables) {
  return std::ranges::any_of(tables, [](std::uint32_t number) { return number != Table::none; });
}

} // namespace

TrainAccumulator::TrainAccumulator(std::shared_ptr<TrainFiles> files)
    : m_files(std::move(files)), m_entries(m_files->take()) {}

TrainAccumulator::~TrainAccumulator() { m_files->giveBack(std::move(m_entries)); }

void TrainAccumulator::begin(const detail::DatasetPart& part) {
  detail::DatasetPart next = part;
  if (part.source == m_stored) { // the same file, in the form from before
    next.file = m_part.file;
    next.source = m_part.source;
  } else {
    next = m_files->copiedForm(part);
  }
  m_stored = part.source;
  m_part = std::move(next);
  m_isTurn = false;
  if (m_source != m_part.source)
    use(*m_part.source);
  m_wanted.assign(m_source->schema().size(), Table::none);
  for (const auto& numbers : m_numbers)
    std::ranges::transform(m_wanted, numbers, m_wanted.begin(), std::ranges::min);
  m_hasTables = hasAny(m_wanted);
  m_held = {};
  if (m_hasTables)
    m_batches.begin(m_part, m_wanted);
  if (!m_hasStored)
    return;
  detail::DatasetPart stored = m_part;
  stored.file = nullptr; // nobody asks where its entries come from
  stored.source = dynamic_cast<const StoredEntries&>(*m_source).storedEntries();
  m_storedBatches.begin(stored, std::vector<std::uint32_t>(stored.source->schema().size()));
}

/// Determines what each stream takes of a source, and in which form.
void TrainAccumulator::use(const Source& source) {
  m_source = &source;
  m_numbers.clear();
  m_takingClusters = 0;
  m_hasStored = false;
  const std::vector<bool> before = std::exchange(m_isStored, {});
  const bool hasClusters = dynamic_cast<const StoredClusters*>(m_source) != nullptr;
  for (std::size_t i = 0; i < m_files->streams().size(); ++i) {
    const TrainStream& stream = m_files->streams()[i];
    m_isStored.push_back(m_files->takesStored(stream, source));
    m_hasStored |= m_isStored[i];
    m_numbers.push_back(m_isStored[i]
                            ? std::vector<std::uint32_t>(source.schema().size(), Table::none)
                            : stream.contents.numbersOf(source.schema()));
    if (before.empty() || before[i] != m_isStored[i])
      m_entries->streams[i].clear(); // the gathered entries have other tables
    if (hasClusters && stream.takesClusters && stream.contents.holdsAllOf(source.schema()))
      m_takingClusters |= stream.outputs;
  }
  m_clusters = m_takingClusters != 0 ? m_source->clusters() : std::vector<EntryRange>();
}

void TrainAccumulator::add(std::size_t entries, std::span<const detail::ArgumentValues> arguments) {
  const auto numbers = arguments[0].column.as<std::uint64_t>();
  select(entries, arguments);
  m_entries->count += entries;
  takeTurn();
  for (std::size_t first = 0, last = 0; first < entries; first = last) {
    last = endOfBatch(numbers, first);
    if (m_takingClusters != 0)
      hold(numbers, first, last);
    copy(m_batches, {numbers, m_selected}, first, last, arguments);
    if (m_entries->bytes >= mostGathered)
      m_files->write(m_part, *m_entries);
  }
}

/// Returns the index of the first entry in the next batch of the file.
std::size_t TrainAccumulator::endOfBatch(std::span<const std::uint64_t> numbers,
                                         std::size_t first) {
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
  if (m_hasTables)
    end = std::min(end, m_batches.rangeAt(numbers[first]).last);
  if (m_hasStored)
    end = std::min(end, m_storedBatches.rangeAt(numbers[first]).last);
  return static_cast<std::size_t>(std::ranges::lower_bound(numbers, end) - numbers.begin());
}

void TrainAccumulator::commit() {
  settle();
  m_files->writeLast(m_part, *m_entries);
}

/// Finds the outputs that still take all of the current cluster, including these entries, and
/// removes these entries from their selection. Outputs that skip one get the entries held back.
void TrainAccumulator::hold(std::span<const std::uint64_t> numbers, std::size_t first,
                            std::size_t last) {
  if (numbers[first] >= m_held.range.last) {
    settle();
    const auto cluster =
        std::ranges::upper_bound(m_clusters, numbers[first], {}, &EntryRange::last);
    if (cluster == m_clusters.end())
      return;
    const auto number = static_cast<std::size_t>(cluster - m_clusters.begin());
    m_held = {number, *cluster, cluster->first,
              m_files->isLarge(*m_source, number, *cluster) ? m_takingClusters : 0};
  }
  const std::uint64_t before = m_held.next;
  OutputSet all = m_held.outputs;
  for (std::size_t i = first; i < last && all != 0; ++i)
    all &= numbers[i] == m_held.next++ ? m_selected[i] : 0;
  release(std::exchange(m_held.outputs, all) & ~all, {m_held.range.first, before});
  for (std::size_t i = first; i < last; ++i)
    m_selected[i] &= ~all;
}

/// Ends the cluster held back; outputs that take all of it get it.
void TrainAccumulator::settle() {
  const HeldCluster held = std::exchange(m_held, {});
  for (std::size_t i = 0; i < m_files->streams().size() && held.outputs != 0; ++i) {
    const OutputSet outputs = held.outputs & m_files->streams()[i].outputs;
    if (outputs != 0 && (held.next < held.range.last ||
                         !m_files->copy(m_part, i, outputs, held.number, held.range, *m_entries)))
      release(outputs, {held.range.first, held.next});
  }
}

/// Copies entries to outputs that waited for the end of their cluster.
void TrainAccumulator::release(OutputSet outputs, EntryRange entries) {
  if (outputs == 0 || entries.size() == 0)
    return;
  std::vector<std::uint64_t> numbers(static_cast<std::size_t>(entries.size()));
  std::iota(numbers.begin(), numbers.end(), entries.first);
  const std::vector<OutputSet> selected(numbers.size(), outputs);
  detail::DatasetPart part = m_part;
  part.clusters = {entries};
  PartBatches batches; // these lie before those of the other batches
  batches.begin(part, m_wanted);
  for (std::size_t first = 0, last = 0; first < numbers.size(); first = last) {
    last = static_cast<std::size_t>(batches.rangeAt(numbers[first]).last - entries.first);
    copy(batches, {numbers, selected}, first, last, {});
  }
}

/// Determines which outputs take each entry.
void TrainAccumulator::select(std::size_t entries,
                              std::span<const detail::ArgumentValues> arguments) {
  m_selected.assign(entries, 0);
  std::size_t next = 1;
  for (std::size_t output = 0; output < m_files->outputs().size(); ++output) {
    const OutputSet bit = OutputSet{1} << output;
    if (m_files->outputs()[output].selection.empty()) {
      for (OutputSet& selected : m_selected)
        selected |= bit;
      continue;
    }
    const std::byte* const isTaken = arguments[next++].column.values;
    for (std::size_t i = 0; i < entries; ++i)
      m_selected[i] |= static_cast<OutputSet>(isTaken[i]) << output;
  }
  if (!m_files->hasDecisions())
    return;
  m_entries->decisions.insert(m_entries->decisions.end(), m_selected.begin(), m_selected.end());
  m_entries->bytes += entries * sizeof(OutputSet);
}

/// Copies the taken entries of [first, last), which belong to one batch of the file.
void TrainAccumulator::copy(PartBatches& batches, const SelectedEntries& selected,
                            std::size_t first, std::size_t last,
                            std::span<const detail::ArgumentValues> arguments) {
  static const Schema noTables;
  const std::span<const std::uint64_t> numbers = selected.numbers;
  for (std::size_t i = 0; i < m_numbers.size(); ++i) {
    const TrainStream& stream = m_files->streams()[i];
    const bool hasTables = hasAny(m_numbers[i]); // some files may have none of the tables
    const std::uint64_t begin = m_isStored[i] ? m_storedBatches.rangeAt(numbers[first]).first
                                : hasTables   ? batches.rangeAt(numbers[first]).first
                                              : numbers[first];
    group(stream, selected, first, last, begin);
    if (m_groupCount == 0)
      continue;
    if (m_isStored[i]) {
      gather(i, m_storedBatches.at(numbers[first]));
      continue;
    }
    Batch list(noTables, begin, static_cast<std::size_t>(numbers[last - 1] + 1 - begin));
    list.setOrigin(m_part.file);
    const Batch& batch = hasTables ? batches.at(numbers[first]) : list;
    const std::vector<TakenObjects> taken =
        takenOf(stream, batch, selected, first, last, arguments);
    std::optional<WrittenEntries> written;
    try {
      written.emplace(stream.contents, batch,
                      hasTables ? m_numbers[i] : std::span<const std::uint32_t>(), taken);
    } catch (const Error& error) {
      const auto output = static_cast<std::size_t>(std::countr_zero(stream.outputs));
      fail(error.kind(), m_files->outputs()[output].path, ": ", error.what());
    }
    gather(i, written->batch());
  }
}

/// Once it is the part's turn, entries go to the files without being gathered here.
void TrainAccumulator::takeTurn() {
  if (m_isTurn || !m_files->isTurnOf(m_part))
    return;
  m_files->write(m_part, *m_entries);
  m_isTurn = true;
}

/// Gathers the grouped entries of a stream's batch.
void TrainAccumulator::gather(std::size_t stream, const Batch& batch) {
  for (const Group& some : std::span(m_groups).first(m_groupCount)) {
    if (m_isTurn) {
      m_files->add(stream, some.outputs, batch, some.runs);
      continue;
    }
    std::unique_ptr<JoinedBatch>& gathered = m_entries->streams[stream][some.outputs];
    if (!gathered)
      gathered = std::make_unique<JoinedBatch>(batch.schema());
    const std::uint64_t before = gathered->bytes();
    gathered->append(batch, some.runs);
    m_entries->bytes += gathered->bytes() - before;
  }
}

/// Groups entries by the set of a stream's outputs that take them, as runs counted from `begin`.
void TrainAccumulator::group(const TrainStream& stream, const SelectedEntries& selected,
                             std::size_t first, std::size_t last, std::uint64_t begin) {
  m_groupCount = 0;
  m_groupOf.clear();
  for (std::size_t i = first; i < last; ++i) {
    const OutputSet outputs = selected.outputs[i] & stream.outputs;
    const auto entry = static_cast<std::size_t>(selected.numbers[i] - begin);
    if (stream.isShared && outputs != 0)
      addToGroup(outputs, entry);
    else
      for (OutputSet rest = outputs; rest != 0; rest &= rest - 1)
        addToGroup(rest & ~(rest - 1), entry);
  }
}

void TrainAccumulator::addToGroup(OutputSet outputs, std::size_t entry) {
  const auto [known, isNew] = m_groupOf.try_emplace(outputs, m_groupCount);
  if (isNew) {
    if (m_groupCount == m_groups.size())
      m_groups.emplace_back();
    m_groups[m_groupCount].outputs = outputs;
    m_groups[m_groupCount++].runs.clear();
  }
  std::vector<detail::RowRange>& runs = m_groups[known->second].runs;
  if (!runs.empty() && runs.back().last == entry)
    ++runs.back().last;
  else
    runs.push_back({entry, entry + 1});
}

/// Returns which objects of a batch a stream takes. In entries that no output takes, it keeps all
/// objects, so relations in them lose nothing.
std::vector<TakenObjects>
TrainAccumulator::takenOf(const TrainStream& stream, const Batch& batch,
                          const SelectedEntries& selected, std::size_t first, std::size_t last,
                          std::span<const detail::ArgumentValues> arguments) const {
  std::vector<TakenObjects> all;
  for (const TrainStream::Thinning& thinning : stream.thinnings) {
    const auto offsets = batch.offsets(thinning.collection);
    const detail::ColumnValues& values = arguments[thinning.argument].column;
    TakenObjects& taken = all.emplace_back(TakenObjects{
        thinning.collection, std::vector<std::uint8_t>(offsets.back(), 1), thinning.lost});
    for (std::size_t i = first; i < last; ++i) {
      if ((selected.outputs[i] & stream.outputs) == 0)
        continue;
      const auto entry = static_cast<std::size_t>(selected.numbers[i] - batch.firstEntry());
      const std::size_t objects = offsets[entry + 1] - offsets[entry];
      const std::size_t begin = values.offsets[0][i], size = values.offsets[0][i + 1] - begin;
      if (size != objects)
        throw detail::EntryFailure{
            i, std::make_exception_ptr(
                   Error(ErrorKind::usage,
                         "thinning returned bools for " + counted(size, "object") + ", but '" +
                             thinning.collection + "' has " + std::to_string(objects)))};
      if (size > 0)
        std::memcpy(taken.isTaken.data() + offsets[entry], values.values + begin, size);
    }
  }
  return all;
}

} // namespace kaon
