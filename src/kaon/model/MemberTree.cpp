#include <kaon/model/MemberTree.h>

#include <kaon/base/Joined.h>
#include <kaon/model/TableLabels.h>

#include <algorithm>
#include <unordered_map>

namespace kaon {
namespace {

constexpr std::size_t mostParts = 32; // names in files may have any number of dots

std::vector<MemberTree::Leaf> leavesFrom(std::span<const Leaf> leaves) {
  std::vector<MemberTree::Leaf> all;
  all.reserve(leaves.size());
  for (const Leaf& leaf : leaves)
    all.push_back({leaf.name, leaf.structure, leaf.type, leaf.extent});
  return all;
}

} // namespace

MemberTree::MemberTree(std::span<const kaon::Leaf> leaves)
    : MemberTree(std::span<const Leaf>(leavesFrom(leaves))) {}

MemberTree::MemberTree(std::span<const Leaf> leaves) : m_nodes(1) {
  m_nodes.reserve(leaves.size() + 1);
  std::unordered_map<std::string_view, std::uint32_t> inner; // nodes with parts, by path
  for (std::uint32_t number = 0; number < leaves.size(); ++number) {
    const Leaf& leaf = leaves[number];
    std::uint32_t above = root;
    std::string_view steps = leaf.structure;
    const auto takeStep = [&] {
      const std::size_t dot = steps.find('.');
      const std::string_view step = steps.substr(0, dot);
      steps.remove_prefix(dot == std::string_view::npos ? steps.size() : dot + 1);
      return step;
    };
    std::size_t begin = 0;
    for (std::size_t level = 0; level < mostParts; ++level) {
      const std::size_t dot = leaf.path.find('.', begin);
      if (dot == std::string_view::npos)
        break;
      const std::string_view path = leaf.path.substr(0, dot);
      const std::string_view step = takeStep();
      const auto [known, isNew] = inner.try_emplace(path, MemberNode::none);
      if (isNew) {
        known->second = addPart(above, path, path.substr(begin));
        MemberNode& node = m_nodes[known->second];
        node.kind = step.empty()           ? MemberKind::record
                    : step == optionalStep ? MemberKind::optional
                                           : MemberKind::array;
        node.shape = node.kind == MemberKind::array ? step : std::string_view{};
      }
      above = known->second;
      begin = dot + 1;
    }
    const std::uint32_t part = addPart(above, leaf.path, leaf.path.substr(begin));
    MemberNode& node = m_nodes[part];
    node.kind = MemberKind::value;
    node.shape = takeStep();
    node.size = leaf.extent;
    node.type = leaf.type;
    node.leaf = number;
  }
  settle();
}

std::uint32_t MemberTree::addPart(std::uint32_t above, std::string_view path,
                                  std::string_view name) {
  const std::uint32_t number = size();
  MemberNode& added = m_nodes.emplace_back();
  added.path = path;
  added.name = name;
  added.above = above;
  MemberNode& parent = m_nodes[above];
  (parent.parts++ == 0 ? parent.firstPart : m_nodes[parent.lastPart].nextPart) = number;
  parent.lastPart = number;
  return number;
}

std::string MemberTree::labelOf(std::uint32_t node) const {
  std::string label;
  for (; node != root; node = m_nodes[node].above)
    if (const MemberKind around = m_nodes[m_nodes[node].above].kind; around == MemberKind::record)
      label = dotted(m_nodes[node].name, label);
  return label;
}

/// Turns optionals and arrays into records if their parts do not fit.
void MemberTree::settle() {
  for (auto node = m_nodes.rbegin(); node != m_nodes.rend(); ++node) {
    if (node->kind == MemberKind::optional && !isWholeOptional(*node))
      node->kind = MemberKind::record;
    if (node->kind == MemberKind::array) {
      if (isWholeArray(*node))
        node->size = node->parts;
      else
        node->kind = MemberKind::record, node->shape = {};
    }
  }
}

bool MemberTree::isWholeOptional(const MemberNode& node) const noexcept {
  if (node.parts != 2)
    return false;
  const MemberNode& presence = m_nodes[node.lastPart];
  return m_nodes[node.firstPart].name == optionalValue && presence.name == optionalPresence &&
         presence.kind == MemberKind::value && presence.type == Scalar::Bool && presence.size == 1;
}

bool MemberTree::isWholeArray(const MemberNode& node) const noexcept {
  std::uint64_t elements = 1;
  for (const std::uint32_t size : shapeOf(node.shape, node.parts))
    elements *= size;
  if (elements != node.parts)
    return false;
  std::uint32_t number = 0;
  for (std::uint32_t part = node.firstPart; part != MemberNode::none;
       part = m_nodes[part].nextPart, ++number)
    if (m_nodes[part].name != std::to_string(number) || !areAlike(part, node.firstPart))
      return false;
  return true;
}

bool MemberTree::areAlike(std::uint32_t a, std::uint32_t b) const noexcept {
  const MemberNode &one = m_nodes[a], &other = m_nodes[b];
  if (one.kind != other.kind || one.parts != other.parts || one.size != other.size ||
      one.shape != other.shape || (one.kind == MemberKind::value && one.type != other.type))
    return false;
  std::uint32_t second = other.firstPart;
  for (std::uint32_t first = one.firstPart; first != MemberNode::none;
       first = m_nodes[first].nextPart, second = m_nodes[second].nextPart)
    if (m_nodes[first].name != m_nodes[second].name || !areAlike(first, second))
      return false;
  return true;
}

TableTree treeOf(const Schema& schema, TableNumber table) {
  std::deque<std::string> texts;
  std::vector<TableMember> places;
  std::vector<MemberTree::Leaf> leaves;
  const auto add = [&](std::uint32_t number, std::string_view tail) {
    const Members members = schema.table(number).members;
    for (MemberNumber i = 0; i < members.size(); ++i) {
      const Member member = members[i];
      std::string_view path = member.name;
      if (!tail.empty())
        path =
            path.empty() ? tail : texts.emplace_back(std::string(tail) + "." + std::string(path));
      leaves.push_back({path, member.structure, member.type, member.extent});
      places.push_back({number, i});
    }
  };
  add(table, "");
  const Table owner = schema.table(table);
  if (owner.kind == TableKind::collection)
    for (const TableNumber below : schema.tablesUnder(table))
      if (const Table info = schema.table(below);
          info.kind == TableKind::decoration && info.parent == table)
        add(below, info.name.substr(owner.name.size() + 1));
  MemberTree tree(leaves);
  return {std::move(texts), std::move(places), std::move(tree)};
}

bool isArray(const Schema& schema, TableNumber table, MemberNumber number) {
  const Table own = schema.table(table);
  const Member member = own.members[number];
  if (member.extent > 1 || member.structure.empty())
    return member.extent > 1;
  return elementsIn(lastStep(schema.pathOfMember(table, number), member.structure)) > 0;
}

std::string structureOfList(const Schema& schema, TableNumber table) {
  const detail::SchemaBlock block = schema.block(); // enough for most tables
  const detail::TextRange text = block.tables[table].name;
  if (block.texts.substr(text.begin, text.size).find(optionalValue) == std::string_view::npos)
    return {};
  const Table list = schema.table(table);
  if (list.isRoot() || list.kind == TableKind::decoration)
    return {};
  const Members above = schema.table(list.parent).members;
  return structureOfList(tailOf(schema, list), [&](std::string_view name) {
    const MemberNumber member = above.find(name);
    return member < above.size() ? above[member].structure : std::string_view();
  });
}

std::vector<TableMember> presencesOfList(const Schema& schema, TableNumber table) {
  const std::string structure = structureOfList(schema, table);
  std::vector<TableMember> presences;
  if (structure.empty())
    return presences;
  const Table list = schema.table(table);
  const Members above = schema.table(list.parent).members;
  const std::string_view path = tailOf(schema, list);
  std::string_view rest = structure;
  for (std::size_t dot = path.find('.'); !rest.empty(); dot = path.find('.', dot + 1)) {
    if (rest.substr(0, rest.find('.')) == optionalStep)
      presences.push_back(
          {list.parent, above.find(joined(path.substr(0, dot), ".", optionalPresence))});
    rest.remove_prefix(std::min(rest.find('.'), rest.size() - 1) + 1);
  }
  return presences;
}

std::vector<TableMember> presencesOf(const Schema& schema, TableNumber table, MemberNumber member) {
  const detail::SchemaBlock block = schema.block(); // enough for most members
  std::vector<TableMember> presences;
  for (std::uint32_t list = table; block.tables[list].parent != Table::none;
       list = block.tables[list].parent) {
    const std::vector<TableMember> around = presencesOfList(schema, list);
    presences.insert(presences.begin(), around.begin(), around.end());
  }
  const detail::TextRange steps = block.members[block.tables[table].firstMember + member].structure;
  if (block.texts.substr(steps.begin, steps.size).find(optionalStep) == std::string_view::npos)
    return presences;
  const Table own = schema.table(table);
  const Member info = own.members[member];
  const bool isLate = own.kind == TableKind::decoration;
  const Table objects = isLate ? schema.table(own.parent) : own;
  const std::string path = schema.pathOfMember(table, member);
  const auto addNamed = [&](const std::string& name) {
    if (name == path)
      return;
    const TableNumber number = isLate ? schema.find(dotted(objects.name, name)) : table;
    if (number == Table::none)
      return;
    const Members members = schema.table(number).members;
    if (const MemberNumber place = isLate ? MemberNumber(0) : members.find(name);
        place < members.size())
      presences.push_back({number, place});
  };
  std::string_view rest = info.structure;
  for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1)) {
    if (rest.substr(0, rest.find('.')) == optionalStep)
      addNamed(path.substr(0, dot) + '.' + std::string(optionalPresence));
    rest.remove_prefix(std::min(rest.find('.'), rest.size() - 1) + 1);
    if (rest.empty())
      break;
  }
  return presences;
}

bool haveSameRows(const Schema& schema, std::uint32_t a, std::uint32_t b) {
  const auto rowsOf = [&](std::uint32_t number) {
    for (; number != Table::none; number = schema.table(number).parent)
      if (schema.table(number).isCounted())
        break;
    return number;
  };
  return rowsOf(a) == rowsOf(b);
}

} // namespace kaon
