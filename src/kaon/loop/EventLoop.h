#pragma once

#include <kaon/event/Reader.h>
#include <kaon/loop/AlgorithmFunction.h>
#include <kaon/loop/LoopOptions.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kaon {

/// Algorithms through which all events of files go, several events at a time:
///
///   kaon::EventLoop loop;
///   loop.add("tracking", findTracks, {"TrackerHits"}, {"Tracks"});
///   loop.add("vertexing", Vertexing{.maximalChi2 = 9}, {"Tracks", "BeamSpot.x"}, {"Vertices"});
///   loop.write({.path = "reco.kaon", .keep = {"MCParticles"}});
///   loop.run(kaon::Reader("sim.kaon")["events"]);
///
/// An algorithm is a function, a lambda or another object with one operator(). What it takes:
///
/// | parameter | input |
/// | --- | --- |
/// | `const HitCollection&` | a collection, without which there is no event |
/// | `const HitCollection*` | a collection; null where there is none |
/// | `OnDemand<HitCollection>` | a collection that is looked at in some events only |
/// | a number, `std::optional` of one | a parameter, tag or member with one value an event |
/// | `Array<float>` | a column of the file with a list of numbers an event: "Muon.pt" |
/// | a string, a vector, `std::optional` of one | a parameter |
///
/// What it gives is put into the event: a collection, a parameter, a std::tuple of several, or
/// nothing. One that gives a bool which has no name is a filter: where it says false, the event
/// ends, no later algorithm sees it and it is not written. Each algorithm comes after those that
/// make what it takes; else they keep the order in which they were added.
///
/// Of the input nothing is read that is not taken or kept: counts of a collection where an
/// algorithm is given it, members where they are touched, columns of numbers where an algorithm is
/// given them, a page at a time.
///
/// **Threads.** The loop runs in the threads of the caller's oneTBB arena, each of which has one
/// event at a time, of a part of the entries that is its own. An algorithm that is added as it is
/// belongs to the loop and is shared: its operator() is const and may be called by any number of
/// threads. perThread() makes one for each thread. What an algorithm is given belongs to the event
/// and lasts until the event ends; what it gives belongs to the event from then on.
///
/// Adding is for one thread; then any number of threads may run a loop that writes nothing.
class EventLoop {
public:
  /// Adds an algorithm. Throws Error(usage) for more or fewer names than it has inputs and outputs.
  template <class F>
  EventLoop& add(std::string name, F algorithm, Inputs inputs = {}, Outputs outputs = {}) {
    m_algorithms.push_back(std::make_shared<const loop::Algorithm>(loop::algorithmOf(
        std::move(name), std::move(algorithm), std::move(inputs), std::move(outputs))));
    return *this;
  }
  /// Events are written, in the order of the input, whatever the threads do; without this, they are
  /// not. Parts of the entries become clusters; so a file has the same clusters and tables for any
  /// number of threads, as long as there is enough memory for the writer, and an event of the first
  /// part has all collections. Its bytes may differ: who encodes a page tries encodings anew.
  EventLoop& write(LoopOutput output) {
    m_output = std::move(output);
    return *this;
  }

  /// The names of the algorithms in the order in which an event goes through them. Throws as run().
  [[nodiscard]] std::vector<std::string> order() const;

  /// Goes through all events of the category. Before the first event it throws Error(usage) where
  /// two algorithms, or an algorithm and the file, have outputs of one name, and where algorithms
  /// wait for each other; Error(name), with a suggestion, for an input that neither the file nor an
  /// algorithm has; Error(type) where it is something else. What an algorithm throws, and errors of
  /// reading and writing, end the loop and are thrown as Error, which says in which file,
  /// category, entry and algorithm it happened; the kind is that of an Error, else `usage`. What is
  /// no std::exception, and what merging and Progress throw, is thrown again as it is. Then the
  /// output is left as PATH.part, and what was at its path stays.
  LoopSummary run(const Category& events, const LoopOptions& options = {}) const {
    return run(std::vector{events}, options);
  }
  /// The same of several files, one after another in the output.
  LoopSummary run(const std::vector<Category>& events, const LoopOptions& options = {}) const;

private:
  std::vector<std::shared_ptr<const loop::Algorithm>> m_algorithms;
  std::optional<LoopOutput> m_output;
};

} // namespace kaon
