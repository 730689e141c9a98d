#include <kaon/formats/root/tree/TreeDescription.h>

#include <kaon/base/Error.h>
#include <kaon/formats/root/tree/BuiltInClasses.h>
#include <kaon/formats/root/tree/Friends.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_set>
#include <utility>

namespace kaon::root {
namespace {

std::uint64_t amount(const Object& object, std::string_view member) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(object.integer(member), 0));
}

std::span<const std::byte> numbers(const Object& object, std::string_view member) {
  const ElementValue* const value = object.find(member);
  return value ? value->numbers : std::span<const std::byte>();
}

LeafDescription describeLeaf(const Object& leaf) {
  LeafDescription description;
  description.name = leaf.name;
  description.title = leaf.title;
  description.className = leaf.className;
  description.length =
      static_cast<std::uint32_t>(std::clamp<std::int64_t>(leaf.integer("fLen", 1), 1, 1 << 30));
  description.claimsNone = leaf.integer("fLen", 1) == 0;
  description.isUnsigned = leaf.integer("fIsUnsigned") != 0;
  description.isVirtual = leaf.integer("fVirtual") != 0;
  if (const ElementValue* const counter = leaf.find("fLeafCount"); counter && counter->object)
    description.counter = counter->object->name;
  return description;
}

BasketPositions placesOf(const Object& branch, std::span<const std::byte> payload) {
  const std::size_t written = static_cast<std::size_t>(amount(branch, "fWriteBasket"));
  const auto inTree = branch.list("fBaskets");
  const auto isHere = [&](std::size_t i) { return i < inTree.size() && inTree[i] != nullptr; };
  const std::size_t count = written + (isHere(written) ? 1 : 0);
  const std::uint64_t entries = amount(branch, "fEntryNumber");
  BasketPositions places(count, numbers(branch, "fBasketBytes"), numbers(branch, "fBasketEntry"),
                         numbers(branch, "fBasketSeek"), entries);
  for (std::size_t i = 0; i < std::min(count, inTree.size()); ++i)
    if (isHere(i) && inTree[i]->className == "TBasket") {
      places.embed({i, payload.subspan(inTree[i]->begin, inTree[i]->end - inTree[i]->begin)});
    }
  return places;
}

/// Returns the branches that are stored in a list, in order. Branches that are only referred to are
/// left out, so that no branch is its own sub-branch. For a TBranchClones, the counter of its
/// objects comes first.
std::vector<const Object*> ownBranches(const Object& owner) {
  std::vector<const Object*> own;
  std::size_t end = owner.begin + 1; // the end of the last branch; the owner itself is excluded
  const auto add = [&](const Object* branch) {
    if (branch && branch->begin >= end && (owner.end == 0 || branch->end <= owner.end)) {
      own.push_back(branch);
      end = branch->end;
    }
  };
  if (const ElementValue* const counter = owner.find("fBranchCount");
      counter && owner.className == "TBranchClones")
    add(counter->object);
  for (const Object* const branch : owner.list("fBranches"))
    add(branch);
  return own;
}

/// Returns why a branch, or a leaf that describes its values, was skipped; empty if both were read.
std::string_view failureOf(const Object& branch) {
  if (!branch.failure.empty() || branch.className != "TBranch")
    return branch.failure;
  for (const Object* const leaf : branch.list("fLeaves"))
    if (leaf && !leaf->failure.empty())
      return leaf->failure;
  return {};
}

BranchDescription describeBranch(const Object& branch, std::span<const std::byte> payload) {
  BranchDescription description;
  description.name = branch.name;
  description.title = branch.title;
  description.className = branch.className;
  description.entries = amount(branch, "fEntries");
  description.bytes = amount(branch, "fTotBytes");
  description.compression =
      static_cast<std::uint32_t>(std::clamp<std::int64_t>(branch.integer("fCompress"), 0, 9999));
  description.failure = failureOf(branch);
  description.isElsewhere = !branch.text("fFileName").empty();
  if (const ElementValue* const features = branch.find("fIOFeatures"); features && features->object)
    description.canLackOffsets = features->object->integer("fIOBits") != 0;
  description.baskets = placesOf(branch, payload);
  for (const Object* const leaf : branch.list("fLeaves"))
    if (leaf)
      description.leaves.push_back(describeLeaf(*leaf));
  for (const Object* const inside : ownBranches(branch))
    description.branches.push_back(describeBranch(*inside, payload));
  description.typeName = branch.text("fClassName");
  if (branch.className == "TBranchElement") {
    description.elementName = branch.text("fClonesName");
    description.checksum = static_cast<std::uint32_t>(branch.integer("fCheckSum"));
    description.version = static_cast<std::int32_t>(branch.integer("fClassVersion"));
    description.member = static_cast<std::int32_t>(branch.integer("fID", -1));
    description.kind = static_cast<std::int32_t>(branch.integer("fType"));
    if (const ElementValue* const counter = branch.find("fBranchCount"); counter && counter->object)
      description.counter = counter->object->name;
  }
  return description;
}

