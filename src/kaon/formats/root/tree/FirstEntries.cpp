#include <kaon/formats/root/tree/FirstEntries.h>

#include <kaon/base/Error.h>
#include <kaon/formats/root/objects/TypeName.h>
#include <kaon/formats/root/tree/TreeCursor.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace kaon::root {
namespace {

using Kind = Shape::Kind;

/// Whether only values say if they can be read: of which class or version objects are stands beside
/// them.
bool isUncertain(const Part& part, const Classes& classes) {
  const Shape& shape = part.shape;
  const bool isPointer = shape.kind == Kind::pointer || shape.kind == Kind::pointed;
  if (isPointer && shape.parts[0].wrap != Part::Wrap::clones)
    return true;
  if (shape.info && classes.versions(shape.info->name).size() > 1 + shape.versions.size())
    return true;
  return std::ranges::any_of(shape.parts,
                             [&](const Part& inside) { return isUncertain(inside, classes); });
}

/// Whether it is the one member of the arrays in a split collection, `std::vector<std::array>`.
bool isOfArrays(const Unit& unit) {
  return unit.counter != Unit::none && unit.branch->member >= 0 &&
         isStandardArray(normalTypeName(unit.branch->typeName));
}

/// Looks at the first basket of each branch.
class FirstEntries {
public:
  explicit FirstEntries(const TreeContents& contents) : m_contents(contents), m_cursor(contents) {}

  UnreadBranches unread() {
    UnreadBranches unread;
    const auto& units = m_contents.tables().units;
    for (std::uint32_t number = 0; number < units.size(); ++number)
      if (std::string reason = reasonOf(number); !reason.empty())
        unread.emplace(units[number].branch, std::move(reason));
    return unread;
  }

private:
  /// Why a unit cannot be read; "" where its first entries do not say.
  std::string reasonOf(std::uint32_t number) {
    const Unit& unit = m_contents.tables().units[number];
    const bool isStreamed =
        unit.kind == Unit::Kind::streamed && isUncertain(unit.part, m_contents.tree().classes());
    const EntryRange entries = isStreamed || isOfArrays(unit) ? entriesOf(unit) : EntryRange{0, 0};
    if (entries.size() == 0)
      return "";
    try {
      if (isOfArrays(unit) && m_cursor.lacksValues(number, entries))
        return "ROOT has written the arrays in it without their values";
      if (isStreamed)
        m_cursor.decode(number, entries);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::version)
        return withoutPlace(error.what(), m_cursor.where(number, entries.first));
    }
    return "";
  }

  /// Some of those in the first basket.
  EntryRange entriesOf(const Unit& unit) {
    constexpr std::uint64_t mostEntries = 1000;
    const BasketPlaces& places = unit.branch->baskets;
    if (places.entries() == 0 || places.bytes(0) > m_left)
      return {0, 0};
    m_left -= places.bytes(0);
    return {0, std::min({places.lastEntry(0), m_contents.tree().clusters()[0].last, mostEntries})};
  }

  static std::string withoutPlace(std::string_view message, std::string_view place) {
    if (message.starts_with(place) && message.find(": ", place.size()) != std::string_view::npos)
      message.remove_prefix(message.find(": ", place.size()) + 2);
    return std::string(message);
  }

  static constexpr std::uint64_t mostReads = 8; // of the whole file: branches of hostile ones share
  const TreeContents& m_contents;
  TreeCursor m_cursor;
  std::uint64_t m_left = mostReads * m_contents.container().bytes().size(); // bytes to be read
};

} // namespace

UnreadBranches unreadByFirstEntries(const TreeContents& contents) {
  return contents.tree().entries() == 0 ? UnreadBranches() : FirstEntries(contents).unread();
}

} // namespace kaon::root
