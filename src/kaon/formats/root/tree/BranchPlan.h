#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kaon::root {

// Maps tables to the branches of a tree:
//
//   a value                          a leaf, or one for each of its members
//   a collection, a list of records  a counter "nMuon", and for each member "Muon_pt[nMuon]"
//   a list of arrays of fixed length a counter "nP", and "P[nP][4]"
//   a list of numbers, of strings    std::vector
//   a string                         std::string
//   an optional table                its branches, and a bool NAME_present if some entries lack it

/// The most values of a leaf that kaon reads.
inline constexpr std::uint32_t mostLeafValues = 1U << 24;

struct BranchPlan {
  enum class Kind : std::uint8_t {
    values,  ///< of fixed size: one leaf for each member
    counts,  ///< the number of rows
    counted, ///< one member of counted rows
    text,    ///< the characters of a string
    vector,  ///< numbers
    texts,   ///< strings
    presence ///< whether an entry has the table
  };
  Kind kind = Kind::values;
  std::string name;
  TableNumber table = 0;     ///< With the rows; for strings, with the characters.
  std::uint32_t member = 0;  ///< Of a counted branch.
  std::uint32_t counter = 0; ///< Of a counted branch: number of the branch with the counts.
  /// For a counter: the value table with the same numbers, as in NanoAOD.
  TableNumber counts = Table::none;
  friend bool operator==(const BranchPlan&, const BranchPlan&) = default;
};

/// The name of a member in branches and leaves: an optional row's members have no first part.
[[nodiscard]] inline std::string_view nameInBranch(const Member& member) noexcept {
  return member.name.substr(member.name.starts_with('.') ? 1 : 0);
}

/// Plans the branches of a schema whose tables all store their columns separately (no Layout::row).
/// Counters come before the branches that they count, presence behind the table. Throws
/// Error(usage) with the name of a table that a tree cannot hold, and the reason. `file` is for the
/// message.
[[nodiscard]] std::vector<BranchPlan> planBranches(const Schema& schema, const std::string& file);

/// Returns the names of the presence branches, by number of the table.
[[nodiscard]] std::map<std::uint32_t, std::string> presenceBranches(const Schema& schema);

/// Returns the tables that a tree cannot hold. Collections are written without their lists and
/// relations.
[[nodiscard]] std::vector<detail::Loss> lossesInTrees(const Schema& schema);

} // namespace kaon::root
