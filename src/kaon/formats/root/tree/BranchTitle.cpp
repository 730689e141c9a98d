#include <kaon/formats/root/tree/BranchTitle.h>

#include <string_view>

namespace kaon::root {
namespace {

using BranchKind = BranchPlan::Kind;

/// Separates the descriptions of the branch and of each of its leaves.
std::string markOf(std::string_view leaf, bool isFirst) {
  return (isFirst ? "" : "; ") + std::string(leaf) + ": ";
}

/// Whether a title begins with a name that is followed by dimensions, a type or another leaf.
bool beginsWith(std::string_view title, std::string_view name) noexcept {
  name = name.substr(0, name.find('['));
  while (name.ends_with('.'))
    name.remove_suffix(1);
  if (name.empty() || !title.starts_with(name))
    return false;
  title.remove_prefix(name.size());
  return title.empty() || std::string_view("[/:.").find(title[0]) != std::string_view::npos;
}

/// Whether the search in the title for each leaf would take too long.
bool isTooLong(const BranchDescription& branch) noexcept {
  constexpr std::size_t mostSteps = std::size_t{1} << 26;
  return !branch.leaves.empty() && branch.title.size() > mostSteps / branch.leaves.size();
}

bool isMadeByRoot(const BranchDescription& branch) noexcept {
  if (branch.title.find(' ') != std::string_view::npos)
    return false;
  return branch.className != "TBranch" || beginsWith(branch.title, branch.name) ||
         (!branch.leaves.empty() && beginsWith(branch.title, branch.leaves[0].name));
}

std::string titleOfLeaves(const Table& table) {
  std::string title(table.description);
  for (const Member& member : table.members)
    if (const std::string text = textOf(member.description, member.unit); !text.empty())
      title += markOf(nameInBranch(member), title.empty()) + text;
  return title;
}

} // namespace

std::string titleOf(const BranchPlan& branch, const Schema& schema) {
  if (branch.kind == BranchKind::presence)
    return "";
  const Table table = schema.table(branch.table);
  // The table has the characters.
  if (branch.kind == BranchKind::text || branch.kind == BranchKind::texts)
    return std::string(schema.table(table.parent).description);
  if (branch.kind == BranchKind::counts)
    return std::string(table.description.empty() && branch.counts != Table::none
                           ? schema.table(branch.counts).description
                           : table.description);
  if (branch.kind == BranchKind::values && !table.members[0].name.empty())
    return titleOfLeaves(table);
  const Member member = table.members[branch.member];
  const bool isBare = member.name.empty() && !table.description.empty();
  return textOf(isBare ? table.description : member.description, member.unit);
}

Documentation documentationOf(const BranchDescription& branch) {
  if (isMadeByRoot(branch) || isTooLong(branch))
    return {};
  if (branch.leaves.size() < 2)
    return documentationIn(branch.title);
  std::string_view title = branch.title; // up to the description of the first leaf
  for (const LeafDescription& leaf : branch.leaves) {
    if (title.starts_with(markOf(leaf.name, true)))
      return {};
    title = title.substr(0, title.find(markOf(leaf.name, false)));
  }
  return {documentationIn(title).description, ""};
}

std::vector<Documentation> documentationOfLeaves(const BranchDescription& branch) {
  std::vector<Documentation> leaves(branch.leaves.size());
  if (leaves.size() == 1)
    leaves[0] = documentationOf(branch);
  if (leaves.size() < 2 || isMadeByRoot(branch) || isTooLong(branch))
    return leaves;
  std::string_view title = branch.title;
  for (std::size_t i = leaves.size(); i-- > 0;) {
    const std::string first = markOf(branch.leaves[i].name, true);
    const std::string later = markOf(branch.leaves[i].name, false);
    const std::size_t place = title.rfind(later);
    if (place != std::string_view::npos) {
      leaves[i] = documentationIn(title.substr(place + later.size()));
      title = title.substr(0, place);
    } else if (title.starts_with(first)) {
      leaves[i] = documentationIn(title.substr(first.size()));
      break;
    }
  }
  return leaves;
}

} // namespace kaon::root