/// The names of branches and of their leaves.
std::unordered_set<std::string_view> namesIn(std::span<const BranchDescription> branches) {
  std::unordered_set<std::string_view> names;
  for (const BranchDescription& branch : branches) {
    names.insert(branch.name);
    for (const LeafDescription& leaf : branch.leaves)
      names.insert(leaf.name);
  }
  return names;
}

BigEndianReader readerOf(const RootContainer& container, const ListedObject& object,
                         std::span<const std::byte> payload) {
  return {payload, container.name() + ": tree '" + object.name() + "'"};
}

} // namespace

TreeDescription::TreeDescription(const RootContainer& container, const ListedObject& object)
    : m_classes(container), m_payload(container.payload(object.key, m_storage)),
      m_objects({&oldTreeClasses(), &m_classes, &usualTreeClasses()},
                readerOf(container, object, m_payload), object.key.keyBytes) {
  const Object& record = m_objects.read(object.key.className);
  const Object* const tree = record.part("TTree");
  if (!tree)
    fail(ErrorKind::version, container.name(), ": '", object.name(),
         "' is not a tree, but has the class '", object.key.className, "'");
  for (const Object* const branch : ownBranches(*tree))
    m_branches.push_back(describeBranch(*branch, m_payload));
  std::uint64_t most = 0; // entries that no branch has cannot be read
  for (const BranchDescription& branch : m_branches)
    most = std::max({most, branch.entries, branch.baskets.entries()});
  m_entries = std::min(amount(*tree, "fEntries"), most);
  readClusters(*tree);
  m_friendPaths = friendsOf(*tree);
}

void TreeDescription::addFriends(const RootContainer& container) {
  std::unordered_set<std::string_view> names = namesIn(m_branches), paths;
  for (const std::string_view path : m_friendPaths) {
    if (!paths.insert(path).second)
      continue;
    const auto found = std::ranges::find_if(container.objects(), [&](const ListedObject& object) {
      return object.path == path && object.key.className == "TTree";
    });
    if (found == container.objects().end())
      continue;
    try {
      auto other = std::make_unique<TreeDescription>(container, *found);
      const auto added = namesIn(other->branches());
      if (other->entries() != m_entries ||
          std::ranges::any_of(added, [&](std::string_view name) { return names.contains(name); }))
        continue;
      names.insert(added.begin(), added.end());
      std::ranges::copy(other->branches(), std::back_inserter(m_branches));
      m_friends.push_back(std::move(other));
    } catch (const Error& error) { // the tree itself is sound
      if (error.kind() != ErrorKind::corrupt && error.kind() != ErrorKind::version)
        throw;
    }
  }
}

/// Reads the clusters of the tree. A range becomes a single cluster if it has more clusters than
/// baskets could fill.
void TreeDescription::readClusters(const Object& tree) {
  std::size_t mostBaskets = 1;
  const auto count = [&](const auto& self, const BranchDescription& branch) -> void {
    mostBaskets = std::max(mostBaskets, branch.baskets.size());
    for (const BranchDescription& inside : branch.branches)
      self(self, inside);
  };
  for (const BranchDescription& branch : m_branches)
    count(count, branch);
  std::uint64_t mostClusters = 2 * mostBaskets + 16; // of all ranges
  const auto ends = numbers(tree, "fClusterRangeEnd"), sizes = numbers(tree, "fClusterSize");
  std::uint64_t first = 0;
  const auto addClusters = [&](std::uint64_t last, std::uint64_t size) {
    const std::uint64_t all = last - first;
    if (size == 0 || all / size > mostClusters)
      size = all;
    mostClusters -= std::min(mostClusters, all / size);
    for (; first < last; first = std::min(last, first + size))
      m_clusters.push_back({first, std::min(last, first + size)});
  };
  for (std::size_t i = 0; i < std::min(ends.size(), sizes.size()) / 8; ++i) {
    const auto end = loadBigEndian<std::uint64_t>(&ends[i * 8]);
    const auto size = loadBigEndian<std::int64_t>(&sizes[i * 8]);
    if (end < m_entries && end + 1 > first)
      addClusters(end + 1, static_cast<std::uint64_t>(std::max<std::int64_t>(size, 0)));
  }
  if (first < m_entries)
    addClusters(m_entries, amount(tree, "fAutoFlush"));
}

} // namespace kaon::root
