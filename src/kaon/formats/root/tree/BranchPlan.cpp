#include <kaon/formats/root/tree/BranchPlan.h>

#include <kaon/base/Error.h>
#include <kaon/formats/root/container/RecordKey.h>
#include <kaon/model/SchemaDocument.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace kaon::root {
namespace {

class BranchPlanner {
public:
  explicit BranchPlanner(const Schema& schema) : m_schema(schema), m_children(schema.size()) {
    for (TableNumber table = 0; table < schema.size(); ++table)
      if (const Table info = schema.table(table); !info.isRoot())
        m_children[info.parent].push_back(table);
    for (TableNumber table = 0; table < m_schema.size(); ++table)
      if (const Table info = m_schema.table(table); info.isRoot()) {
        const std::size_t before = m_branches.size();
        add(table);
        if (info.canBeAbsent() && m_branches.size() > before)
          m_branches.push_back({Kind::presence, "", table});
      }
    namePresences();
  }

  [[nodiscard]] const std::vector<BranchPlan>& branches() const noexcept { return m_branches; }
  [[nodiscard]] const std::vector<detail::Loss>& losses() const noexcept { return m_losses; }

private:
  using Kind = BranchPlan::Kind;

  /// Records a table that cannot be written. Tables of characters stand for their strings.
  void refuse(TableNumber table, std::string reason) {
    if (const Table info = m_schema.table(table);
        !info.isRoot() && charactersOf(info.parent) == table)
      table = info.parent;
    m_losses.push_back({table, std::move(reason)});
  }

  void addBranch(Kind kind, std::string name, TableNumber table, std::uint32_t member = 0,
                 std::uint32_t counter = 0) {
    std::ranges::replace(name, '.', '_');
    if (name.empty() || name.find_first_of("/\\[](){}:;, ") != std::string::npos)
      return refuse(table, "ROOT cannot have a branch '" + name + "'");
    if (name.size() > mostNameBytes)
      return refuse(table,
                    "names of branches have at most " + std::to_string(mostNameBytes) + " bytes");
    if (!m_names.insert(name).second)
      return refuse(table, "there would be two branches '" + name + "'");
    m_branches.push_back({kind, std::move(name), table, member, counter});
  }

  /// Returns the table with the characters of a table's strings, if it has nothing else.
  [[nodiscard]] TableNumber charactersOf(TableNumber table) const {
    if (!m_schema.table(table).members.empty() || m_children[table].size() != 1)
      return Table::none;
    const TableNumber child = m_children[table][0];
    const Table info = m_schema.table(child);
    // A string with a name of its own is a member, which the branch would not name.
    const bool isText =
        info.kind == TableKind::text || (info.type == "string" && info.name.ends_with('.'));
    return isText && isBare(child) && sizeOf(info.members[0].type) == 1 ? child : Table::none;
  }
  /// Whether the rows of a table are bare numbers.
  [[nodiscard]] bool isBare(TableNumber table) const {
    const Table info = m_schema.table(table);
    return info.members.size() == 1 && info.members[0].name.empty() &&
           info.members[0].extent == 1 && m_children[table].empty();
  }

  /// Whether the table of this name gets a counter, and a value table has the same numbers.
  [[nodiscard]] bool hasCounter(std::string_view name) const {
    const TableNumber table = m_schema.find(name);
    return table != Table::none && m_schema.table(table).isCounted() && !isBare(table) &&
           charactersOf(table) == Table::none && countsOf(name) != Table::none;
  }
  /// Returns the value with the number of rows of a table: a 32-bit integer with a name such as
  /// "nMuon".
  [[nodiscard]] std::uint32_t countsOf(std::string_view name) const {
    const TableNumber table = m_schema.find(std::string("n").append(name));
    if (table == Table::none || m_schema.table(table).kind != TableKind::value || !isBare(table))
      return Table::none;
    const Scalar type = m_schema.table(table).members[0].type;
    return type == Scalar::Int32 || type == Scalar::UInt32 ? table : Table::none;
  }

