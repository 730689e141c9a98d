#include <kaon/formats/root/tree/TreeRecord.h>

#include <kaon/formats/root/container/Blocks.h>
#include <kaon/formats/root/tree/BranchTitle.h>
#include <kaon/model/Structure.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace kaon::root {
namespace {

using BranchKind = BranchPlan::Kind;

/// ROOT's names for a type: its leaf, its letter in titles, and its std::vector with the checksum
/// of that class.
struct TypeNames {
  std::string_view leaf;
  char letter;
  std::string_view vector;
  std::uint32_t checksum;
};

/// The names of each scalar.
constexpr std::array<TypeNames, detail::scalarKinds> typeNames{{
    {"TLeafO", 'O', "vector<bool>", 29929751},
    {"TLeafB", 'B', "vector<char>", 29929535}, // ROOT has no vectors of signed char
    {"TLeafB", 'b', "vector<unsigned char>", 728903898},
    {"TLeafS", 'S', "vector<short>", 89793095},
    {"TLeafS", 's', "vector<unsigned short>", 2186716184},
    {"TLeafI", 'I', "vector<int>", 9976712},
    {"TLeafI", 'i', "vector<unsigned int>", 3106279697},
    {"TLeafL", 'L', "vector<Long64_t>", 2424165566},
    {"TLeafL", 'l', "vector<ULong64_t>", 2977495147},
    {"TLeafF", 'F', "vector<float>", 89790107},
    {"TLeafD", 'D', "vector<double>", 269370212},
}};

/// ROOT's description of the class of a branch's objects.
struct StreamedClass {
  std::string_view name;
  std::uint32_t checksum;
  std::uint16_t version;
  std::int32_t branchType; ///< 0: a collection, -1: not a collection
};

const TypeNames& namesOf(Scalar type) noexcept { return typeNames[static_cast<std::size_t>(type)]; }

bool isUnsigned(Scalar type) noexcept { return namesOf(type).letter >= 'a'; }

/// Whether the sizes of entries can vary.
bool isVariable(const BranchPlan& branch) noexcept {
  return branch.kind != BranchKind::values && branch.kind != BranchKind::counts &&
         branch.kind != BranchKind::presence;
}
bool isStreamed(const BranchPlan& branch) noexcept {
  return branch.kind == BranchKind::vector || branch.kind == BranchKind::text ||
         branch.kind == BranchKind::texts;
}

/// Returns the class of the objects in a streamed branch. `type` is the type of its values.
StreamedClass classOf(const BranchPlan& branch, Scalar type) noexcept {
  constexpr std::uint16_t vectorVersion = 6;
  if (branch.kind == BranchKind::text)
    return {"string", 1852773892, 2, -1};
  if (branch.kind == BranchKind::texts)
    return {"vector<string>", 269382332, vectorVersion, 0};
  return {namesOf(type).vector, namesOf(type).checksum, vectorVersion, 0};
}

/// Returns the sizes of a member's arrays: "[2][3]", "" for one value.
std::string dimensionsOf(const Member& member) {
  return shapeText(kaon::shapeOf(lastStep(member.name, member.structure), member.extent));
}

template <class T>
void putArray(RootObjectWriter& writer, const std::vector<T>& values, std::size_t room) {
  writer.put(std::uint8_t{1}); // the array exists
  for (const T value : values)
    writer.put(value);
  writer.putZeros((room - values.size()) * sizeof(T));
}

/// Writes a TObjArray by value.
template <class Put>
void putList(RootObjectWriter& writer, std::size_t count, Put putObjects) {
  writer.frame(3, [&] {
    writer.putObject();
    writer.putString("");
    writer.put(static_cast<std::uint32_t>(count));
    writer.put(std::uint32_t{0}); // the lower bound
    putObjects();
  });
}

void putFillAttributes(RootObjectWriter& writer, std::uint16_t style) {
  writer.frame(2, [&] {
    writer.put(std::uint16_t{0});
    writer.put(style);
  });
}

/// Writes empty ROOT::TIOFeatures.
void putFeatures(RootObjectWriter& writer) {
  constexpr std::uint32_t checksum = 0x1AA12F10;
  writer.frame(0, [&] {
    writer.put(checksum);
    writer.put(std::uint8_t{0});
  });
}

/// Writes the smallest and the greatest value of a leaf; unknown ones are 0.
void putBounds(RootObjectWriter& writer, std::size_t size, std::uint64_t greatest) {
  writer.putZeros(size);
  if (size == sizeof(std::uint32_t))
    writer.put(static_cast<std::uint32_t>(greatest));
  else
    writer.putZeros(size);
}

/// Writes the objects of a tree.
class TreeObjects {
public:
  TreeObjects(RootObjectWriter& writer, const WrittenTree& tree)
      : m_writer(writer), m_tree(tree), m_leafOf(tree.plans.size()) {}

