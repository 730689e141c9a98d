#pragma once

#include <kaon/codec/Codec.h>
#include <kaon/formats/root/container/ContainerWriter.h>
#include <kaon/formats/root/container/RootContainer.h>
#include <kaon/formats/root/tree/TreeDescription.h>
#include <kaon/formats/root/tree/TreeWriter.h>

#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace kaon::root {

/// The old contents of a ROOT file that is added to, and the columns that its trees get. These are
/// trees of their own, the friends (TTree::AddFriend) of those that the file has. For one thread.
class Additions {
public:
  explicit Additions(std::shared_ptr<const RootContainer> old);

  [[nodiscard]] const RootContainer& old() const noexcept { return *m_old; }
  /// Returns why nothing new can have a path, or "" if it can. Objects that are not categories may
  /// have the path of another one: they become its newest cycle.
  [[nodiscard]] std::string obstacleTo(std::string_view path, bool isCategory) const;

  /// Makes `columns`, a category that does not exist yet, further columns of the tree `category`.
  /// Throws Error(name) with a suggestion, and Error(usage) if the tree cannot have them.
  void addColumns(std::string_view category, std::string_view columns);
  /// Whether a category has columns of a tree.
  [[nodiscard]] bool areColumns(std::string_view category) const noexcept;
  /// Takes the writer of a category with columns of a tree. Throws Error(usage) if the tree has
  /// branches of their names.
  void check(const TreeWriter& columns);
  /// Throws Error(usage) unless all columns have as many entries as their trees.
  void checkEntries() const;
  /// Writes the records of the trees again, with their new friends.
  void writeTrees(ContainerWriter& file, Compression how) const;
  [[nodiscard]] bool hasColumns() const noexcept { return !m_trees.empty(); }

private:
  struct Columns {
    std::string path;
    const TreeWriter* writer = nullptr; // null before the first entries
  };
  struct Tree {
    Tree(const RootContainer& container, const ListedObject& listed)
        : object(listed), description(container, listed) {
      description.addFriends(container);
    }
    const ListedObject& object;
    TreeDescription description; // with the columns that it got before
    std::list<Columns> columns;
  };
  [[nodiscard]] const ListedObject& objectAt(std::string_view path) const;

  std::shared_ptr<const RootContainer> m_old;
  std::map<std::string_view, const ListedObject*> m_newest; // by path
  std::set<std::string_view> m_folders;
  std::map<std::string, Tree, std::less<>> m_trees; // that get columns, by path
};

} // namespace kaon::root
