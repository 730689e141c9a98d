#pragma once

#include <kaon/batch/Taking.h>
#include <kaon/batch/WriterOptions.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kaon {

/// A file that a train writes.
struct TrainOutput {
  std::string path;
  /// Which entries: an expression that is a bool for each of them, see docs/expressions.md, such as
  /// a column that a function defines; all entries if it is empty.
  std::string selection = {};
  /// What is kept of an entry: collections, parameters and values by their names; all if empty.
  std::vector<std::string> keep = {};
  /// What is not: collections, parameters and values; what lies in them, such as "Muon.hits" or
  /// "Muon.covariance". Relations to what is dropped lead to nothing.
  std::vector<std::string> drop = {};
  /// Which objects of collections, by expressions that are a bool for each object: {"Muon",
  /// "Muon.pt > 10"}.
  std::map<std::string, std::string> thin = {};
  /// What becomes of relations to objects that are dropped so.
  LostReference lost = LostReference::becomesNone;
  /// Only where its entries are, no data: see Parents.
  bool isVirtual = false;
};

struct TrainOptions {
  /// How the files are written. Memory is that of all files together. Tags, keys and precision are
  /// those of the files that are read.
  WriterOptions writer = {};
  /// Each file has its entries in the order of the dataset, as is usual; an entry is encoded for
  /// each file that takes it. Else what the same files take is encoded once, and lies together in
  /// them: two thirds of the time where each entry goes to two files.
  bool keepsOrder = true;
  /// Entries know where they come from: see batch/Provenance.h. Files of formats that cannot hold
  /// it do not have it.
  bool provenance = true;
  /// A cluster of a .kaon file that an output takes whole is copied as it is stored, where nothing
  /// of its entries is dropped and it is compressed by the codec that the train writes, whatever
  /// the level. Not where `writer` says more of how it is encoded: encodings, favour, sizes of
  /// clusters and pages that it does not have.
  bool copiesClusters = true;
  /// Outputs get what else the files of the dataset have, such as runs, all of it; but for lists,
  /// and for what a format cannot hold, of which a warning tells.
  bool otherCategories = true;
  /// A file with a bool for each output and entry of the dataset, called as the output's path is
  /// without directory and suffix: a friend of the dataset. None if it is empty.
  std::string decisions = {};
};

/// What a train wrote, or would write.
struct TrainReport {
  struct Output {
    std::string path;
    std::uint64_t entries = 0;
    std::uint64_t bytes = 0;
  };
  std::uint64_t entries = 0;        ///< that were looked at
  std::uint64_t encodedEntries = 0; ///< for all outputs, each with the data that it has there
  std::uint64_t copiedEntries = 0;  ///< as they were stored, for all outputs
  std::vector<Output> outputs;
};

} // namespace kaon
