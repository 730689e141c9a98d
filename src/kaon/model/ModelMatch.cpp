#include <kaon/model/ModelMatch.h>

#include <kaon/base/Joined.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace kaon {
namespace {

using ChangeKind = MemberChange::Kind;
using NameList = std::vector<std::string_view>;
constexpr std::uint32_t none = LeafMatch::none;

/// The older names of each part of a path, the newest first.
class OlderNames {
public:
  explicit OlderNames(std::span<const detail::Rename> renames) {
    for (const detail::Rename& rename : renames)
      add(rename.name, rename.before);
  }
  [[nodiscard]] std::span<const std::string_view> of(std::string_view path) const {
    const auto names = m_names.find(path);
    return names == m_names.end() ? std::span<const std::string_view>() : names->second;
  }
  [[nodiscard]] bool empty() const noexcept { return m_names.empty(); }

private:
  void add(std::string_view path, std::string_view before) {
    std::size_t begin = 0, beginThen = 0;
    while (begin <= path.size() && beginThen <= before.size()) {
      const std::size_t end = std::min(path.find('.', begin), path.size());
      const std::size_t endThen = std::min(before.find('.', beginThen), before.size());
      const std::string_view name = path.substr(begin, end - begin);
      const std::string_view then = before.substr(beginThen, endThen - beginThen);
      if (name != then) {
        NameList& known = m_names[path.substr(0, end)];
        if (std::ranges::find(known, then) == known.end())
          known.push_back(then);
      }
      begin = end + 1;
      beginThen = endThen + 1;
    }
  }
  std::unordered_map<std::string_view, NameList> m_names;
};

/// The parts of a node by name.
class Parts {
public:
  Parts(const MemberTree& tree, std::uint32_t node) : m_tree(tree) {
    for (std::uint32_t part = tree[node].firstPart; part != none; part = tree[part].nextPart)
      m_parts.push_back(part);
  }
  /// Returns the part with this name, or none. `hint` is its position in most versions.
  [[nodiscard]] std::uint32_t find(std::string_view name, std::size_t hint) {
    if (hint < m_parts.size() && m_tree[m_parts[hint]].name == name)
      return m_parts[hint];
    if (m_byName.empty())
      for (const std::uint32_t part : m_parts)
        m_byName.try_emplace(m_tree[part].name, part);
    const auto known = m_byName.find(name);
    return known == m_byName.end() ? none : known->second;
  }

private:
  const MemberTree& m_tree;
  std::vector<std::uint32_t> m_parts;
  std::unordered_map<std::string_view, std::uint32_t> m_byName;
};

std::string textOf(const MemberTree& tree, std::uint32_t node) {
  const MemberNode& info = tree[node];
  const std::string shape = info.shape.empty() && info.size > 1
                                ? joined("[", std::to_string(info.size), "]")
                                : std::string(info.shape);
  switch (info.kind) {
  case MemberKind::value:
    return joined(nameOf(info.type), shape);
  case MemberKind::array:
    return joined("an array ", shape, " of components");
  case MemberKind::optional:
    return joined("an optional ", textOf(tree, tree.valueOf(node)));
  case MemberKind::record:
    break;
  }
  return "a component";
}

std::string textOf(const TypeContents::List& list) {
  switch (list.kind) {
  case TypeContents::Kind::oneRelation:
    return joined("a relation to one ", list.type);
  case TypeContents::Kind::manyRelation:
    return joined("a relation to many ", list.type);
  case TypeContents::Kind::vectorMember:
    break;
  }
  if (list.elements == TypeContents::Elements::characters && list.depth == 0)
    return "a string";
  std::string text = "a vector of ";
  for (std::uint32_t level = 0; level < list.depth; ++level)
    text += "vectors of ";
  return text.append(list.elements == TypeContents::Elements::values ? list.type : "strings");
}

/// Returns whether the elements are bare numbers.
bool isBare(const MemberTree& tree) {
  return tree[MemberTree::root].parts == 1 && tree[tree[MemberTree::root].firstPart].name.empty();
}

/// Matches the members of objects, or of the elements of a list.
class MembersMatcher {
public:
  MembersMatcher(const MemberTree& before, const MemberTree& now, std::size_t leaves,
                 std::size_t leavesThen, const OlderNames& olderNames, std::string_view list,
                 std::string_view listThen, std::vector<MemberChange>& changes)
      : m_before(before), m_now(now), m_olderNames(olderNames), m_list(list), m_listThen(listThen),
        m_changes(changes), m_leaves(leaves), m_used(leavesThen) {}

