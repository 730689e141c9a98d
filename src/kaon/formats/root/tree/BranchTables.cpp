#include <kaon/formats/root/tree/BranchTables.h>

#include <kaon/base/Error.h>
#include <kaon/formats/root/objects/TypeName.h>
#include <kaon/formats/root/tree/BranchPlan.h>
#include <kaon/formats/root/tree/BranchTitle.h>
#include <kaon/formats/root/tree/BranchUnits.h>
#include <kaon/formats/root/tree/ClonesClasses.h>
#include <kaon/formats/root/tree/TableBuilder.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace kaon::root {
namespace {

// The budget of parts. Split branches have about 700 bytes of the tree's record for each part.
// Parts of other branches come from the descriptions of classes, and their values are in the file.
constexpr std::size_t fewestParts = 65'536, bytesOfPart = 16;
constexpr int mostRefunds = 16; // for unreadable branches; more could take long

/// Maps the branches of a tree to tables.
class TreeTabler {
public:
  TreeTabler(const RootContainer& container, const std::string& name, const TreeDescription& tree,
             const SchemaDocument& stored, const UnreadBranches& unread)
      : m_tree(tree), m_stored(stored), m_unread(unread), m_group(container.options().group),
        m_clonesClasses(container, name),
        m_shapes(tree.classes(),
                 fewestParts + (tree.bytes() + container.bytes().size()) / bytesOfPart),
        m_builder(m_tables, stored.schema) {}

  TreeTables run() {
    for (const BranchDescription& branch : m_tree.branches()) {
      m_names.insert(branch.name);
      note(branch);
    }
    for (const BranchDescription& branch : m_tree.branches())
      noteInside(branch);
    notePresence();
    for (const BranchDescription& branch : m_tree.branches())
      addTop(branch);
    return std::move(m_tables);
  }

private:
  using Counted = std::vector<const BranchDescription*>;

  void note(const BranchDescription& branch);
  void noteInside(const BranchDescription& branch);
  void notePresence();
  void addTop(const BranchDescription& branch);
  void addLeaves(const BranchDescription& branch);
  void addCounted(std::string_view counter, const Counted& branches);
  void addSeparately(const std::vector<NamedValues>& values, std::uint32_t counter);
  void addWhole(const BranchDescription& branch);
  void addObjects(const BranchDescription& branch);
  void addClones(const BranchDescription& branch);
  void addObject(const BranchDescription& branch);
  void addCollection(const BranchDescription& branch, const std::string& name);
  void gather(const BranchDescription& branch, std::string_view prefix, std::uint32_t counter,
              std::vector<NamedValues>& values);
  Unit elementUnit(const BranchDescription& branch);
  std::uint32_t sizesUnit(const Unit& arrays, std::string_view path,
                          const std::vector<NamedValues>& values) const;
  NamedValues rowsOf(const BranchDescription& branch, std::string path);
  std::uint32_t addUnit(Unit unit); // with its own slot
  std::uint32_t addUnit(Unit unit, std::uint32_t slot);
  NamedValues valuesOf(std::uint32_t unit, std::string path) const {
    return {std::move(path), unit, &m_tables.units[unit].part.shape, {}};
  }
  std::optional<std::uint32_t> numberUnit(std::string_view leaf,
                                          bool (*isWanted)(const NumberLayout&));
  std::optional<std::uint32_t> counterUnit(std::string_view leaf);
  bool isFree(const std::string& name) const;
  std::string tableNameOf(const BranchDescription& branch);

