#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kaon::root {

// Tables as the branches of a tree:
//
//   a value                          a leaf, or one for each of its members
//   a collection, a list of records  a counter "nMuon", and for each member "Muon_pt[nMuon]"
//   a list of arrays of fixed length a counter "nP", and "P[nP][4]"
//   a list of numbers, of strings    std::vector
//   a string                         std::string
//   whether a table that can be absent is there, where it is not always: a bool NAME_present

/// The most values of a leaf that are read.
inline constexpr std::uint32_t mostLeafValues = 1U << 24;

struct BranchPlan {
  enum class Kind : std::uint8_t {
    values,  ///< of fixed size: leaves, one for each member
    counts,  ///< how many rows there are
    counted, ///< one member of as many rows as the counter says
    text,    ///< the characters of a string
    vector,  ///< numbers
    texts,   ///< strings
    presence ///< whether the table is there
  };
  Kind kind = Kind::values;
  std::string name;
  std::uint32_t table = 0;            ///< with the rows; of strings that of the characters
  std::uint32_t member = 0;           ///< of a counted branch
  std::uint32_t counter = 0;          ///< likewise: the number of the branch that counts
  std::uint32_t counts = Table::none; ///< of a counter: the value that says the same, as in NanoAOD
  friend bool operator==(const BranchPlan&, const BranchPlan&) = default;
};

/// Plans the branches of a schema in which no table lies in rows (Layout::row), counters before
/// what they count, presence behind the table. Throws Error(usage) that names a table that a tree
/// cannot hold, and says why; `file` is for the message.
[[nodiscard]] std::vector<BranchPlan> planBranches(const Schema& schema, const std::string& file);

/// The branches that say whether tables are there, by the numbers of these.
[[nodiscard]] std::map<std::uint32_t, std::string> presenceBranches(const Schema& schema);

/// The tables that a tree cannot hold. A collection is held without the lists and relations in it.
[[nodiscard]] std::vector<Loss> lossesInTrees(const Schema& schema);

} // namespace kaon::root