  [[nodiscard]] std::vector<LeafMatch> run() {
    matchParts(MemberTree::root, MemberTree::root);
    return std::move(m_leaves);
  }

  /// Marks a member of the older version as reported.
  void useAll(std::uint32_t before) {
    forEachLeaf(m_before, before, [&](std::uint32_t leaf) { use(leaf); });
  }
  /// Reports the members of the older version that are not read, except for leaves in `allowed`.
  void addDropped(const std::vector<bool>& allowed = {}) {
    for (std::size_t leaf = 0; leaf < allowed.size(); ++leaf)
      if (allowed[leaf])
        m_used[leaf] = true;
    addDropped(MemberTree::root);
  }

private:
  [[nodiscard]] std::string pathOf(std::uint32_t node) const {
    return dotted(m_list, m_now[node].path);
  }
  [[nodiscard]] std::string labelOf(std::uint32_t node) const {
    return dotted(m_list, m_now.labelOf(node));
  }
  [[nodiscard]] std::string labelThen(std::uint32_t node) const {
    return dotted(m_listThen, m_before.labelOf(node));
  }

  void matchParts(std::uint32_t now, std::uint32_t before) {
    Parts parts(m_before, before);
    std::size_t place = 0;
    std::uint32_t last = 0;
    for (std::uint32_t part = m_now[now].firstPart; part != none; part = m_now[part].nextPart) {
      const std::uint32_t known = findPart(parts, part, place++);
      if (known == none) {
        m_changes.push_back({ChangeKind::added, labelOf(part), {}, textOf(m_now, part)});
        continue;
      }
      if (known < last && now == MemberTree::root && m_list.empty())
        m_isReordered = true;
      last = known;
      if (m_before[known].name != m_now[part].name)
        m_changes.push_back({ChangeKind::renamed, labelOf(part), labelThen(known)});
      match(part, known);
    }
    if (std::exchange(m_isReordered, false))
      m_changes.push_back({ChangeKind::reordered, {}, {}});
  }

  [[nodiscard]] std::uint32_t findPart(Parts& parts, std::uint32_t part, std::size_t place) const {
    std::uint32_t known = parts.find(m_now[part].name, place);
    if (known == none && !m_olderNames.empty())
      for (const std::string_view name : m_olderNames.of(pathOf(part)))
        if (known = parts.find(name, place); known != none)
          break;
    return known;
  }

  void match(std::uint32_t now, std::uint32_t before) {
    const MemberNode &node = m_now[now], &then = m_before[before];
    if (node.kind == MemberKind::optional)
      return matchOptional(now, before);
    if (then.kind == MemberKind::optional) {
      m_presences.push_back(m_before.presenceOf(before));
      use(m_before.presenceOf(before));
      match(now, m_before.valueOf(before));
      m_presences.pop_back();
      if (mistakeOf(now) == none)
        m_changes.push_back({ChangeKind::requiredNow, labelOf(now), {}});
      return;
    }
    if (node.kind == MemberKind::array && then.kind == MemberKind::array) {
      if (node.size != then.size || (node.size > 1 && !haveSameShape(node.shape, then.shape)))
        return fail(now, before);
      return matchElements(node, then);
    }
    if (node.kind == MemberKind::array && node.size == 1)
      return match(node.firstPart, before);
    if (then.kind == MemberKind::array && then.size == 1)
      return match(now, then.firstPart);
    if (node.kind != then.kind)
      return fail(now, before);
    if (node.kind == MemberKind::record)
      return matchParts(now, before);
    if (node.size != then.size || (node.size > 1 && !haveSameShape(node.shape, then.shape)))
      return fail(now, before);
    LeafMatch& leaf = m_leaves[node.leaf];
    const bool isAsStored = node.type == then.type && m_presences.empty();
    leaf = {.verdict = isAsStored ? Verdict::read : Verdict::converted,
            .leaf = then.leaf,
            .presences = m_presences};
    use(then.leaf);
  }