  const TreeDescription& m_tree;
  const SchemaDocument& m_stored;
  const UnreadBranches& m_unread;
  bool m_group;
  ClonesClasses m_clonesClasses;
  Shapes m_shapes;
  int m_refunds = 0; // of the budget of parts
  TreeTables m_tables;
  TableBuilder m_builder;
  // Branches that can be counters.
  std::unordered_map<std::string_view, const BranchDescription*> m_byLeaf;
  std::unordered_set<std::string_view> m_names;                   // of top branches
  std::unordered_map<std::string_view, std::uint32_t> m_numbers;  // last number appended to a name
  std::unordered_map<std::string_view, Counted> m_counted;        // by counter
  std::unordered_map<std::string_view, std::uint32_t> m_counters; // units by leaf
};

/// Removes dots at the end of a name.
std::string_view withoutDot(std::string_view name) noexcept {
  while (name.ends_with('.'))
    name.remove_suffix(1);
  return name;
}

/// Returns the name of a sub-branch below another one, without prefix and dimensions.
std::string tailOf(std::string_view name, std::string_view prefix) {
  name = name.substr(0, name.find('['));
  if (!prefix.empty() && name.size() > prefix.size() + 1 && name.starts_with(prefix) &&
      name[prefix.size()] == '.')
    name.remove_prefix(prefix.size() + 1);
  return std::string(withoutDot(name));
}

/// Returns "Muon" for "nMuon" and "NMuon", and "" for other names.
std::string_view countedName(std::string_view counter) noexcept {
  const bool isCount = counter.size() > 1 && (counter[0] == 'n' || counter[0] == 'N') &&
                       std::islower(static_cast<unsigned char>(counter[1])) == 0;
  return isCount ? counter.substr(counter[1] == '_' ? 2 : 1) : std::string_view();
}

/// Whether a counter is named after a single branch: "njet_pt" for "jet_pt". The branch is then a
/// separate list.
bool isOfOne(std::string_view counter, const std::vector<NamedValues>& values) noexcept {
  return values.size() == 1 && counter.starts_with('n') && counter.substr(1) == values[0].path;
}

/// Whether all names begin with this one and "_", and go on.
bool allBeginWith(std::string_view name, const std::vector<NamedValues>& values) noexcept {
  return std::ranges::all_of(values, [&](const NamedValues& each) {
    return each.path.size() > name.size() + 1 && each.path.starts_with(name) &&
           each.path[name.size()] == '_';
  });
}

/// Returns "Muon" if all names begin with "Muon_", and "" otherwise.
std::string commonPrefix(const std::vector<NamedValues>& values) {
  std::string_view common = values.front().path;
  for (const NamedValues& each : values) {
    // The rest must not be empty.
    common = common.substr(0, std::max<std::size_t>(each.path.size(), 1) - 1);
    const auto differ = std::ranges::mismatch(common, each.path).in1 - common.begin();
    common = common.substr(0, static_cast<std::size_t>(differ));
  }
  const std::size_t end = common.rfind('_');
  return std::string(common.substr(0, end == std::string_view::npos ? 0 : end));
}

/// Notes sub-branches after top branches, which take precedence for equal names.
void TreeTabler::noteInside(const BranchDescription& branch) {
  for (const BranchDescription& inside : branch.branches) {
    note(inside);
    noteInside(inside);
  }
}

void TreeTabler::note(const BranchDescription& branch) {
  if (branch.className != "TBranch" || branch.leaves.size() != 1)
    return;
  const LeafDescription& leaf = branch.leaves[0];
  if (leaf.counter.empty())
    m_byLeaf.emplace(leaf.name, &branch);
  else
    m_counted[leaf.counter].push_back(&branch);
}

/// Finds the branches with the presence of tables that kaon wrote.
void TreeTabler::notePresence() {
  if (m_stored.absent.empty())
    return;
  for (const auto& [table, name] : presenceBranches(m_stored.schema))
    try {
      if (std::ranges::binary_search(m_stored.absent, table))
        if (const auto unit = numberUnit(
                name, [](const NumberLayout& form) { return form.type == Scalar::Bool; }))
          m_builder.setPresence(table, *unit);
    } catch (const Error&) {
      continue; // addTop() reports why it is unreadable
    }
}

bool TreeTabler::isFree(const std::string& name) const {
  return !m_names.contains(name) && m_tables.schema.find(name) == Table::none;
}

/// Returns the name of a branch's table: "Particle_2" if "Particle" exists already.
std::string TreeTabler::tableNameOf(const BranchDescription& branch) {
  const std::string_view plain = withoutDot(branch.name);
  std::string name(plain);
  if (m_tables.schema.find(name) == Table::none)
    return name;
  std::uint32_t& number = m_numbers.try_emplace(plain, 1).first->second;
  do
    name = std::string(plain) + "_" + std::to_string(++number);
  while (!isFree(name));
  return name;
}

std::uint32_t TreeTabler::addUnit(Unit unit) { return addUnit(std::move(unit), m_tables.slots++); }

std::uint32_t TreeTabler::addUnit(Unit unit, std::uint32_t slot) {
  unit.slot = slot;
  const BranchDescription& branch = *unit.branch;
  if (const auto unread = m_unread.find(&branch); unread != m_unread.end())
    fail(ErrorKind::version, unread->second);
  if (branch.entries < m_tree.entries()) // it was added late, and earlier entries were not filled
    fail(ErrorKind::version, "it has only ", branch.entries, " of the ", m_tree.entries(),
         " entries of its tree");
  double growth = 1;
  if (unit.kind != Unit::Kind::streamed)
    growth =
        static_cast<double>(sizeOf(unit.numbers().form.type)) / unit.numbers().form.storedBytes;
  unit.bytesPerEntry = growth * static_cast<double>(branch.bytes) /
                       static_cast<double>(std::max<std::uint64_t>(branch.entries, 1));
  m_tables.units.push_back(std::move(unit));
  return static_cast<std::uint32_t>(m_tables.units.size() - 1);
}

void TreeTabler::addTop(const BranchDescription& branch) {
  try {
    if (!branch.failure.empty())
      fail(ErrorKind::version, branch.failure);
    if (m_builder.isPresence(branch))
      return; // tells which entries have a table
    if (branch.className == "TBranch")
      addLeaves(branch);
    else if (branch.className == "TBranchRef")
      return; // the tree's own references
    else if (branch.className == "TBranchObject")
      addObjects(branch);
    else if (branch.className == "TBranchClones")
      addClones(branch);
    else if (branch.className != "TBranchElement")
      fail(ErrorKind::version, "it is a ", branch.className);
    else if (branch.kind == 3 || branch.kind == 4)
      addCollection(branch, tableNameOf(branch));
    else if (hasData(branch))
      addWhole(branch);
    else
      addObject(branch);
  } catch (const Error& error) {
    m_builder.refuse(branch, error.what());
  }
}

void TreeTabler::addLeaves(const BranchDescription& branch) {
  for (const BranchDescription& inside : branch.branches)
    addTop(inside);
  if (branch.leaves.empty())
    return;
  const bool isSingle = branch.leaves.size() == 1;
  if (isSingle && !branch.leaves[0].counter.empty()) {
    const auto counted = m_counted.find(branch.leaves[0].counter);
    if (counted != m_counted.end()) { // all of them are added with the first one
      const Counted branches = std::exchange(counted->second, {});
      if (!branches.empty())
        addCounted(counted->first, branches);
    }
    return;
  }
  if (std::optional<Unit> record = unitOfVariableLeaves(branch)) {
    const std::uint32_t unit = addUnit(std::move(*record));
    return m_builder.addRoot(tableNameOf(branch), "", std::nullopt, {valuesOf(unit, "")},
                             documentationOf(branch).description);
  }
  std::vector<Unit> units = unitsOfLeaves(branch);
  const std::uint32_t slot = m_tables.slots++;
  const std::string name = tableNameOf(branch);
  std::vector<NamedValues> values;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const std::uint32_t unit = addUnit(std::move(units[i]), slot);
    values.push_back(valuesOf(unit, isSingle ? "" : std::string(branch.leaves[i].name)));
  }
  if (m_tables.units.back().kind == Unit::Kind::streamed)
    m_builder.addRootOf(name, values[0].unit);
  else
    m_builder.addRoot(name, "", std::nullopt, values, documentationOf(branch).description);
}

