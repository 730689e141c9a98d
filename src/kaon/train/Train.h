#pragma once

#include <kaon/base/Progress.h>
#include <kaon/batch/MissingValues.h>
#include <kaon/dataset/Dataframe.h>
#include <kaon/model/ModelDatatypes.h>
#include <kaon/model/Schema.h>
#include <kaon/train/TrainPlan.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kaon {

/// Writes several files in one pass over a dataset: which entries each takes, and what of them.
///
///   kaon::Train train(kaon::dataset({"run7/*.kaon"}, "events"));
///   train.add({.path = "dimuons.kaon", .selection = "count(Muon) >= 2"});
///   train.add({.path = "met.kaon", .selection = "MET_pt > 100", .keep = {"MET_pt", "Jet"}});
///   const kaon::TrainReport report = train.run();
///
/// C++ functions select by columns that the dataframe defines. All threads of the caller's arena
/// work; which entries are written, in which order, does not depend on their number. For one thread
/// at a time.
class Train {
public:
  /// Of the entries of a dataframe. Opens all of its files: outputs have the tables of all, absent
  /// where one lacks them; run() and estimate() warn of values, which cannot be. Throws as opening
  /// does.
  explicit Train(Dataframe events, TrainOptions options = {});

  /// What can be kept: the collections, parameters and values of all files.
  [[nodiscard]] std::vector<std::string> contents() const;
  /// Adds an output; at most 64. Throws Error(name), with a suggestion, and Error(type) for what
  /// does not fit the dataset, Error(usage) for a path that is another output's or is read.
  void add(TrainOutput output);

  /// Writes all files; they appear when all is there, and if something is thrown none does. Throws
  /// Error(usage) for what a format cannot hold, Error(io), and as reading does.
  TrainReport run(const Progress& progress = {}) const;
  /// What run() would report, from about so many entries, some here and some there; nothing is
  /// written.
  [[nodiscard]] TrainReport estimate(std::uint64_t sampledEntries = 100'000) const;

private:
  [[nodiscard]] TrainReport run(const Dataframe& events, std::optional<double> trialScale,
                                const Progress& progress) const;

  Dataframe m_events;
  TrainOptions m_options;
  MissingValues m_missing; // in some of the files
  std::vector<ModelDatatypes::Document> m_models;
  std::vector<Schema> m_schemas; // that the files have, each once
  std::vector<TrainOutput> m_outputs;
};

} // namespace kaon
