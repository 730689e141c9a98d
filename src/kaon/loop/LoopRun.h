#pragma once

#include <kaon/base/Error.h>
#include <kaon/base/ProgressCount.h>
#include <kaon/base/Tasks.h>
#include <kaon/detail/loop/BoundCategory.h>
#include <kaon/detail/loop/Event.h>
#include <kaon/detail/loop/Schedule.h>
#include <kaon/event/Writer.h>
#include <kaon/loop/LoopChunks.h>
#include <kaon/loop/LoopOptions.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace kaon::loop {

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

} // namespace kaon::loop
