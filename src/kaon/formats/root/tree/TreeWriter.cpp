#include <kaon/formats/root/tree/TreeWriter.h>

#include <kaon/base/Error.h>
#include <kaon/formats/root/tree/MissingRows.h>
#include <kaon/model/KnownTables.h>
#include <kaon/model/SchemaDocument.h>
#include <kaon/model/SplitSchema.h>

#include <algorithm>
#include <ranges>
#include <utility>

namespace kaon::root {
namespace {

/// Whether a branch stays unchanged in a plan with more tables. A presence branch may be renamed if
/// a table needs its name. Its written baskets keep the old name, which readers ignore.
bool staysInPlan(const BranchPlan& known, BranchPlan planned) {
  if (known.kind == BranchPlan::Kind::presence)
    planned.name = known.name;
  return known == planned;
}

} // namespace

void TreeWriter::addTables(const Schema& schema, const std::string& file) {
  const Schema split = splitSchema(schema);
  const std::uint32_t known = m_tree.schema.size();
  checkKnownTables(split, m_tree.schema, file, m_path);
  if (split.size() <= known)
    return;
  std::vector<BranchPlan> branches = planBranches(split, file);
  if (!std::ranges::equal(m_tree.plans, branches | std::views::take(m_tree.plans.size()),
                          staysInPlan))
    fail(ErrorKind::usage, file, ": '", split.table(known).name, "' comes too late: it changes ",
         "branches that the tree '", m_path, "' has already");
  m_tree.plans = std::move(branches);
  WrittenBranch late;
  late.absentUntil = m_tree.entries;
  m_tree.branches.resize(m_tree.plans.size(), late);
  for (TableNumber table = known; table < split.size(); ++table)
    m_tree.schema.add(split.table(table).definition());
}

std::unique_ptr<EncodedEntries> TreeWriter::encode(const Schema& schema, const Batch& batch,
                                                   Buffer pages) const {
  auto baskets = std::make_unique<EncodedBaskets>(schema.size());
  baskets->pages = std::move(pages);
  BasketEncoder(m_tree.codec, m_tree.pageBytes, m_tree.name)
      .encode(planBranches(schema, m_path), schema, batch, *baskets);
  return baskets;
}

void TreeWriter::write(ContainerWriter& file, EncodedEntries& encoded) {
  const auto& cluster = dynamic_cast<EncodedBaskets&>(encoded);
  for (const EncodedBasket& basket : cluster.baskets) {
    fillMissing(file, basket.branch);
    writeBasket(file, cluster.pages, basket, basket.branch);
  }
  noteAbsence(file, cluster);
  addCluster(cluster.entries);
}

/// Records the tables that all entries of a cluster lack, because the tables were unknown when it
/// was encoded.
void TreeWriter::noteAbsence(ContainerWriter& file, const EncodedBaskets& cluster) {
  for (std::uint32_t number = 0; number < m_tree.plans.size(); ++number) {
    const BranchPlan& plan = m_tree.plans[number];
    if (plan.kind != BranchPlan::Kind::presence || plan.table < cluster.tables)
      continue;
    WrittenBranch& branch = m_tree.branches[number];
    if (branch.absentUntil < m_tree.entries)
      fillMissing(file, number);
    branch.absentUntil = m_tree.entries + cluster.entries;
  }
}

void TreeWriter::writeBasket(ContainerWriter& file, const Buffer& baskets,
                             const EncodedBasket& basket, std::uint32_t number) {
  constexpr std::uint16_t version = 3;
  const std::string& name = m_tree.plans[number].name;
  WrittenBranch& branch = m_tree.branches[number];
  const auto keyBytes = static_cast<std::uint32_t>(keyBytesOfBasket(name, m_tree.name));
  BigEndianWriter inKey;
  inKey.put(version);
  inKey.put(keyBytes + basket.objectBytes); // the size of ROOT's buffer
  inKey.put(basket.entryBytes > 0 ? basket.entryBytes : basket.entries + 1);
  inKey.put(basket.entries);
  inKey.put(keyBytes + basket.dataBytes);
  inKey.put(std::uint8_t{0});
  branch.positions.push_back(file.writeRecord(
      "TBasket", name, m_tree.name, inKey.bytes(),
      baskets.bytes().subspan(static_cast<std::size_t>(basket.position), basket.bytes),
      basket.objectBytes));
  branch.firstEntries.push_back(branch.entries);
  branch.bytes.push_back(keyBytes + basket.bytes);
  branch.entries += basket.entries;
  branch.decodedBytes += keyBytes + basket.objectBytes;
  branch.storedBytes += keyBytes + basket.bytes;
  branch.mostRows = std::max(branch.mostRows, basket.mostRows);
}

/// Writes a branch for earlier entries that did not have it. For presence: entries whose clusters
/// always had the table.
void TreeWriter::fillMissing(ContainerWriter& file, std::uint32_t number) {
  constexpr std::uint64_t mostEntries = 64 * 1024; // at once
  WrittenBranch& branch = m_tree.branches[number];
  BranchPlan plan = m_tree.plans[number];
  plan.counts = Table::none; // the missing entries have no rows, whatever the value says
  while (branch.entries < m_tree.entries) {
    const bool isThere = branch.entries >= branch.absentUntil;
    const std::uint64_t last = isThere ? m_tree.entries : branch.absentUntil;
    const auto entries = static_cast<std::size_t>(std::min(last - branch.entries, mostEntries));
    const MissingRows missing(m_tree.schema, plan.table, entries, isThere);
    EncodedBaskets encoded(m_tree.schema.size());
    BasketEncoder(m_tree.codec, m_tree.pageBytes, m_tree.name)
        .encodeBranch(plan, number, m_tree.schema, missing.batch(), encoded);
    for (const EncodedBasket& basket : encoded.baskets)
      writeBasket(file, encoded.pages, basket, number);
  }
}

void TreeWriter::addCluster(std::uint64_t entries) {
  m_tree.entries += entries;
  if (!m_tree.clusters.empty() && m_tree.clusters.back().entries == entries)
    m_tree.clusters.back().lastEntry = m_tree.entries - 1;
  else
    m_tree.clusters.push_back({m_tree.entries - 1, entries});
}

/// Drops the branches of tables that all entries have. Returns the other tables that can be absent.
std::vector<std::uint32_t> TreeWriter::dropUnneeded() {
  std::vector<BranchPlan> plans;
  std::vector<WrittenBranch> branches;
  std::vector<std::uint32_t> numbers, absent; // new numbers of the branches
  for (std::uint32_t number = 0; number < m_tree.plans.size(); ++number) {
    BranchPlan& plan = m_tree.plans[number];
    WrittenBranch& branch = m_tree.branches[number];
    const bool isPresence = plan.kind == BranchPlan::Kind::presence;
    numbers.push_back(static_cast<std::uint32_t>(plans.size()));
    if (isPresence && branch.entries == 0 && branch.absentUntil == 0)
      continue;
    if (isPresence)
      absent.push_back(plan.table);
    plan.counter = numbers[plan.counter];
    plans.push_back(std::move(plan));
    branches.push_back(std::move(branch));
  }
  m_tree.plans = std::move(plans);
  m_tree.branches = std::move(branches);
  return absent;
}

std::set<std::string, std::less<>> TreeWriter::branchNames() const {
  std::set<std::string, std::less<>> names;
  for (const BranchPlan& plan : m_tree.plans) {
    names.insert(plan.name);
    if (plan.kind == BranchPlan::Kind::values)
      for (const Member& member : m_tree.schema.table(plan.table).members)
        names.emplace(nameInBranch(member));
  }
  names.erase("");
  return names;
}

std::string TreeWriter::finish(ContainerWriter& file) {
  const std::vector<std::uint32_t> absent = dropUnneeded();
  for (std::uint32_t branch = 0; branch < m_tree.plans.size(); ++branch)
    fillMissing(file, branch);
  constexpr std::string_view className = "TTree";
  RootObjectWriter writer(file.keyBytesOf(className, m_path, ""));
  putTree(writer, m_tree);
  file.writeObject(className, m_path, "", writer.bytes(), m_tree.codec);
  return toJson({m_tree.schema, absent});
}

} // namespace kaon::root
