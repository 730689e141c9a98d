#include <kaon/formats/root/Additions.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>
#include <kaon/base/Wording.h>
#include <kaon/formats/root/tree/Friends.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace kaon::root {
namespace {

bool isTree(const ListedObject& object) noexcept {
  const std::string& name = object.key.className;
  return name == "TTree" || name == "TNtuple" || name == "TNtupleD";
}

bool isCategoryOfOld(const ListedObject& object) noexcept {
  return isTree(object) || object.key.className.find("RNTuple") != std::string::npos;
}

} // namespace

Additions::Additions(std::shared_ptr<const RootContainer> old) : m_old(std::move(old)) {
  for (const ListedObject& object : m_old->objects())
    if (object.isNewest)
      m_newest.emplace(object.path, &object);
  for (const ListedFolder& folder : m_old->folders())
    m_folders.insert(folder.path);
}

std::string Additions::obstacleTo(std::string_view path, bool isCategory) const {
  if (m_folders.contains(path))
    return "the file has a folder of this name";
  for (std::size_t mark = path.find('/'); mark != std::string_view::npos;
       mark = path.find('/', mark + 1))
    if (m_newest.contains(path.substr(0, mark)))
      return "'" + std::string(path.substr(0, mark)) + "' is no folder, but an object of the file";
  const auto known = m_newest.find(path);
  if (known == m_newest.end())
    return "";
  if (isCategoryOfOld(*known->second))
    return isCategory ? "the file has it already, and ROOT files get no further entries; write "
                        "entries to a category of another name, or columns with add_columns()"
                      : "the file has a tree or RNTuple of this name";
  return isCategory ? "the file has an object of this name" : "";
}

const ListedObject& Additions::objectAt(std::string_view path) const {
  const auto known = m_newest.find(path);
  if (known == m_newest.end()) {
    std::vector<std::string> trees;
    for (const auto& [name, object] : m_newest)
      if (isTree(*object))
        trees.emplace_back(name);
    fail(ErrorKind::name, m_old->name(), ": has no tree '", path, "' that can get columns",
         suggestion(path, trees));
  }
  if (!isTree(*known->second))
    fail(ErrorKind::usage, m_old->name(), ": '", path, "' has the class '",
         known->second->key.className, "'; only trees (TTree) can get further columns; write ",
         "them to a category of their own");
  return *known->second;
}

void Additions::addColumns(std::string_view category, std::string_view columns) {
  const ListedObject& object = objectAt(category);
  if (areColumns(columns))
    fail(ErrorKind::usage, m_old->name(), ": '", columns, "' has columns already");
  if (!object.key.isWide && m_old->bytes().size() > mostInSmallFile)
    fail(ErrorKind::usage, m_old->name(), ": the record of the tree '", category, "' was written ",
         "in the first 2 GB of the file and cannot be moved behind them; write the columns to a ",
         "category of their own");
  std::vector<std::string> all{std::string(columns)};
  (void)withFriends(*m_old, object, all); // fails now if the tree cannot have friends
  auto tree = m_trees.find(category);
  if (tree == m_trees.end())
    tree = m_trees
               .emplace(std::piecewise_construct, std::forward_as_tuple(category),
                        std::forward_as_tuple(*m_old, object))
               .first;
  tree->second.columns.push_back({std::string(columns)});
}

bool Additions::areColumns(std::string_view category) const noexcept {
  return std::ranges::any_of(m_trees, [&](const auto& tree) {
    return std::ranges::find(tree.second.columns, category, &Columns::path) !=
           tree.second.columns.end();
  });
}

void Additions::check(const TreeWriter& writer) {
  for (auto& [path, tree] : m_trees) {
    const auto own = std::ranges::find(tree.columns, writer.name(), &Columns::path);
    if (own == tree.columns.end())
      continue;
    own->writer = &writer;
    const auto names = writer.branchNames();
    const auto refuse = [&, file = m_old->name(), of = path](std::string_view name) {
      if (names.contains(name))
        fail(ErrorKind::usage, file, ": the tree '", of, "' has a branch '", name,
             "' already; give the new column another name");
    };
    for (const BranchDescription& branch : tree.description.branches()) {
      refuse(branch.name);
      for (const LeafDescription& leaf : branch.leaves)
        refuse(leaf.name);
    }
    for (const Columns& other : tree.columns)
      if (other.writer && other.writer != &writer)
        std::ranges::for_each(other.writer->branchNames(), refuse);
  }
}

void Additions::checkEntries() const {
  for (const auto& [path, tree] : m_trees)
    for (const Columns& columns : tree.columns) {
      const std::uint64_t entries = columns.writer ? columns.writer->entries() : 0;
      if (entries != tree.description.entries())
        fail(ErrorKind::usage, m_old->name(), ": the tree '", path, "' has ",
             counted(tree.description.entries(), "entry", "entries"), ", but its new columns in '",
             columns.path, "' have ", entries, "; give one value for each entry");
    }
}

void Additions::writeTrees(ContainerWriter& file, Compression how) const {
  for (const auto& [path, tree] : m_trees) {
    std::vector<std::string> friends;
    for (const Columns& columns : tree.columns)
      friends.push_back(columns.path);
    const Buffer payload = withFriends(*m_old, tree.object, friends);
    file.replaceNext(path);
    file.writeCopy(tree.object.key, path, payload.bytes(), how);
  }
}

} // namespace kaon::root