  /// Matches the elements of two arrays. All elements change alike, so only the changes of the
  /// first are kept.
  void matchElements(const MemberNode& node, const MemberNode& then) {
    const std::size_t before = m_changes.size();
    match(node.firstPart, then.firstPart);
    const std::size_t after = m_changes.size();
    std::uint32_t element = then.firstPart;
    for (std::uint32_t part = m_now[node.firstPart].nextPart; part != none;
         part = m_now[part].nextPart) {
      element = m_before[element].nextPart;
      match(part, element);
      forEachLeaf(m_now, part, [&](std::uint32_t leaf) {
        if (std::uint32_t& mistake = m_leaves[leaf].mistake; mistake != none && mistake >= after)
          mistake -= static_cast<std::uint32_t>(after - before);
      });
      m_changes.resize(after);
    }
  }

  void matchOptional(std::uint32_t now, std::uint32_t before) {
    const std::uint32_t value = m_now.valueOf(now);
    LeafMatch presence{.verdict = Verdict::read, .presences = m_presences};
    if (m_before[before].kind == MemberKind::optional) {
      presence.leaf = m_before.presenceOf(before);
      use(presence.leaf);
      match(value, m_before.valueOf(before));
    } else {
      match(value, before);
      if (mistakeOf(now) == none)
        m_changes.push_back({ChangeKind::optionalNow, labelOf(now), {}});
      if (m_presences.empty())
        presence.isAlwaysThere = true;
      else
        presence.leaf = m_presences.back();
    }
    if (!m_presences.empty())
      presence.verdict = Verdict::converted;
    if (const std::uint32_t mistake = mistakeOf(now); mistake != none)
      presence = {.verdict = Verdict::failed, .mistake = mistake};
    m_leaves[m_now.presenceOf(now)] = std::move(presence);
  }

  /// Returns the mistake of a member that fails as a whole; otherwise none.
  [[nodiscard]] std::uint32_t mistakeOf(std::uint32_t now) const {
    std::uint32_t mistake = none;
    forEachLeaf(m_now, now,
                [&](std::uint32_t leaf) { mistake = std::min(mistake, m_leaves[leaf].mistake); });
    return mistake != none && m_changes[mistake].path == labelOf(now) ? mistake : none;
  }

  void fail(std::uint32_t now, std::uint32_t before) {
    const auto mistake = static_cast<std::uint32_t>(m_changes.size());
    m_changes.push_back({ChangeKind::failed, labelOf(now), labelThen(before),
                         joined("was ", textOf(m_before, before), ", is ", textOf(m_now, now))});
    forEachLeaf(m_now, now, [&](std::uint32_t leaf) {
      m_leaves[leaf] = {.verdict = Verdict::failed, .mistake = mistake};
    });
    useAll(before);
  }

  template <class Use>
  static void forEachLeaf(const MemberTree& tree, std::uint32_t node, Use use) {
    if (tree[node].leaf != none)
      use(tree[node].leaf);
    for (std::uint32_t part = tree[node].firstPart; part != none; part = tree[part].nextPart)
      forEachLeaf(tree, part, use);
  }

  void use(std::uint32_t leaf) { m_used[leaf] = true; }
  [[nodiscard]] bool isUsed(std::uint32_t node) const {
    bool isUsed = false;
    forEachLeaf(m_before, node, [&](std::uint32_t leaf) { isUsed |= m_used[leaf]; });
    return isUsed;
  }
  void addDropped(std::uint32_t node) {
    for (std::uint32_t part = m_before[node].firstPart; part != none;
         part = m_before[part].nextPart) {
      if (!isUsed(part))
        m_changes.push_back({ChangeKind::dropped, labelThen(part), {}, textOf(m_before, part)});
      else
        addDropped(part);
    }
  }

