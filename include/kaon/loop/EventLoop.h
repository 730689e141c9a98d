#pragma once

#include <kaon/base/Tasks.h>
#include <kaon/detail/loop/AlgorithmFunction.h>
#include <kaon/event/Reader.h>
#include <kaon/writing/WriterOptions.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kaon {

/// The names of an algorithm's inputs, in the order of its function's parameters.
struct Inputs {
  Inputs() = default;
  Inputs(std::initializer_list<std::string> all) : names(all) {}
  explicit Inputs(std::vector<std::string> all) : names(std::move(all)) {}
  std::vector<std::string> names;
};

/// The names of an algorithm's outputs, in the order of its function's tuple.
struct Outputs {
  Outputs() = default;
  Outputs(std::initializer_list<std::string> all) : names(all) {}
  explicit Outputs(std::vector<std::string> all) : names(std::move(all)) {}
  std::vector<std::string> names;
};

/// How to make an algorithm with mutable state for each thread, and how to merge these states.
template <class Make, class Merge>
struct PerThread {
  Make make;
  Merge merge;
};
/// Gives each thread an algorithm of its own, `make()`, whose state may change with each call.
/// After the last event, the thread that called EventLoop::run() calls `merge(algorithm)` for each
/// of them, one after another. Which events an algorithm sees depends on timing: sums of floats may
/// differ in their last bits from run to run.
template <class Make, class Merge>
[[nodiscard]] PerThread<Make, Merge> perThread(Make make, Merge merge) {
  return {std::move(make), std::move(merge)};
}
/// Gives each thread an algorithm of its own that is dropped after the last event, such as scratch
/// memory.
template <class Make>
[[nodiscard]] auto perThread(Make make) {
  return perThread(std::move(make), [](const auto& /*algorithm*/) {});
}

/// A collection that an algorithm needs in some events only; kaon reads nothing of it in the
/// others. Valid during the call of the algorithm, and only in its thread.
template <IsCollection T>
class OnDemand {
public:
  OnDemand(loop::Event& event, std::size_t input) : m_event(&event), m_input(input) {}
  /// Throw Error(name) if the event lacks the collection.
  [[nodiscard]] const T& operator*() const {
    return static_cast<const T&>(m_event->neededCollection(m_input));
  }
  [[nodiscard]] const T* operator->() const { return &**this; }
  /// Returns null if the event lacks the collection.
  [[nodiscard]] const T* getIfPresent() const {
    return static_cast<const T*>(m_event->collection(m_input));
  }

private:
  loop::Event* m_event;
  std::size_t m_input;
};

/// The file that a loop writes. A written frame has the outputs of algorithms, the collections kept
/// of the input, and all parameters of both.
struct LoopOutput {
  std::string path;
  std::vector<std::string> keep = {}; ///< collections of the input to write; "*" for all
  std::vector<std::string> drop = {}; ///< collections of algorithms not to write
  std::string category = "events";
  WriterOptions options = {};
};

/// Tells a loop whether to stop: a std::stop_token, or another object with a const function
/// stop_requested() that returns a bool and that any thread may call. This header does not include
/// <stop_token>, because libc++ lacks it before version 20.
class StopRequest {
public:
  StopRequest() = default;
  template <class Token>
    requires requires(const Token& token) {
      { token.stop_requested() } -> std::same_as<bool>;
    }
  StopRequest(Token token)
      : m_isMade([token = std::move(token)] { return token.stop_requested(); }) {}
  [[nodiscard]] bool isMade() const { return m_isMade && m_isMade(); }

private:
  std::function<bool()> m_isMade;
};

struct LoopOptions {
  /// Called with the fraction done about a hundred times, or less often if the loop is short. See
  /// Progress.
  Progress progress = {};
  /// Ends the loop between two events. Any thread may request the stop.
  StopRequest stop = {};
  /// The number of entries that a thread takes at a time, and the most that a cluster of the output
  /// has. A loop that writes no file takes several times as many if they take little time. 0 means
  /// a hundredth of all entries.
  std::uint64_t entriesPerPart = 0;
};

/// The result of a loop.
struct LoopSummary {
  std::uint64_t entries = 0;  ///< that the loop began with
  std::uint64_t accepted = 0; ///< that passed all filters
  bool isStopped = false;     ///< before the end: nothing was merged, and the output is unfinished
};

