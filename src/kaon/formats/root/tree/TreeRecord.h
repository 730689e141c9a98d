#pragma once

#include <kaon/codec/Codec.h>
#include <kaon/formats/root/objects/RootObjectWriter.h>
#include <kaon/formats/root/tree/BranchPlan.h>
#include <kaon/model/Schema.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kaon::root {

/// The places of the baskets that were written for a branch.
struct WrittenBranch {
  std::vector<std::uint32_t> bytes;
  std::vector<std::uint64_t> firstEntries, positions;
  std::uint64_t entries = 0, decodedBytes = 0, storedBytes = 0;
  std::uint64_t absentUntil = 0; ///< of presence: earlier entries without baskets lack the table
  std::uint32_t mostRows = 0;
};

/// The contents of a tree's record.
struct WrittenTree {
  /// Consecutive clusters with the same number of entries.
  struct Clusters {
    std::uint64_t lastEntry, entries;
  };
  std::string name;
  Compression codec;
  std::size_t pageBytes;
  Schema schema = {};
  std::vector<BranchPlan> plans = {};
  std::vector<WrittenBranch> branches = {}; ///< of each plan
  std::vector<Clusters> clusters = {};
  std::uint64_t entries = 0;
};

/// Writes the tree as an object: TTree, version 20, with its branches and their leaves.
void putTree(RootObjectWriter& writer, const WrittenTree& tree);

} // namespace kaon::root
