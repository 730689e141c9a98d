#pragma once

#include <kaon/model/Datatype.h>
#include <kaon/model/TypeContents.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The plan for reading objects of one version of a datatype as another version. All ways of reading
// use it: frames, columns, conversion, appending and `kaon diff`. docs/evolution.md has the rules.

namespace kaon {

/// How a leaf is read.
enum class Verdict : std::uint8_t {
  /// As stored.
  read,
  /// Converted to another type, or replaced by the default where there is no value.
  converted,
  /// Missing in older data, which have the default.
  lacking,
  /// Not readable; an error tells the reason.
  failed
};

/// The origin of a leaf of the newer version.
struct LeafMatch {
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  Verdict verdict = Verdict::lacking;
  std::uint32_t leaf = none; ///< of the older version
  /// For a presence whose member was not optional: the value is always present.
  bool isAlwaysThere = false;
  /// The older leaves that tell whether the value is present. If one of them is false, the default
  /// is read.
  std::vector<std::uint32_t> presences = {};
  std::uint32_t mistake = none; ///< of a failed leaf: its index in TypeMatch::changes
};

/// A difference between the versions. The paths of elements begin with the name of their list.
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
  std::string path;   ///< the present path; the older one of a dropped member
  std::string before; ///< the older path of a renamed member
  /// For a failed member: "was double, is double[3]". For an added or dropped member: its type.
  std::string text = {};
};

struct ListMatch {
  Verdict verdict = Verdict::lacking;
  std::uint32_t list = LeafMatch::none; ///< of the older version
  std::uint32_t mistake = LeafMatch::none;
  std::vector<LeafMatch> leaves = {}; ///< of the elements
};

/// How to read each part of the newer version.
struct TypeMatch {
  std::vector<LeafMatch> leaves; ///< of the objects
  std::vector<ListMatch> lists;
  std::vector<MemberChange> changes;
};

/// A function that returns the names of the datatypes that a relation of the older version leads
/// to. It serves versions that name an interface. It returns no names if they are unknown.
using TargetsThen = std::function<std::vector<std::string>(std::string_view relation)>;

/// Returns the added members with the same type as a dropped member. The member may have been
/// renamed to one of them.
[[nodiscard]] std::vector<std::string> newNamesOf(const MemberChange& dropped,
                                                  std::span<const MemberChange> changes);

[[nodiscard]] TypeMatch match(const TypeContents& before, const TypeContents& now,
                              const Datatype& type, const TargetsThen& targetsThen = {});

} // namespace kaon
