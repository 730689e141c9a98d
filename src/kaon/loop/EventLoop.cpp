#include <kaon/loop/EventLoop.h>

#include <kaon/base/Error.h>
#include <kaon/base/Indented.h>
#include <kaon/base/ProgressCount.h>
#include <kaon/base/Suggestion.h>
#include <kaon/base/Tasks.h>
#include <kaon/detail/array/Arena.h>
#include <kaon/detail/loop/BoundCategory.h>
#include <kaon/detail/loop/Event.h>
#include <kaon/detail/loop/Schedule.h>
#include <kaon/event/Writer.h>
#include <kaon/loop/LoopChunks.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <string_view>

namespace kaon::loop {
namespace {

/// Thrown to end the work of a thread when the loop stops, and by the loop when a stop was
/// requested.
struct LoopInterruption {
  LoopSummary summary;
};

/// One run of a loop: takes the events of some files through the algorithms. Owns the state of the
/// threads, the state that they share, and the output file.
class LoopRun {
public:
  /// Checks all arguments, which must outlive this object. Throws the errors of EventLoop::run().
  LoopRun(const Schedule& schedule, const std::vector<Category>& events,
          const std::optional<LoopOutput>& output, const LoopOptions& options);

  /// Call it once. Throws the errors of EventLoop::run(), and LoopInterruption.
  [[nodiscard]] LoopSummary run();

private:
  static constexpr std::size_t noAlgorithm = Schedule::none;

  /// The state of one thread.
  struct Slot {
    explicit Slot(const Schedule& schedule) : event(schedule) {}
    Event event;
    std::vector<std::unique_ptr<AlgorithmCall>> calls;
    std::size_t algorithm = noAlgorithm; ///< being called now
    std::size_t partsAtOnce = 1;
    std::uint64_t entries = 0;
    std::uint64_t accepted = 0;
  };
  /// The collections of a file's frames to write; nothing for all.
  using Written = std::optional<std::vector<std::string>>;

  [[nodiscard]] Written writtenOf(const Source& source, const LoopOutput& output) const;
  void prepare(Slot& slot);
  void beginFirstPart(Slot& slot);
  void work(Slot& slot);
  [[nodiscard]] bool takeParts(Slot& slot);
  void finishPart(Slot& slot, std::size_t part, EntryRange entries,
                  std::unique_ptr<Writer::Filler> filler);
  std::uint64_t runEntries(Slot& slot, std::size_t part, EntryRange entries, Writer::Filler* filler,
                           bool untilWritten);
  [[nodiscard]] bool mustStop();
  [[nodiscard]] bool passes(Slot& slot);
  void write(Slot& slot, std::size_t part, Writer::Filler& filler);
  [[nodiscard]] Error locate(const std::exception& error, const Slot& slot, std::size_t part) const;
  [[nodiscard]] std::unique_ptr<Writer::Filler> fillerOf(std::size_t part);
  [[nodiscard]] LoopSummary summary(bool isStopped) const;
  void setFailed(std::exception_ptr error);

  const Schedule& m_schedule;
  const std::optional<LoopOutput>& m_output;
  const LoopOptions& m_options;
  std::vector<BoundCategory> m_inputs;
  std::vector<Written> m_written; // of each input
  std::vector<LoopChunk> m_parts;
  std::optional<Writer> m_writer;