/// Runs all events of files through algorithms, several events at a time:
///
///   kaon::EventLoop loop;
///   loop.add("tracking", findTracks, {"TrackerHits"}, {"Tracks"});
///   loop.add("vertexing", Vertexing{.maximalChi2 = 9}, {"Tracks", "BeamSpot.x"}, {"Vertices"});
///   loop.write({.path = "reco.kaon", .keep = {"MCParticles"}});
///   loop.run(kaon::Reader("sim.kaon")["events"]);
///
/// An algorithm is a function, a lambda or another object with one operator(). Its parameters are
/// inputs:
///
/// | parameter | input |
/// | --- | --- |
/// | `const HitCollection&` | a collection that each event must have |
/// | `const HitCollection*` | a collection; null if the event lacks it |
/// | `OnDemand<HitCollection>` | a collection that is needed in some events only |
/// | a number, `std::optional` of one | a parameter, tag or member with one value per event |
/// | `Array<float>` | a column of the file with a list of numbers per event: "Muon.pt" |
/// | a string, a vector, `std::optional` of one | a parameter |
///
/// The result is put into the event: a collection, a parameter, a std::tuple of several, or
/// nothing. An algorithm that returns a bool without a name is a filter. If it returns false, no
/// later algorithm sees the event, and it is not written. Each algorithm runs after those that make
/// its inputs; otherwise they keep the order in which they were added.
///
/// The loop reads only the inputs of algorithms and the collections to keep. It reads the counts of
/// a collection when an algorithm gets it, and a member at the first access. It reads columns of
/// numbers a page at a time, when an algorithm gets them.
///
/// **Threads.** The loop uses the threads of the caller's oneTBB arena. Each processes one event at
/// a time, from its own part of the entries. An algorithm belongs to the loop, and all threads
/// share it: its operator() is const and may be called by any number of threads. With perThread(),
/// each thread gets its own. The inputs of an algorithm belong to the event and are valid until the
/// event ends; its outputs belong to the event, too.
///
/// Adding is for one thread. Afterwards any number of threads may run a loop that writes no file.
class EventLoop {
public:
  /// Adds an algorithm. Throws Error(usage) if the names are more or fewer than its inputs or
  /// outputs.
  template <class F>
  EventLoop& add(std::string name, F algorithm, Inputs inputs = {}, Outputs outputs = {}) {
    m_algorithms.push_back(std::make_shared<const loop::Algorithm>(loop::algorithmOf(
        std::move(name), std::move(algorithm), std::move(inputs.names), std::move(outputs.names))));
    return *this;
  }
  /// Writes the events, in the order of the input for any number of threads. Parts of the entries
  /// become clusters. A file has the same clusters and tables for any number of threads, if the
  /// writer has enough memory and one event of the first part has all collections. Its bytes may
  /// differ, because each thread that encodes pages chooses encodings by itself.
  EventLoop& write(LoopOutput output) {
    m_output = std::move(output);
    return *this;
  }

  /// Returns the names of the algorithms in the order in which an event goes through them. Throws
  /// the errors of run().
  [[nodiscard]] std::vector<std::string> order() const;

  /// Runs all events of the category. Throws these errors before the first event:
  /// - Error(usage) if two algorithms, or an algorithm and the file, have outputs of one name, or
  ///   if algorithms wait for each other;
  /// - Error(name), with a suggestion, for an input that neither the file nor an algorithm has;
  /// - Error(type) if the input has another type.
  ///
  /// Exceptions of algorithms, and errors of reading and writing, end the loop. They are thrown as
  /// Error, with the file, category, entry and algorithm; the kind is that of an Error, else
  /// `usage`. Exceptions not derived from std::exception, and those of merging and Progress, are
  /// thrown unchanged. The output is then left as PATH.part, and the file at its path stays.
  LoopSummary run(const Category& events, const LoopOptions& options = {}) const {
    return run(std::vector{events}, options);
  }
  /// Runs all events of several files; their events follow each other in the output.
  LoopSummary run(const std::vector<Category>& events, const LoopOptions& options = {}) const;

private:
  std::vector<std::shared_ptr<const loop::Algorithm>> m_algorithms;
  std::optional<LoopOutput> m_output;
};

} // namespace kaon
