#include <kaon/formats/root/tree/FirstEntries.h>

#include <kaon/base/Error.h>
#include <kaon/formats/root/objects/TypeName.h>
#include <kaon/formats/root/tree/TreeCursor.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::root {
namespace {

/// Whether only the values show if they can be read. Objects can be of another class or version, or
/// written by code of their class that the file does not describe. Numbers, texts and lists of them
/// have only one form.
bool isUncertain(const ShapePart& part) {
  const Shape::Kind kind = part.shape.kind;
  using enum Shape::Kind;
  return kind == list ? isUncertain(part.shape.parts[0])
                      : kind != number && kind != text && kind != longText;
}

/// Whether the unit is the array in a split `std::vector<std::array>`.
bool isOfArrays(const Unit& unit) {
  return unit.counter != Unit::none && unit.branch->member >= 0 &&
         isStandardArray(normalTypeName(unit.branch->typeName));
}

/// Whether the leaf has arrays of length 0, as ROOT stores "x[0]/F". Old files store single numbers
/// like this, too.
bool claimsNone(const Unit& unit) {
  return unit.branch->leaves.size() == 1 && unit.branch->leaves[0].claimsNone &&
         unit.branch->leaves[0].className != "TLeafC";
}

/// Whether baskets may lack the offsets of entries, although no counter gives the sizes of entries.
bool canLackOffsets(const Unit& unit) {
  return unit.branch->canLackOffsets && unit.kind != Unit::Kind::numbers;
}

/// Whether the newest version of the class lacks this member. Programs that copy entries with that
/// version write no values for it.
bool isGone(const Unit& unit, const Classes& classes) {
  const BranchDescription& branch = *unit.branch;
  if (branch.className != "TBranchElement" || branch.member < 0)
    return false;
  const std::string name = normalTypeName(branch.typeName);
  const ClassInfo* const newest = classes.newest(name);
  const ClassInfo* const own = classes.find(name, branch.version, branch.checksum);
  const auto member = static_cast<std::size_t>(branch.member);
  return newest && own && newest != own && member < own->elements.size() &&
         std::ranges::find(newest->elements, own->elements[member].name, &ElementInfo::name) ==
             newest->elements.end();
}

/// Reads the first basket of each branch.
class FirstEntries {
public:
  explicit FirstEntries(const TreeContents& contents) : m_contents(contents), m_cursor(contents) {}

  UnreadBranches unread() {
    UnreadBranches unread;
    const std::vector<std::uint32_t> uncertain = uncertainUnits();
    for (std::span<const std::uint32_t> left = uncertain; !left.empty();) {
      const auto together = left.first(countWithinBudget(left));
      left = left.subspan(together.size());
      m_cursor.fetchFirst(together);
      for (const std::uint32_t number : together)
        if (std::string reason = reasonOf(number); !reason.empty())
          unread.emplace(unit(number).branch, std::move(reason));
    }
    return unread;
  }

private:
  [[nodiscard]] const Unit& unit(std::uint32_t number) const {
    return m_contents.tables().units[number];
  }

  /// Whether to decode the first entries.
  [[nodiscard]] bool isDecoded(const Unit& unit) const {
    return unit.kind == Unit::Kind::streamed && isUncertain(unit.part);
  }

  [[nodiscard]] bool isLookedAt(const Unit& unit) const {
    return isDecoded(unit) || isOfArrays(unit) || claimsNone(unit) || canLackOffsets(unit) ||
           isGone(unit, m_contents.tree().classes());
  }

  /// Returns the units whose first baskets are read.
  std::vector<std::uint32_t> uncertainUnits() {
    std::vector<std::uint32_t> uncertain;
    for (std::uint32_t number = 0; number < m_contents.tables().units.size(); ++number) {
      const BasketPositions& places = unit(number).branch->baskets;
      if (places.size() == 0 || places.bytes(0) > m_left || !isLookedAt(unit(number)))
        continue;
      m_left -= places.bytes(0);
      uncertain.push_back(number);
    }
    return uncertain;
  }

  /// Returns how many of the units have first baskets that fit into the memory budget, at least
  /// one.
  [[nodiscard]] std::size_t countWithinBudget(std::span<const std::uint32_t> units) const {
    std::uint64_t bytes = 0;
    const auto exceeds = [&](std::uint32_t number) {
      bytes += unit(number).branch->baskets.bytes(0);
      return bytes > m_contents.container().options().memoryBudget;
    };
    const auto end = std::ranges::find_if(units, exceeds) - units.begin();
    return std::max(static_cast<std::size_t>(end), std::size_t{1});
  }

  /// Returns why a unit cannot be read, or "" if its first entries are readable.
  std::string reasonOf(std::uint32_t number) {
    const EntryRange entries = entriesOf(unit(number));
    try {
      if (isOfArrays(unit(number)) && m_cursor.lacksValues(number, entries))
        return "ROOT has written the arrays in it without their values";
      if ((claimsNone(unit(number)) || isGone(unit(number), m_contents.tree().classes())) &&
          m_cursor.lacksValues(number, entries))
        return "ROOT has written it without values";
      if (canLackOffsets(unit(number)))
        m_cursor.open(number, entries.first);
      if (isDecoded(unit(number)))
        m_cursor.decode(number, entries);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::version)
        return TreeCursor::withoutPlace(error.what());
    }
    return "";
  }

  /// Returns some entries of the first basket.
  [[nodiscard]] EntryRange entriesOf(const Unit& unit) const {
    constexpr std::uint64_t mostEntries = 1000;
    return {0, std::min({unit.branch->baskets.lastEntry(0), m_contents.tree().clusters()[0].last,
                         mostEntries})};
  }

  // Reads at most this many times the size of the file, which limits the work for hostile files.
  static constexpr std::uint64_t mostReads = 8;
  const TreeContents& m_contents;
  TreeCursor m_cursor;
  // Bytes that may still be read.
  std::uint64_t m_left = mostReads * m_contents.container().bytes().size();
};

} // namespace

UnreadBranches unreadByFirstEntries(const TreeContents& contents) {
  return contents.tree().entries() == 0 ? UnreadBranches() : FirstEntries(contents).unread();
}

} // namespace kaon::root
