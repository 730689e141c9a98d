#pragma once

#include <kaon/base/Tasks.h>
#include <kaon/dataset/Dataframe.h>
#include <kaon/train/TrainPlan.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kaon {

namespace detail {

class LeftOutColumns;
struct TrainInput;

} // namespace detail

/// Writes several files in one pass over a dataset. Each output selects its entries and their
/// contents.
///
///   kaon::Train train(kaon::dataset({"run7/*.kaon"}, "events"));
///   train.add({.path = "dimuons.kaon", .selection = "count(Muon) >= 2"});
///   train.add({.path = "met.kaon", .selection = "MET_pt > 100", .keep = {"MET_pt", "Jet"}});
///   const kaon::TrainReport report = train.run();
///
/// C++ functions select by columns that the dataframe defines. All threads of the caller's arena
/// work; the written entries and their order do not depend on the number of threads. For one thread
/// at a time.
class Train {
public:
  /// Prepares a train over the entries of a dataframe, and opens all files. Outputs have the tables
  /// of all files; a table that a file lacks is absent in its entries. Values that a file lacks are
  /// optional. run() and estimate() warn of decorations that a file lacks. Throws the errors of
  /// opening, and Error(name) for a file that has none of the columns of the first one, unless the
  /// dataset leaves bad files out.
  explicit Train(Dataframe events, TrainOptions options = {});

  /// Returns the names that can be kept: the collections, parameters and values of all files.
  [[nodiscard]] std::vector<std::string> contents() const;
  /// Adds an output; at most 64. Throws Error(name), with a suggestion, and Error(type) if the
  /// output does not fit the dataset. Throws Error(usage) for the path of another output or of an
  /// input.
  void add(TrainOutput output);

  /// Writes all files. They appear together at the end; after an exception none appears. Throws
  /// Error(usage) if a format cannot hold the data, Error(io), and the errors of reading.
  TrainReport run(const Progress& progress = {}) const;
  /// Estimates the result of run() from about `sampledEntries` entries, spread over the dataset;
  /// writes no file.
  [[nodiscard]] TrainReport estimate(std::uint64_t sampledEntries = 100'000) const;

private:
  [[nodiscard]] TrainReport run(const Dataframe& events, std::optional<double> trialScale,
                                const Progress& progress) const;
  [[nodiscard]] TrainReport runWithout(const detail::LeftOutColumns& leftOut,
                                       const Dataframe& events, std::optional<double> trialScale,
                                       const Progress& progress) const;

  Dataframe m_events;
  TrainOptions m_options;
  std::shared_ptr<const detail::TrainInput> m_input;
  std::vector<TrainOutput> m_outputs;
};

} // namespace kaon