/// Returns the unit of a leaf with one number in each entry, if `isWanted` accepts it.
std::optional<std::uint32_t> TreeTabler::numberUnit(std::string_view leaf,
                                                    bool (*isWanted)(const NumberLayout&)) {
  const auto branch = m_byLeaf.find(leaf);
  if (branch == m_byLeaf.end())
    return std::nullopt;
  std::vector<Unit> units = unitsOfLeaves(*branch->second);
  const Shape& numbers = units[0].part.shape;
  if (numbers.kind != Shape::Kind::number || numbers.extent != 1 || !isWanted(numbers.form))
    return std::nullopt;
  return addUnit(std::move(units[0]));
}

/// Returns the unit of a leaf that counts the values of others.
std::optional<std::uint32_t> TreeTabler::counterUnit(std::string_view leaf) {
  if (const auto known = m_counters.find(leaf); known != m_counters.end())
    return known->second;
  std::optional<std::uint32_t> unit;
  try {
    unit = numberUnit(leaf, [](const NumberLayout& form) {
      return form.kind == NumberLayout::Kind::plain && form.type < Scalar::Float32;
    });
  } catch (const Error&) {
    return std::nullopt; // addTop() reports why it is unreadable
  }
  if (unit)
    m_counters.emplace(leaf, *unit);
  return unit;
}

