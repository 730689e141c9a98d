#pragma once

#include <kaon/model/Datatype.h>
#include <kaon/model/TypeContents.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// How objects of one version of a datatype are read as another version. There is one plan for all
// ways of reading: frames, columns, conversion, appending and `kaon diff`. The rules are those of
// docs/evolution.md.

namespace kaon {

/// What becomes of a leaf.
enum class Verdict : std::uint8_t {
  read,      ///< as it is stored
  converted, ///< to another type, or with the default where it has no value
  lacking,   ///< older data have the default
  failed     ///< an error says why
};

/// Where a leaf of the newer version comes from.
struct LeafMatch {
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  Verdict verdict = Verdict::lacking;
  std::uint32_t leaf = none; ///< of the older version
  /// Of a presence whose member was not optional: there always is a value.
  bool isAlwaysThere = false;
  /// The older leaves that tell whether there is a value: where one says no, the default is read.
  std::vector<std::uint32_t> presences = {};
  std::uint32_t mistake = none; ///< of a failed one: its number in Match::changes
};

/// What differs between the versions. Paths begin with the name of a list, if it is in one.
struct MemberChange {
  enum class Kind : std::uint8_t {
    renamed,
    optionalNow,
    requiredNow,
    added,
    dropped,
    failed,
    reordered
  };
  Kind kind;
  std::string path;   ///< now; of a dropped member: then
  std::string before; ///< of a renamed one: its path then
  /// Of a failed one: "was double, is double[3]"; of one that was added or dropped: its type.
  std::string text = {};
};

struct ListMatch {
  Verdict verdict = Verdict::lacking;
  std::uint32_t list = LeafMatch::none; ///< of the older version
  std::uint32_t mistake = LeafMatch::none;
  std::vector<LeafMatch> leaves = {}; ///< of the elements
};

/// How each part of the newer version is read.
struct TypeMatch {
  std::vector<LeafMatch> leaves; ///< of the objects
  std::vector<ListMatch> lists;
  std::vector<MemberChange> changes;
};

/// The names of the datatypes that a relation of the older version leads to, for versions that name
/// an interface; empty if nobody knows them.
using TargetsThen = std::function<std::vector<std::string>(std::string_view relation)>;

/// The members that were added and are of the same type as one that was dropped: it may have got
/// the name of one of them.
[[nodiscard]] std::vector<std::string> newNamesOf(const MemberChange& dropped,
                                                  std::span<const MemberChange> changes);

[[nodiscard]] TypeMatch match(const TypeContents& before, const TypeContents& now,
                              const Datatype& type, const TargetsThen& targetsThen = {});

} // namespace kaon