  void putTree();

private:
  struct Leaf {
    std::string name;
    Scalar type;
    std::uint32_t extent = 1; ///< values in each row
    std::string dimensions = {};
  };

  [[nodiscard]] Scalar counterType(const BranchPlan& branch) const;
  [[nodiscard]] std::string leavesOf(const BranchPlan& branch) const;
  void putAttributes();
  void putBranch(std::uint32_t number);
  void putBranchBase(std::uint32_t number);
  void putLeaves(std::uint32_t number);
  void putLeaf(std::uint32_t number, const Leaf& leaf);

  RootObjectWriter& m_writer;
  const WrittenTree& m_tree;
  std::vector<std::uint32_t> m_leafOf; // by branch: number that refers to its leaf
  std::vector<std::uint32_t> m_leaves; // of all branches
};

void TreeObjects::putTree() {
  std::uint64_t decoded = 0, stored = 0;
  for (const WrittenBranch& branch : m_tree.branches) {
    decoded += branch.decodedBytes;
    stored += branch.storedBytes;
  }
  std::vector<std::uint64_t> ends, sizes;
  for (const WrittenTree::Clusters& clusters : m_tree.clusters) {
    ends.push_back(clusters.lastEntry);
    sizes.push_back(clusters.entries);
  }
  constexpr std::uint64_t usualEntries = 1'000'000'000'000, usualSave = 300'000'000;
  constexpr std::uint64_t usualEstimate = 1'000'000;
  m_writer.frame(20, [&] {
    m_writer.putNamed(m_tree.name, "");
    putAttributes();
    m_writer.put(m_tree.entries);
    m_writer.put(decoded);
    m_writer.put(stored);
    m_writer.put(std::uint64_t{0}); // bytes at the last save
    m_writer.put(stored);           // bytes at the end of the last cluster
    m_writer.put(1.0);              // its weight
    m_writer.put(std::uint32_t{0}); // no timer
    m_writer.put(std::uint32_t{25});
    m_writer.put(std::uint32_t{0});
    m_writer.put(std::uint32_t{1000}); // room for the offsets of entries
    m_writer.put(static_cast<std::uint32_t>(ends.size()));
    m_writer.put(usualEntries);
    m_writer.put(usualEntries);
    m_writer.put(std::uint64_t{0});
    m_writer.put(std::uint64_t{0} - usualSave);
    m_writer.put(sizes.empty() ? std::uint64_t{0} : sizes.back());
    m_writer.put(usualEstimate);
    putArray(m_writer, ends, ends.size());
    putArray(m_writer, sizes, sizes.size());
    putFeatures(m_writer);
    putList(m_writer, m_tree.plans.size(), [&] {
      for (std::uint32_t branch = 0; branch < m_tree.plans.size(); ++branch)
        putBranch(branch);
    });
    putList(m_writer, m_leaves.size(), [&] {
      for (const std::uint32_t leaf : m_leaves)
        m_writer.pointAgain(leaf);
    });
    m_writer.putNull();             // aliases
    m_writer.put(std::uint32_t{0}); // no index
    m_writer.put(std::uint32_t{0});
    for (int i = 0; i < 4; ++i) // index, friends, user objects, references
      m_writer.putNull();
  });
}

/// Writes the attributes for drawing lines, areas and markers.
void TreeObjects::putAttributes() {
  m_writer.frame(2, [&] { // of lines
    for (const std::uint16_t number : {std::uint16_t{602}, std::uint16_t{1}, std::uint16_t{1}})
      m_writer.put(number);
  });
  putFillAttributes(m_writer, 1001);
  m_writer.frame(3, [&] { // of markers
    m_writer.put(std::uint16_t{1});
    m_writer.put(std::uint16_t{1});
    m_writer.put(1.0F);
  });
}

void TreeObjects::putBranch(std::uint32_t number) {
  const BranchPlan& branch = m_tree.plans[number];
  if (!isStreamed(branch)) {
    m_writer.pointTo("TBranch", [&] { putBranchBase(number); });
    return;
  }
  const StreamedClass object = classOf(branch, m_tree.schema.table(branch.table).members[0].type);
  m_writer.pointTo("TBranchElement", [&] {
    m_writer.frame(10, [&] {
      putBranchBase(number);
      m_writer.putString(object.name);
      m_writer.putString(""); // the class that declares it
      m_writer.putString(""); // the class of its elements
      m_writer.put(object.checksum);
      m_writer.put(object.version);
      m_writer.put(std::int32_t{-1}); // not a member
      m_writer.put(object.branchType);
      m_writer.put(std::int32_t{-1});
      m_writer.put(std::int32_t{0});
      m_writer.putNull();
      m_writer.putNull();
    });
  });
}

Scalar TreeObjects::counterType(const BranchPlan& branch) const {
  return branch.counts == Table::none ? Scalar::Int32
                                      : m_tree.schema.table(branch.counts).members[0].type;
}

/// Returns the leaves with their dimensions and types: "x[3]/F:y/I".
std::string TreeObjects::leavesOf(const BranchPlan& branch) const {
  const Table info = m_tree.schema.table(branch.table);
  std::string title = branch.name;
  if (branch.kind == BranchKind::counts) {
    title += std::string("/") + namesOf(counterType(branch)).letter;
  } else if (branch.kind == BranchKind::presence) {
    title += "/O";
  } else if (branch.kind == BranchKind::counted) {
    const Member member = info.members[branch.member];
    title += '[' + m_tree.plans[branch.counter].name + ']' + dimensionsOf(member) + '/' +
             namesOf(member.type).letter;
  } else if (branch.kind == BranchKind::values) {
    title.clear();
    for (const Member& member : info.members)
      title += (title.empty() ? "" : ":") +
               (member.name.empty() ? branch.name : std::string(nameInBranch(member))) +
               dimensionsOf(member) + '/' + namesOf(member.type).letter;
  }
  return title;
}

void TreeObjects::putBranchBase(std::uint32_t number) {
  constexpr std::size_t leastRoom = 10;
  constexpr std::uint32_t usualOffsets = 1000, usualSplit = 99;
  const BranchPlan& branch = m_tree.plans[number];
  const WrittenBranch& written = m_tree.branches[number];
  const std::size_t baskets = written.positions.size();
  const std::size_t room = std::max(leastRoom, baskets + 1);
  std::vector<std::uint64_t> entries = written.firstEntries;
  entries.push_back(written.entries);
  m_writer.frame(13, [&] {
    const std::string title = titleOf(branch, m_tree.schema);
    m_writer.putNamed(branch.name, title.empty() ? leavesOf(branch) : title);
    putFillAttributes(m_writer, 1001);
    m_writer.put(compressionSetting(m_tree.codec));
    m_writer.put(
        static_cast<std::uint32_t>(std::clamp<std::size_t>(m_tree.pageBytes, 100, 1 << 30)));
    m_writer.put(isVariable(branch) ? usualOffsets : 0U);
    m_writer.put(static_cast<std::uint32_t>(baskets));
    m_writer.put(written.entries);
    putFeatures(m_writer);
    m_writer.put(std::uint32_t{0});
    m_writer.put(static_cast<std::uint32_t>(room));
    m_writer.put(isStreamed(branch) && branch.kind != BranchKind::text ? usualSplit : 0U);
    m_writer.put(written.entries);
    m_writer.put(std::uint64_t{0}); // the first entry
    m_writer.put(written.decodedBytes);
    m_writer.put(written.storedBytes);
    putList(m_writer, 0, [] {}); // of branches
    putLeaves(number);
    putList(m_writer, 0, [] {}); // of baskets in memory
    putArray(m_writer, written.bytes, room);
    putArray(m_writer, entries, room);
    putArray(m_writer, written.positions, room);
    m_writer.putString(""); // the baskets are in this file
  });
}

void TreeObjects::putLeaves(std::uint32_t number) {
  const BranchPlan& branch = m_tree.plans[number];
  const Table info = m_tree.schema.table(branch.table);
  const std::size_t leaves = branch.kind == BranchKind::values ? info.members.size() : 1;
  putList(m_writer, leaves, [&] {
    if (branch.kind == BranchKind::presence)
      return putLeaf(number, {branch.name, Scalar::Bool});
    if (branch.kind == BranchKind::counts)
      return putLeaf(number, {branch.name, counterType(branch)});
    if (branch.kind == BranchKind::counted) {
      const Member member = info.members[branch.member];
      return putLeaf(number, {branch.name, member.type, member.extent, dimensionsOf(member)});
    }
    if (branch.kind != BranchKind::values)
      return putLeaf(number, {branch.name, info.members[0].type});
    for (const Member& member : info.members)
      putLeaf(number, {member.name.empty() ? branch.name : std::string(nameInBranch(member)),
                       member.type, member.extent, dimensionsOf(member)});
  });
}

void TreeObjects::putLeaf(std::uint32_t number, const Leaf& leaf) {
  const BranchPlan& branch = m_tree.plans[number];
  const bool isCounter = branch.kind == BranchKind::counts;
  const bool isElement = isStreamed(branch);
  std::string title = leaf.name;
  if (branch.kind == BranchKind::counted)
    title += '[' + m_tree.plans[branch.counter].name + ']';
  title += leaf.dimensions;
  const std::string_view className = isElement ? "TLeafElement" : namesOf(leaf.type).leaf;
  const std::uint32_t size = sizeOf(leaf.type);
  const std::uint32_t written = m_writer.pointTo(className, [&] {
    m_writer.frame(1, [&] {
      m_writer.frame(2, [&] {
        m_writer.putNamed(leaf.name, title);
        m_writer.put(leaf.extent);
        m_writer.put(isElement ? 0U : size);
        m_writer.put(std::uint32_t{0});
        m_writer.put(static_cast<std::uint8_t>(isCounter)); // whether its greatest value is known
        m_writer.put(static_cast<std::uint8_t>(!isElement && isUnsigned(leaf.type)));
        if (branch.kind == BranchKind::counted)
          m_writer.pointAgain(m_leafOf[branch.counter]);
        else
          m_writer.putNull();
      });
      if (isElement) {
        m_writer.put(std::int32_t{-1});
        m_writer.put(std::int32_t{-1});
      } else {
        putBounds(m_writer, size, isCounter ? m_tree.branches[number].mostRows : 0);
      }
    });
  });
  m_leafOf[number] = written;
  m_leaves.push_back(written);
}

} // namespace

void putTree(RootObjectWriter& writer, const WrittenTree& tree) {
  TreeObjects(writer, tree).putTree();
}

} // namespace kaon::root