/// Adds branches with the same counter: one collection, if their names have a common prefix.
void TreeTabler::addCounted(std::string_view counter, const Counted& branches) {
  std::vector<NamedValues> values;
  const std::optional<std::uint32_t> counts = counterUnit(counter);
  for (const BranchDescription* const branch : branches)
    try {
      if (!counts)
        fail(ErrorKind::version, "its counter '", counter,
             "' is not a readable branch of whole numbers");
      std::vector<Unit> units = unitsOfLeaves(*branch);
      units[0].counter = *counts;
      const std::uint32_t unit = addUnit(std::move(units[0]));
      values.push_back(valuesOf(unit, std::string(branch->name)));
    } catch (const Error& error) {
      m_builder.refuse(*branch, error.what());
    }
  if (values.empty())
    return;
  if (!m_group || isOfOne(counter, values))
    return addSeparately(values, *counts);
  std::string name(countedName(counter));
  if (counter.starts_with('n') && m_builder.isStored(counter.substr(1)))
    name = counter.substr(1); // kaon wrote it, under any name
  if (!allBeginWith(name, values))
    name = commonPrefix(values);
  if (!name.empty() && isFree(name)) {
    for (NamedValues& each : values)
      each.path.erase(0, name.size() + 1);
  } else {
    name = countedName(counter);
    if (values.size() == 1 || name.empty() || !isFree(name))
      return addSeparately(values, *counts);
  }
  m_builder.addRoot(name, "", ColumnOrigin{ColumnOrigin::Kind::counter, *counts, 0}, values,
                    m_tables.units[*counts].documentation.description);
}

/// Adds a separate list for each branch, with the branch's name.
void TreeTabler::addSeparately(const std::vector<NamedValues>& values, std::uint32_t counter) {
  for (const NamedValues& each : values)
    m_builder.addRoot(each.path, "", ColumnOrigin{ColumnOrigin::Kind::counter, counter, 0},
                      {{"", each.unit, each.shape, {}}});
}

/// Returns the unit of a branch of objects. Records members that are not read.
Unit TreeTabler::elementUnit(const BranchDescription& branch) {
  const PartBudget before = m_shapes.budget();
  Unit unit;
  try {
    unit = m_clonesClasses.unitOf(m_shapes, [&] {
      return branch.className == "TBranchObject" ? unitOfObject(branch, m_shapes)
                                                 : unitOfElement(branch, m_shapes);
    });
  } catch (const Error&) { // a type with too many parts must not exhaust the budget of others
    if (m_refunds++ < mostRefunds)
      m_shapes.budget() = before;
    throw;
  }
  for (const auto& [member, leftOut] : m_shapes.leftOut())
    m_builder.leaveOut(branch, member, leftOut);
  return unit;
}

/// Adds values of a type that was not split.
void TreeTabler::addWhole(const BranchDescription& branch) {
  const std::uint32_t unit = addUnit(elementUnit(branch));
  const std::string name = tableNameOf(branch);
  const Shape::Kind kind = m_tables.units[unit].part.shape.kind;
  if (kind == Shape::Kind::list || kind == Shape::Kind::text || kind == Shape::Kind::references)
    m_builder.addRootOf(name, unit);
  else
    m_builder.addRoot(name, branch.typeName, std::nullopt, {valuesOf(unit, "")});
}

/// Adds the output of BranchOld(): whole objects, or a branch for each of their members.
void TreeTabler::addObjects(const BranchDescription& branch) {
  if (branch.branches.empty())
    return addWhole(branch);
  for (const BranchDescription& inside : branch.branches)
    addTop(inside);
}

/// Adds a TClonesArray that BranchOld() split: first the counter of its objects, then their
/// members.
void TreeTabler::addClones(const BranchDescription& branch) {
  if (branch.branches.empty())
    fail(ErrorKind::version, "no branch counts its objects");
  const std::uint32_t counts = addUnit(unitOfCounts(branch.branches[0]));
  std::vector<NamedValues> values;
  for (const BranchDescription& member : std::span(branch.branches).subspan(1))
    try {
      std::vector<Unit> units = unitsOfLeaves(member);
      if (units.empty())
        fail(ErrorKind::version, "has no leaf");
      Unit unit = std::move(units[0]);
      unit.counter = counts;
      values.push_back(
          valuesOf(addUnit(std::move(unit)), tailOf(member.name, withoutDot(branch.name))));
    } catch (const Error& error) {
      m_builder.refuse(member, error.what());
    }
  m_builder.addRoot(tableNameOf(branch), branch.typeName,
                    ColumnOrigin{ColumnOrigin::Kind::counter, counts, 0}, values,
                    documentationOf(branch).description);
}