  std::atomic<bool> m_stop = false;
  std::atomic<std::size_t> m_nextPart = 0;
  std::mutex m_mutex; // guards the members below, and the making of calls
  std::exception_ptr m_error;
  std::vector<std::unique_ptr<Slot>> m_slots;
  // The first part, up to its first written event.
  std::unique_ptr<Writer::Filler> m_firstFiller;
  std::uint64_t m_firstEnd = 0;
  std::optional<ProgressCount> m_progress;
};

std::vector<const Source*> sourcesOf(const std::vector<Category>& events) {
  std::vector<const Source*> sources;
  for (const Category& each : events)
    sources.push_back(&each.source());
  return sources;
}

std::uint64_t entriesOf(const std::vector<LoopChunk>& parts) {
  std::uint64_t entries = 0;
  for (const LoopChunk& part : parts)
    entries += part.entries.size();
  return entries;
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

void checkKnown(std::string_view what, const std::vector<std::string>& names,
                const std::vector<std::string>& known, std::string_view where) {
  for (const std::string& name : names)
    if (!contains(known, name))
      fail(ErrorKind::name, "there is no '", name, "' to ", what, " in ", where,
           suggestion(name, known));
}

LoopRun::LoopRun(const Schedule& schedule, const std::vector<Category>& events,
                 const std::optional<LoopOutput>& output, const LoopOptions& options)
    : m_schedule(schedule), m_output(output), m_options(options),
      m_parts(partsOf(sourcesOf(events), options.entriesPerPart)) {
  m_inputs.reserve(events.size());
  for (const Category& each : events) {
    m_inputs.emplace_back(schedule, each);
    if (output)
      m_written.push_back(writtenOf(each.source(), *output));
  }
  m_progress.emplace(options.progress, entriesOf(m_parts));
}

LoopRun::Written LoopRun::writtenOf(const Source& source, const LoopOutput& output) const {
  std::vector<std::string> collections;
  for (const Table table : source.schema().tables())
    if (table.kind == TableKind::collection)
      collections.emplace_back(table.name);
  const bool isAllKept = contains(output.keep, "*");
  if (!isAllKept)
    checkKnown("keep", output.keep, collections, source.name());
  checkKnown("drop", output.drop, m_schedule.outputNames(), "the outputs of the algorithms");
  for (const Schedule::Output& each : m_schedule.outputs())
    if (!each.info->collection && contains(output.drop, each.info->name))
      fail(ErrorKind::usage, "'", each.info->name,
           "' is a parameter, and all parameters are written: only collections can be dropped");
  if (isAllKept && output.drop.empty())
    return std::nullopt;
  std::vector<std::string> written = isAllKept ? collections : output.keep;
  for (const Schedule::Output& each : m_schedule.outputs())
    if (each.info->collection && !contains(output.drop, each.info->name))
      written.push_back(each.info->name);
  return written;
}

LoopSummary LoopRun::run() {
  if (m_output)
    m_writer.emplace(m_output->path, m_output->options);
  for (std::size_t i = 0; i < std::min(threads(), std::max<std::size_t>(1, m_parts.size())); ++i)
    m_slots.push_back(std::make_unique<Slot>(m_schedule));
  try {
    if (m_writer && !m_parts.empty())
      beginFirstPart(*m_slots.front());
    forEach(m_slots.size(), [&](std::size_t i) { work(*m_slots[i]); });
  } catch (...) {
    setFailed(std::current_exception());
    if (m_error)
      std::rethrow_exception(m_error);
    throw LoopInterruption{summary(true)};
  }
  for (const auto& slot : m_slots)
    for (const auto& call : slot->calls)
      call->merge();
  if (m_writer)
    m_writer->finish();
  return summary(false);
}

LoopSummary LoopRun::summary(bool isStopped) const {
  LoopSummary sum{.isStopped = isStopped};
  for (const auto& slot : m_slots) {
    sum.entries += slot->entries;
    sum.accepted += slot->accepted;
  }
  return sum;
}

void LoopRun::prepare(Slot& slot) {
  if (!slot.calls.empty())
    return;
  const std::lock_guard lock(m_mutex);
  for (const Schedule::Step& step : m_schedule.steps())
    slot.calls.push_back(step.algorithm->makeCall(step.place));
}

/// Writes the first event before other threads begin, so the tables of the output have the same
/// order whatever the threads do.
void LoopRun::beginFirstPart(Slot& slot) {
  prepare(slot);
  m_nextPart = 1;
  m_firstFiller = fillerOf(0);
  m_firstEnd = runEntries(slot, 0, m_parts.front().entries, m_firstFiller.get(), true);
}

void LoopRun::work(Slot& slot) try {
  if (&slot == m_slots.front().get() && m_firstFiller)
    finishPart(slot, 0, {m_firstEnd, m_parts.front().entries.last}, std::move(m_firstFiller));
  while (takeParts(slot)) {
  }
} catch (...) {
  setFailed(std::current_exception());
  throw;
}

/// Takes some parts and finishes them; returns false if there are no more. If no file is written,
/// consecutive parts are processed as one, so their pages are decoded once. The less time parts
/// take, the more are taken at a time.
bool LoopRun::takeParts(Slot& slot) {
  const std::size_t first = m_nextPart.fetch_add(slot.partsAtOnce);
  if (first >= m_parts.size())
    return false;
  prepare(slot);
  const auto begin = std::chrono::steady_clock::now();
  const std::size_t last = std::min(first + slot.partsAtOnce, m_parts.size());
  for (std::size_t part = first, next = first; part < last; part = next) {
    EntryRange entries = m_parts[part].entries;
    while (++next < last && m_parts[next].source == m_parts[part].source)
      entries.last = m_parts[next].entries.last;
    finishPart(slot, part, entries, fillerOf(part));
  }
  constexpr std::size_t most = 16;
  constexpr std::chrono::milliseconds shortTime{50};
  const bool isShort = std::chrono::steady_clock::now() - begin < shortTime;
  if (!m_writer)
    slot.partsAtOnce = isShort ? std::min(2 * slot.partsAtOnce, most) : 1;
  return true;
}

/// Keeps the first error, because later errors follow from the end of the loop. Call it before the
/// filler of the thread is destroyed: its end makes the writing of other threads fail.
void LoopRun::setFailed(std::exception_ptr error) {
  const std::lock_guard lock(m_mutex);
  if (!m_stop.exchange(true))
    m_error = std::move(error);
}

std::unique_ptr<Writer::Filler> LoopRun::fillerOf(std::size_t part) {
  if (!m_writer)
    return nullptr;
  return std::make_unique<Writer::Filler>(m_writer->filler(m_output->category, part));
}

void LoopRun::finishPart(Slot& slot, std::size_t part, EntryRange entries,
                         std::unique_ptr<Writer::Filler> filler) {
  (void)runEntries(slot, part, entries, filler.get(), false);
  if (filler)
    filler->finish();
  m_progress->add(entries.last - m_parts[part].entries.first);
}

inline bool LoopRun::mustStop() {
  if (m_options.stop.isMade()) [[unlikely]]
    m_stop = true;
  return m_stop.load(std::memory_order_relaxed);
}

/// Returns whether no filter rejects the event.
inline bool LoopRun::passes(Slot& slot) {
  for (slot.algorithm = 0; slot.algorithm < slot.calls.size(); ++slot.algorithm)
    if (!slot.calls[slot.algorithm]->run(slot.event)) {
      slot.algorithm = noAlgorithm;
      return false;
    }
  slot.algorithm = noAlgorithm;
  return true;
}

/// Takes entries through all algorithms, or only entries up to the first written one; returns the
/// entry where it ended.
std::uint64_t LoopRun::runEntries(Slot& slot, std::size_t part, EntryRange entries,
                                  Writer::Filler* filler, bool untilWritten) {
  Event& event = slot.event;
  try {
    event.enter(m_inputs[m_parts[part].source], entries);
    detail::ArenaScope arena;
    while (event.nextBatch())
      for (std::size_t row = 0; row < event.rows(); ++row) {
        if (mustStop()) [[unlikely]]
          throw LoopInterruption();
        event.goTo(row);
        ++slot.entries;
        const bool isAccepted = passes(slot);
        arena.release();
        if (!isAccepted)
          continue;
        ++slot.accepted;
        if (filler) {
          write(slot, part, *filler);
          if (untilWritten)
            return event.entry() + 1;
        }
      }
  } catch (const std::exception& error) {
    setFailed(std::make_exception_ptr(locate(error, slot, part)));
    throw;
  } catch (...) {
    setFailed(std::current_exception());
    throw;
  }
  return entries.last;
}

void LoopRun::write(Slot& slot, std::size_t part, Writer::Filler& filler) {
  const Written& written = m_written[m_parts[part].source];
  if (written)
    filler.write(slot.event.frame(), *written);
  else
    filler.write(slot.event.frame());
}

/// Returns the error with the place where it happened.
Error LoopRun::locate(const std::exception& error, const Slot& slot, std::size_t part) const {
  std::string where = m_inputs[m_parts[part].source].source().name() + ", entry " +
                      std::to_string(slot.event.entry());
  if (slot.algorithm != noAlgorithm)
    where += ", " + m_schedule.nameOf(slot.algorithm);
  if (const auto* const own = dynamic_cast<const Error*>(&error))
    return {own->kind(), where + ": " + own->what()};
  return {ErrorKind::usage, where + ": " + indented(error.what())};
}

} // namespace
} // namespace kaon::loop

namespace kaon {

std::vector<std::string> EventLoop::order() const {
  const loop::Schedule schedule(m_algorithms);
  std::vector<std::string> names;
  for (const loop::Schedule::Step& step : schedule.steps())
    names.push_back(step.algorithm->name);
  return names;
}

LoopSummary EventLoop::run(const std::vector<Category>& events, const LoopOptions& options) const {
  const loop::Schedule schedule(m_algorithms);
  try {
    return loop::LoopRun(schedule, events, m_output, options).run();
  } catch (const loop::LoopInterruption& stopped) {
    return stopped.summary;
  }
}

} // namespace kaon