  const MemberTree& m_before;
  const MemberTree& m_now;
  const OlderNames& m_olderNames;
  std::string_view m_list, m_listThen;
  std::vector<MemberChange>& m_changes;
  std::vector<LeafMatch> m_leaves;
  std::vector<bool> m_used;               // of the older leaves
  std::vector<std::uint32_t> m_presences; // presences of members that are no longer optional
  bool m_isReordered = false;
};

class TypeMatcher {
public:
  TypeMatcher(const TypeContents& before, const TypeContents& now, const Datatype& type,
              const TargetsThen& targetsThen)
      : m_before(before), m_now(now), m_type(type), m_targetsThen(targetsThen),
        m_olderNames(type.renames), m_isUsed(before.lists.size()) {}

  [[nodiscard]] TypeMatch run() {
    MembersMatcher members(m_before.members.tree, m_now.members.tree, m_now.members.places.size(),
                           m_before.members.places.size(), m_olderNames, "", "", m_match.changes);
    m_match.leaves = members.run();
    m_members = &members;
    for (std::uint32_t number = 0; number < m_now.lists.size(); ++number)
      m_match.lists.push_back(matchList(m_now.lists[number], number));
    failMembersThatWereLists();
    members.addDropped(decorations());
    for (std::size_t list = 0; list < m_before.lists.size(); ++list)
      if (!m_isUsed[list])
        m_match.changes.push_back({ChangeKind::dropped,
                                   std::string(m_before.lists[list].name),
                                   {},
                                   textOf(m_before.lists[list])});
    return std::move(m_match);
  }

private:
  /// Returns the name of a thing, and its older names.
  [[nodiscard]] NameList namesOf(std::string_view name) const {
    NameList names{name};
    std::ranges::copy(m_olderNames.of(name), std::back_inserter(names));
    return names;
  }
  [[nodiscard]] std::uint32_t findList(const NameList& names) const {
    for (const std::string_view name : names) {
      const auto known = std::ranges::find(m_before.lists, name, &TypeContents::List::name);
      if (known != m_before.lists.end())
        return static_cast<std::uint32_t>(known - m_before.lists.begin());
    }
    return none;
  }
  [[nodiscard]] std::uint32_t findMember(const NameList& names) const {
    const MemberTree& tree = m_before.members.tree;
    for (const std::string_view name : names)
      for (std::uint32_t part = tree[MemberTree::root].firstPart; part != none;
           part = tree[part].nextPart)
        if (tree[part].name == name)
          return part;
    return none;
  }

  /// Returns for each older leaf whether it is a decoration. Objects have decorations beside the
  /// members of their datatype.
  [[nodiscard]] std::vector<bool> decorations() const {
    std::vector<bool> all;
    for (const TableMember place : m_before.members.places)
      all.push_back(place.table != m_before.table);
    return all;
  }

  std::uint32_t addMistake(std::string_view path, std::string_view before, std::string text) {
    m_match.changes.push_back(
        {ChangeKind::failed, std::string(path), std::string(before), std::move(text)});
    return static_cast<std::uint32_t>(m_match.changes.size() - 1);
  }
  [[nodiscard]] static ListMatch failed(std::uint32_t mistake) {
    return {.verdict = Verdict::failed, .mistake = mistake};
  }

  [[nodiscard]] ListMatch matchList(const TypeContents::List& list, std::uint32_t number) {
    const NameList names = namesOf(list.name);
    const std::uint32_t known = findList(names);
    if (known == none) {
      if (const MemberNumber member = findMember(names); member != none) {
        m_members->useAll(member);
        const MemberTree& tree = m_before.members.tree;
        return failed(addMistake(list.name, tree[member].name,
                                 joined("was ", textOf(tree, member), ", is ", textOf(list))));
      }
      m_match.changes.push_back({ChangeKind::added, std::string(list.name), {}, textOf(list)});
      return {};
    }
    m_isUsed[known] = true;
    const TypeContents::List& then = m_before.lists[known];
    if (list.kind != then.kind || list.depth != then.depth || list.elements != then.elements ||
        (list.tree && then.tree && isBare(*list.tree) != isBare(*then.tree)))
      return failed(
          addMistake(list.name, then.name, joined("was ", textOf(then), ", is ", textOf(list))));
    if (list.kind != TypeContents::Kind::vectorMember && !leadsThere(then, number))
      return failed(
          addMistake(list.name, then.name, joined("led to ", then.type, ", leads to ", list.type)));
    if (list.name != then.name)
      m_match.changes.push_back(
          {ChangeKind::renamed, std::string(list.name), std::string(then.name)});
    ListMatch match{.verdict = Verdict::read, .list = known};
    if (list.tree && then.tree) {
      MembersMatcher elements(*then.tree, *list.tree, leavesIn(*list.tree), leavesIn(*then.tree),
                              m_olderNames, list.name, then.name, m_match.changes);
      match.leaves = elements.run();
      elements.addDropped();
    }
    return match;
  }