void TreeTabler::addObject(const BranchDescription& branch) {
  std::vector<NamedValues> values;
  gather(branch, withoutDot(branch.name), Unit::none, values);
  m_builder.addRoot(tableNameOf(branch), branch.typeName, std::nullopt, values,
                    documentationOf(branch).description);
}

void TreeTabler::addCollection(const BranchDescription& branch, const std::string& name) {
  const NamedValues rows = rowsOf(branch, "");
  m_builder.addRoot(name, branch.elementName,
                    ColumnOrigin{ColumnOrigin::Kind::counter, rows.unit, 0}, rows.inside,
                    documentationOf(branch).description);
}

/// Returns the values in the rows of a split collection.
NamedValues TreeTabler::rowsOf(const BranchDescription& branch, std::string path) {
  NamedValues rows{std::move(path), addUnit(unitOfCounts(branch)), nullptr, {}};
  for (const BranchDescription& inside : branch.branches)
    gather(inside, withoutDot(branch.name), rows.unit, rows.inside);
  return rows;
}

/// Returns the unit with the lengths of the array in each row: a member of the same row.
std::uint32_t TreeTabler::sizesUnit(const Unit& arrays, std::string_view path,
                                    const std::vector<NamedValues>& values) const {
  const std::string counter =
      std::string(path.substr(0, path.rfind('.') + 1)) + arrays.part.counter;
  const auto member = std::ranges::find(values, counter, &NamedValues::path);
  if (member != values.end() && member->shape) {
    const Unit& sizes = m_tables.units[member->unit];
    if (sizes.kind == Unit::Kind::numbers && isCounter(sizes.part.shape))
      return member->unit;
  }
  fail(ErrorKind::version, "its counter '", counter, "' is not a readable member");
}

/// Collects the values of a branch and its sub-branches that are in the same rows.
void TreeTabler::gather(const BranchDescription& branch, std::string_view prefix,
                        std::uint32_t counter, std::vector<NamedValues>& values) {
  if (!branch.failure.empty())
    return m_builder.refuse(branch, branch.failure);
  const bool isCollection = branch.kind == 3 || branch.kind == 4;
  for (const BranchDescription& inside : branch.branches)
    if (!isCollection)
      gather(inside, prefix, counter, values);
  if (!hasData(branch))
    return;
  try {
    if (isCollection && counter != Unit::none)
      fail(ErrorKind::version, "it is a split collection in another one");
    if (isCollection) {
      NamedValues rows = rowsOf(branch, tailOf(branch.name, prefix));
      if (!rows.inside.empty())
        values.push_back(std::move(rows));
      return;
    }
    if (branch.className != "TBranchElement")
      fail(ErrorKind::version, "it is a ", branch.className);
    Unit unit = elementUnit(branch);
    unit.counter = counter;
    std::string path = tailOf(branch.name, prefix);
    if (unit.kind == Unit::Kind::lists && counter != Unit::none)
      unit.kind = Unit::Kind::streamed;
    if (unit.part.wrap == ShapePart::Wrap::loop ||
        (unit.part.wrap == ShapePart::Wrap::flag && counter != Unit::none))
      unit.sizes = sizesUnit(unit, path, values);
    // Members of a base belong to the object itself. The elements of an array are its value.
    if (unit.part.isBase || isStandardArray(normalTypeName(branch.typeName)))
      path.erase(path.find('.') == std::string::npos ? 0 : path.rfind('.'));
    values.push_back(valuesOf(addUnit(std::move(unit)), std::move(path)));
    values.back().owner = branch.typeName;
  } catch (const Error& error) {
    m_builder.refuse(branch, error.what());
  }
}

} // namespace

TreeTables tablesOf(const RootContainer& container, const std::string& name,
                    const TreeDescription& tree, const SchemaDocument& stored,
                    const UnreadBranches& unread) {
  return TreeTabler(container, name, tree, stored, unread).run();
}

} // namespace kaon::root
