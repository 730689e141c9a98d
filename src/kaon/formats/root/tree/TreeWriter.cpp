#include <kaon/formats/root/tree/TreeWriter.h>

#include <kaon/base/Error.h>
#include <kaon/formats/root/container/Blocks.h>
#include <kaon/formats/root/tree/MissingRows.h>
#include <kaon/model/SplitSchema.h>

#include <algorithm>
#include <array>
#include <bit>
#include <ranges>
#include <string_view>
#include <utility>

namespace kaon::root {
namespace {

using Kind = BranchPlan::Kind;

/// How ROOT calls a type: its leaf, the letter in titles, and std::vector of it, with the checksum
/// of that class.
struct TypeNames {
  std::string_view leaf;
  char letter;
  std::string_view vector;
  std::uint32_t checksum;
};

/// By scalar.
constexpr std::array<TypeNames, scalarKinds> typeNames{{
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
constexpr std::uint32_t checksumOfStrings = 269382332;

const TypeNames& namesOf(Scalar type) noexcept { return typeNames[static_cast<std::size_t>(type)]; }

bool isUnsigned(Scalar type) noexcept { return namesOf(type).letter >= 'a'; }

/// Whether entries can be of different lengths.
bool isVariable(const BranchPlan& branch) noexcept {
  return branch.kind != Kind::values && branch.kind != Kind::counts;
}
bool isStreamed(const BranchPlan& branch) noexcept {
  return branch.kind == Kind::vector || branch.kind == Kind::texts;
}

std::string dimensionOf(const Member& member) {
  return member.extent == 1 ? "" : '[' + std::to_string(member.extent) + ']';
}

template <class T>
void putArray(ObjectWriter& writer, const std::vector<T>& values, std::size_t room) {
  writer.put(std::uint8_t{1}); // it is there
  for (const T value : values)
    writer.put(value);
  writer.putZeros((room - values.size()) * sizeof(T));
}

/// TObjArray by value.
template <class Put>
void putList(ObjectWriter& writer, std::size_t count, Put putObjects) {
  writer.frame(3, [&] {
    writer.putObject();
    writer.putString("");
    writer.put(static_cast<std::uint32_t>(count));
    writer.put(std::uint32_t{0}); // the first one's number
    putObjects();
  });
}

void putFillAttributes(ObjectWriter& writer, std::uint16_t style) {
  writer.frame(2, [&] {
    writer.put(std::uint16_t{0});
    writer.put(style);
  });
}

/// ROOT::TIOFeatures: none.
void putFeatures(ObjectWriter& writer) {
  constexpr std::uint32_t checksum = 0x1AA12F10;
  writer.frame(0, [&] {
    writer.put(checksum);
    writer.put(std::uint8_t{0});
  });
}

/// The smallest and the greatest value of a leaf, as far as they are known.
void putBounds(ObjectWriter& writer, std::size_t size, std::uint64_t greatest) {
  writer.putZeros(size);
  if (size == sizeof(std::uint32_t))
    writer.put(static_cast<std::uint32_t>(greatest));
  else
    writer.putZeros(size);
}

} // namespace

void TreeWriter::addTables(const Schema& schema, const std::string& file) {
  const Schema split = splitSchema(schema);
  const std::uint32_t known = m_schema.size();
  for (std::uint32_t table = 0; table < std::min(known, split.size()); ++table)
    if (split.table(table) != m_schema.table(table))
      fail(ErrorKind::usage, file, ": the batch does not have the tables that the tree '", m_name,
           "' has had so far: '", split.table(table).name, "' differs");
  if (split.size() <= known)
    return;
  std::vector<BranchPlan> branches = planBranches(split, file);
  if (!std::ranges::equal(m_branches, branches | std::views::take(m_branches.size())))
    fail(ErrorKind::usage, file, ": '", split.table(known).name, "' comes too late: it changes ",
         "branches that the tree '", m_name, "' has already");
  m_branches = std::move(branches);
  m_written.resize(m_branches.size());
  for (std::uint32_t table = known; table < split.size(); ++table)
    m_schema.add(split.table(table).definition());
}

std::unique_ptr<EncodedEntries> TreeWriter::encode(const Schema& schema, const Batch& batch,
                                                   Buffer pages) const {
  auto baskets = std::make_unique<EncodedBaskets>();
  baskets->pages = std::move(pages);
  BasketEncoder(m_codec, m_pageBytes, m_name)
      .encode(planBranches(schema, m_name), schema, batch, *baskets);
  return baskets;
}

void TreeWriter::write(ContainerWriter& file, EncodedEntries& encoded) {
  for (const EncodedBasket& basket : dynamic_cast<EncodedBaskets&>(encoded).baskets) {
    fillMissing(file, basket.branch);
    writeBasket(file, encoded.pages, basket, basket.branch);
  }
  addCluster(encoded.entries);
}

void TreeWriter::writeBasket(ContainerWriter& file, const Buffer& baskets,
                             const EncodedBasket& basket, std::uint32_t number) {
  constexpr std::uint16_t version = 3;
  const std::string& name = m_branches[number].name;
  Written& branch = m_written[number];
  const auto keyBytes = static_cast<std::uint32_t>(keyBytesOfBasket(name, m_name));
  BigEndianWriter inKey;
  inKey.put(version);
  inKey.put(keyBytes + basket.objectBytes); // the size of ROOT's buffer
  inKey.put(basket.entryBytes > 0 ? basket.entryBytes : basket.entries + 1);
  inKey.put(basket.entries);
  inKey.put(keyBytes + basket.dataBytes);
  inKey.put(std::uint8_t{0});
  branch.positions.push_back(file.writeRecord(
      "TBasket", name, m_name, inKey.bytes(),
      baskets.bytes().subspan(static_cast<std::size_t>(basket.position), basket.bytes),
      basket.objectBytes));
  branch.firstEntries.push_back(branch.entries);
  branch.bytes.push_back(keyBytes + basket.bytes);
  branch.entries += basket.entries;
  branch.decodedBytes += keyBytes + basket.objectBytes;
  branch.storedBytes += keyBytes + basket.bytes;
  branch.mostRows = std::max(branch.mostRows, basket.mostRows);
}

/// Writes a branch of the entries of earlier clusters that did not have it.
void TreeWriter::fillMissing(ContainerWriter& file, std::uint32_t number) {
  constexpr std::uint64_t mostEntries = 64 * 1024; // at once
  Written& branch = m_written[number];
  BranchPlan plan = m_branches[number];
  plan.counts = Table::none; // whatever such a value is, there are no rows
  while (branch.entries < m_entries) {
    const auto entries =
        static_cast<std::size_t>(std::min(m_entries - branch.entries, mostEntries));
    const MissingRows missing(m_schema, plan.table, entries);
    EncodedBaskets encoded;
    BasketEncoder(m_codec, m_pageBytes, m_name)
        .encode({&plan, 1}, m_schema, missing.batch(), encoded);
    for (const EncodedBasket& basket : encoded.baskets)
      writeBasket(file, encoded.pages, basket, number);
  }
}

void TreeWriter::addCluster(std::uint64_t entries) {
  m_entries += entries;
  if (!m_clusters.empty() && m_clusters.back().entries == entries)
    m_clusters.back().lastEntry = m_entries - 1;
  else
    m_clusters.push_back({m_entries - 1, entries});
}

std::string TreeWriter::finish(ContainerWriter& file) {
  for (std::uint32_t branch = 0; branch < m_branches.size(); ++branch)
    fillMissing(file, branch);
  Key key;
  key.className = "TTree";
  key.name = m_name;
  ObjectWriter writer(keyBytesOf(key));
  putTree(writer);
  file.writeObject(key.className, m_name, "", writer.bytes(), m_codec);
  return "";
}

void TreeWriter::putTree(ObjectWriter& writer) {
  std::uint64_t decoded = 0, stored = 0;
  for (const Written& branch : m_written) {
    decoded += branch.decodedBytes;
    stored += branch.storedBytes;
  }
  std::vector<std::uint64_t> ends, sizes;
  for (const Clusters& clusters : m_clusters) {
    ends.push_back(clusters.lastEntry);
    sizes.push_back(clusters.entries);
  }
  constexpr std::uint64_t usualEntries = 1'000'000'000'000, usualSave = 300'000'000;
  constexpr std::uint64_t usualEstimate = 1'000'000;
  writer.frame(20, [&] {
    writer.putNamed(m_name, "");
    writer.frame(2, [&] { // of lines
      for (const std::uint16_t number : {std::uint16_t{602}, std::uint16_t{1}, std::uint16_t{1}})
        writer.put(number);
    });
    putFillAttributes(writer, 1001);
    writer.frame(3, [&] { // of markers
      writer.put(std::uint16_t{1});
      writer.put(std::uint16_t{1});
      writer.put(1.0F);
    });
    writer.put(m_entries);
    writer.put(decoded);
    writer.put(stored);
    writer.put(std::uint64_t{0}); // bytes at the last save
    writer.put(stored);           // bytes at the end of the last cluster
    writer.put(1.0);              // its weight
    writer.put(std::uint32_t{0}); // no timer
    writer.put(std::uint32_t{25});
    writer.put(std::uint32_t{0});
    writer.put(std::uint32_t{1000}); // where entries begin: room
    writer.put(static_cast<std::uint32_t>(ends.size()));
    writer.put(usualEntries);
    writer.put(usualEntries);
    writer.put(std::uint64_t{0});
    writer.put(std::uint64_t{0} - usualSave);
    writer.put(sizes.empty() ? std::uint64_t{0} : sizes.back());
    writer.put(usualEstimate);
    putArray(writer, ends, ends.size());
    putArray(writer, sizes, sizes.size());
    putFeatures(writer);
    putList(writer, m_branches.size(), [&] {
      for (std::uint32_t branch = 0; branch < m_branches.size(); ++branch)
        putBranch(writer, branch);
    });
    putList(writer, m_leaves.size(), [&] {
      for (const std::uint32_t leaf : m_leaves)
        writer.pointAgain(leaf);
    });
    writer.putNull();             // aliases
    writer.put(std::uint32_t{0}); // no index
    writer.put(std::uint32_t{0});
    for (int i = 0; i < 4; ++i) // index, friends, what users add, references
      writer.putNull();
  });
}

void TreeWriter::putBranch(ObjectWriter& writer, std::uint32_t number) {
  const BranchPlan& branch = m_branches[number];
  if (!isStreamed(branch)) {
    writer.pointTo("TBranch", [&] { putBranchBase(writer, number); });
    return;
  }
  constexpr std::uint16_t vectorVersion = 6;
  const bool isText = branch.kind == Kind::texts;
  const TypeNames& names = namesOf(m_schema.table(branch.table).members[0].type);
  writer.pointTo("TBranchElement", [&] {
    writer.frame(10, [&] {
      putBranchBase(writer, number);
      writer.putString(isText ? "vector<string>" : names.vector);
      writer.putString(""); // the class that it is a member of
      writer.putString(""); // the class of its elements
      writer.put(isText ? checksumOfStrings : names.checksum);
      writer.put(vectorVersion);
      writer.put(std::int32_t{-1}); // it is no member
      writer.put(std::int32_t{0});
      writer.put(std::int32_t{-1});
      writer.put(std::int32_t{0});
      writer.putNull();
      writer.putNull();
    });
  });
}

Scalar TreeWriter::counterType(const BranchPlan& branch) const {
  return branch.counts == Table::none ? Scalar::Int32
                                      : m_schema.table(branch.counts).members[0].type;
}

void TreeWriter::putBranchBase(ObjectWriter& writer, std::uint32_t number) {
  constexpr std::size_t leastRoom = 10;
  constexpr std::uint32_t usualOffsets = 1000, usualSplit = 99;
  const BranchPlan& branch = m_branches[number];
  Written& written = m_written[number];
  const Table info = m_schema.table(branch.table);
  std::string title = branch.name;
  if (branch.kind == Kind::counts) {
    title += std::string("/") + namesOf(counterType(branch)).letter;
  } else if (branch.kind == Kind::text) {
    title += "/C";
  } else if (branch.kind == Kind::counted) {
    const Member member = info.members[branch.member];
    title += '[' + m_branches[branch.counter].name + ']' + dimensionOf(member) + '/' +
             namesOf(member.type).letter;
  } else if (branch.kind == Kind::values) {
    title.clear();
    for (const Member& member : info.members)
      title += (title.empty() ? "" : ":") +
               (member.name.empty() ? branch.name : std::string(member.name)) +
               dimensionOf(member) + '/' + namesOf(member.type).letter;
  }
  const std::size_t baskets = written.positions.size();
  const std::size_t room = std::max(leastRoom, baskets + 1);
  std::vector<std::uint64_t> entries = written.firstEntries;
  entries.push_back(written.entries);
  writer.frame(13, [&] {
    writer.putNamed(branch.name, title);
    putFillAttributes(writer, 1001);
    writer.put(compressionSetting(m_codec));
    writer.put(static_cast<std::uint32_t>(std::clamp<std::size_t>(m_pageBytes, 100, 1 << 30)));
    writer.put(isVariable(branch) ? usualOffsets : 0U);
    writer.put(static_cast<std::uint32_t>(baskets));
    writer.put(written.entries);
    putFeatures(writer);
    writer.put(std::uint32_t{0});
    writer.put(static_cast<std::uint32_t>(room));
    writer.put(isStreamed(branch) ? usualSplit : 0U);
    writer.put(written.entries);
    writer.put(std::uint64_t{0}); // the first entry
    writer.put(written.decodedBytes);
    writer.put(written.storedBytes);
    putList(writer, 0, [] {}); // of branches
    putLeaves(writer, number);
    putList(writer, 0, [] {}); // of baskets in memory
    putArray(writer, written.bytes, room);
    putArray(writer, entries, room);
    putArray(writer, written.positions, room);
    writer.putString(""); // they are in this file
  });
}

void TreeWriter::putLeaves(ObjectWriter& writer, std::uint32_t number) {
  const BranchPlan& branch = m_branches[number];
  const Table info = m_schema.table(branch.table);
  const std::size_t leaves = branch.kind == Kind::values ? info.members.size() : 1;
  putList(writer, leaves, [&] {
    if (branch.kind != Kind::values) {
      const Member member = info.members[branch.kind == Kind::counted ? branch.member : 0];
      const Scalar type = branch.kind == Kind::counts ? counterType(branch) : member.type;
      return putLeaf(writer, number, branch.name, type,
                     branch.kind == Kind::counted ? member.extent : 1);
    }
    for (const Member& member : info.members)
      putLeaf(writer, number, member.name.empty() ? branch.name : std::string(member.name),
              member.type, member.extent);
  });
}

void TreeWriter::putLeaf(ObjectWriter& writer, std::uint32_t number, const std::string& name,
                         Scalar type, std::uint32_t extent) {
  const BranchPlan& branch = m_branches[number];
  const bool isText = branch.kind == Kind::text, isCounter = branch.kind == Kind::counts;
  const bool isElement = isStreamed(branch);
  std::string title = name;
  if (branch.kind == Kind::counted)
    title += '[' + m_branches[branch.counter].name + ']';
  if (extent != 1)
    title += '[' + std::to_string(extent) + ']';
  const std::string_view className = isElement ? "TLeafElement"
                                     : isText  ? "TLeafC"
                                               : namesOf(type).leaf;
  const std::uint32_t size = sizeOf(type);
  const std::uint32_t leaf = writer.pointTo(className, [&] {
    writer.frame(1, [&] {
      writer.frame(2, [&] {
        writer.putNamed(name, title);
        writer.put(extent);
        writer.put(isElement ? 0U : size);
        writer.put(std::uint32_t{0});
        writer.put(static_cast<std::uint8_t>(isCounter)); // whether its greatest value is known
        writer.put(static_cast<std::uint8_t>(!isElement && !isText && isUnsigned(type)));
        if (branch.kind == Kind::counted)
          writer.pointAgain(m_written[branch.counter].leaf);
        else
          writer.putNull();
      });
      if (isElement) {
        writer.put(std::int32_t{-1});
        writer.put(std::int32_t{-1});
      } else {
        putBounds(writer, isText ? sizeof(std::uint32_t) : size,
                  isCounter ? m_written[number].mostRows : 0);
      }
    });
  });
  m_written[number].leaf = leaf;
  m_leaves.push_back(leaf);
}

} // namespace kaon::root