  [[nodiscard]] static std::size_t leavesIn(const MemberTree& tree) {
    std::size_t leaves = 0;
    for (std::uint32_t node = 0; node < tree.size(); ++node)
      leaves += tree[node].leaf != none ? 1 : 0;
    return leaves;
  }

  /// Returns whether a relation can still lead to all its older targets.
  [[nodiscard]] bool leadsThere(const TypeContents::List& then, std::uint32_t number) const {
    const Relation& relation = m_type.relations[number - m_type.vectors.size()];
    const auto isTarget = [&](std::string_view name) {
      return std::ranges::any_of(relation.datatypes, [&](detail::DatatypeFunction datatype) {
        return datatype().isCalled(name);
      });
    };
    if (then.targets.empty() && (then.type.empty() || isTarget(then.type)))
      return true;
    if (!then.targets.empty())
      return std::ranges::all_of(then.targets, isTarget);
    // If they are unknown, each reference is checked when it is followed.
    const auto targets = m_targetsThen ? m_targetsThen(then.name) : std::vector<std::string>();
    return std::ranges::all_of(targets, isTarget);
  }

  /// Fails members that are a list or relation in the older version.
  void failMembersThatWereLists() {
    const MemberTree& tree = m_now.members.tree;
    for (std::uint32_t part = tree[MemberTree::root].firstPart; part != none;
         part = tree[part].nextPart) {
      const NameList names = namesOf(tree[part].name);
      const std::uint32_t list = findList(names);
      if (list == none || m_isUsed[list] || findMember(names) != none)
        continue;
      m_isUsed[list] = true;
      const auto added = std::ranges::find_if(m_match.changes, [&](const MemberChange& change) {
        return change.kind == ChangeKind::added && change.path == tree[part].name;
      });
      *added = {ChangeKind::failed, std::string(tree[part].name),
                std::string(m_before.lists[list].name),
                joined("was ", textOf(m_before.lists[list]), ", is ", textOf(tree, part))};
      setFailed(tree, part, static_cast<std::uint32_t>(added - m_match.changes.begin()));
    }
  }
  void setFailed(const MemberTree& tree, std::uint32_t node, std::uint32_t mistake) {
    if (tree[node].leaf != none)
      m_match.leaves[tree[node].leaf] = {.verdict = Verdict::failed, .mistake = mistake};
    for (std::uint32_t part = tree[node].firstPart; part != none; part = tree[part].nextPart)
      setFailed(tree, part, mistake);
  }

  const TypeContents& m_before;
  const TypeContents& m_now;
  const Datatype& m_type;
  const TargetsThen& m_targetsThen;
  OlderNames m_olderNames;
  std::vector<bool> m_isUsed;          // of the older lists
  MembersMatcher* m_members = nullptr; // valid during run()
  TypeMatch m_match;
};

} // namespace

std::vector<std::string> newNamesOf(const MemberChange& dropped,
                                    std::span<const MemberChange> changes) {
  std::vector<std::string> names;
  for (const MemberChange& change : changes)
    if (change.kind == ChangeKind::added && change.text == dropped.text)
      names.push_back(change.path);
  return names;
}

TypeMatch match(const TypeContents& before, const TypeContents& now, const Datatype& type,
                const TargetsThen& targetsThen) {
  return TypeMatcher(before, now, type, targetsThen).run();
}

} // namespace kaon