  /// Returns the kind of a table below another one, for messages.
  [[nodiscard]] std::string_view whatIs(TableNumber table) const {
    const TableKind kind = m_schema.table(table).kind;
    if (kind == TableKind::decoration)
      return "a decoration";
    return kind == TableKind::oneRelation || kind == TableKind::manyRelation ? "a relation"
                                                                             : "a list";
  }

  void add(TableNumber table) {
    const Table info = m_schema.table(table);
    const std::string name(info.name);
    const std::uint32_t characters = charactersOf(table);
    if (characters != Table::none)
      return addBranch(info.isCounted() ? Kind::texts : Kind::text, name, characters);
    if (info.members.empty())
      return refuse(table, m_children[table].empty()
                               ? "it has no members"
                               : std::string("it holds ").append(whatIs(m_children[table][0])));
    for (const Member& member : info.members)
      if (member.extent > mostLeafValues)
        return refuse(table,
                      "arrays in trees have at most " + std::to_string(mostLeafValues) + " values");
    if (info.rowSize > mostRowBytes)
      return refuse(table, "its rows have " + std::to_string(info.rowSize) + " bytes, of " +
                               std::to_string(mostRowBytes) + " at most");
    for (const std::uint32_t inside : m_children[table])
      refuse(inside, std::string("it is ").append(whatIs(inside)) + " in another table");
    if (!info.isCounted() && name.starts_with('n') && hasCounter(name.substr(1)))
      return; // the counter's branch has its values
    if (!info.isCounted())
      return addBranch(Kind::values, name, table);
    if (isBare(table))
      return addBranch(Kind::vector, name, table);
    const auto counter = static_cast<std::uint32_t>(m_branches.size());
    addBranch(Kind::counts, std::string("n").append(name), table);
    if (m_branches.size() == counter)
      return; // it was refused
    m_branches.back().counts = countsOf(name);
    for (MemberNumber member = 0; member < info.members.size(); ++member) {
      const std::string inRow(nameInBranch(info.members[member])); // "" for arrays of fixed length
      addBranch(Kind::counted, inRow.empty() ? name : name + '_' + inRow, table, member, counter);
    }
  }

  /// Names the presence branches last, so that tables get their names first. Most of these branches
  /// will not be needed.
  void namePresences() {
    for (BranchPlan& branch : m_branches) {
      if (branch.kind != Kind::presence)
        continue;
      std::string wanted(m_schema.table(branch.table).name);
      std::ranges::replace(wanted, '.', '_');
      branch.name = wanted += "_present";
      for (int count = 2; !m_names.insert(branch.name).second; ++count)
        branch.name = wanted + '_' + std::to_string(count);
    }
  }

  const Schema& m_schema;
  std::vector<std::vector<std::uint32_t>> m_children; // by table
  std::set<std::string> m_names;
  std::vector<BranchPlan> m_branches;
  std::vector<detail::Loss> m_losses;
};

} // namespace

std::vector<BranchPlan> planBranches(const Schema& schema, const std::string& file) {
  const BranchPlanner planner(schema);
  for (const detail::Loss& loss : planner.losses())
    fail(ErrorKind::usage, file, ": a tree cannot hold '", schema.table(loss.table).name,
         "': ", loss.reason, "; write it as an RNTuple, or to a .kaon file");
  return planner.branches();
}

std::map<std::uint32_t, std::string> presenceBranches(const Schema& schema) {
  std::map<std::uint32_t, std::string> names;
  const BranchPlanner planner(schema);
  for (const BranchPlan& branch : planner.branches())
    if (branch.kind == BranchPlan::Kind::presence)
      names.emplace(branch.table, branch.name);
  return names;
}

std::vector<detail::Loss> lossesInTrees(const Schema& schema) {
  return BranchPlanner(schema).losses();
}

} // namespace kaon::root
