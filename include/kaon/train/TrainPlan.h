#pragma once

#include <kaon/batch/EntrySelection.h>
#include <kaon/dataset/MissingData.h>
#include <kaon/writing/WriterOptions.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kaon {

/// A file that a train writes.
struct TrainOutput {
  std::string path;
  /// The entries to write: an expression that gives a bool for each entry, see docs/expressions.md,
  /// such as a column defined by a function. All entries if empty.
  std::string selection = {};
  /// The contents to keep of each entry: names of collections, parameters and values. All if empty.
  std::vector<std::string> keep = {};
  /// The contents to drop: collections, parameters and values, or parts of them, such as
  /// "Muon.hits" or "Muon.covariance". Relations to dropped objects become unset.
  std::vector<std::string> drop = {};
  /// The objects to keep of collections, by expressions that give a bool for each object: {"Muon",
  /// "Muon.pt > 10"}.
  std::map<std::string, std::string> thin = {};
  /// The treatment of relations to objects that `thin` drops.
  LostReference lost = LostReference::becomesNone;
  /// Stores only where the entries are, no data: see Parents.
  bool isVirtual = false;
};

struct TrainOptions {
  /// How to write the files. Memory is for all files together. Tags, keys and precision are those
  /// of the input files.
  WriterOptions writer = {};
  /// If true, each file has its entries in the order of the dataset, and an entry is encoded for
  /// each file that takes it. If false, entries for the same files are encoded once and stored
  /// together. This takes two thirds of the time if each entry goes to two files.
  bool keepsOrder = true;
  /// Entries store where they come from: see WriterOptions::provenance. Files of formats that
  /// cannot hold provenance lack it.
  bool provenance = true;
  /// Copies a stored cluster of a .kaon file if an output takes it completely and drops nothing of
  /// its entries. The cluster must have the codec that the train writes, at any level. No cluster
  /// is copied if `writer` sets encodings, another goal, or other sizes in bytes. With its
  /// `clusterEntries`, only clusters with that number of entries are copied.
  bool copiesClusters = true;
  /// Outputs get the other categories of the dataset's files, such as runs, completely. Virtual
  /// outputs do not get them. A warning names categories that a format cannot hold.
  bool otherCategories = true;
  /// The path of a file with a bool for each output and entry of the dataset: a friend of the
  /// dataset. Each bool has the name of the output's path without directory and suffix. Not written
  /// if empty.
  std::string decisions = {};
};

/// The files that a train wrote, or would write.
struct TrainReport {
  struct Output {
    std::string path;
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0;
  };
  std::uint64_t entries = 0;        ///< that were read
  std::uint64_t encodedEntries = 0; ///< for all outputs, each with the contents that it has there
  std::uint64_t copiedEntries = 0;  ///< in stored form, for all outputs
  std::vector<Output> outputs;
  std::vector<BadFile> badFiles; ///< that were left out
};

} // namespace kaon
