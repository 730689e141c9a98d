#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Source.h>
#include <kaon/formats/root/container/RootContainer.h>
#include <kaon/formats/root/objects/Classes.h>
#include <kaon/formats/root/objects/RootObjectReader.h>
#include <kaon/formats/root/tree/BasketPositions.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace kaon::root {

/// The values of a branch (TLeaf).
struct LeafDescription {
  std::string_view name, title, className;
  std::uint32_t length = 1; ///< values in an entry, or for each counted value
  bool claimsNone = false;  ///< has length 0, which in old files may mean one value
  bool isUnsigned = false;
  bool isVirtual = false;   ///< of objects: each begins with the name of its class
  std::string_view counter; ///< the leaf that counts its values; empty without one
};

/// A branch of a tree, with its sub-branches.
struct BranchDescription {
  std::string_view name, title;
  std::string_view className; ///< of the branch: "TBranch", "TBranchElement", "TBranchObject", ...
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;       ///< of all its values, decompressed
  std::uint32_t compression = 0; ///< ROOT's setting: see Blocks.h
  std::vector<LeafDescription> leaves;
  std::vector<BranchDescription> branches;
  BasketPositions baskets;
  std::string_view failure;    ///< Why its description cannot be read; otherwise empty.
  bool isElsewhere = false;    ///< Its baskets are in another file.
  bool canLackOffsets = false; ///< Baskets may lack the offsets of entries.
  std::string_view typeName;   ///< The class of objects, or the class that declares the member.
  // For a TBranchElement only:
  std::string_view elementName; ///< of a split collection: the class of its elements
  std::uint32_t checksum = 0;
  std::int32_t version = 0;
  std::int32_t member = -1; ///< its number in the class
  std::int32_t kind = 0;    ///< fType
  std::string_view counter; ///< the branch that counts its values
};

/// A tree as its record describes it. All views point into this object.
class TreeDescription {
public:
  /// Reads the record of a tree, and the classes that the file describes. Throws Error(corrupt),
  /// Error(version).
  TreeDescription(const RootContainer& container, const ListedObject& object);
  /// Adds the branches of the tree's friends in the same file: trees of as many entries, all of
  /// whose branches have new names. Ignores other friends.
  void addFriends(const RootContainer& container);
  TreeDescription(const TreeDescription&) = delete;
  TreeDescription& operator=(const TreeDescription&) = delete;

  [[nodiscard]] std::uint64_t entries() const noexcept { return m_entries; }
  [[nodiscard]] std::span<const BranchDescription> branches() const noexcept { return m_branches; }
  /// Ranges of entries that were written together, as stored in the tree.
  [[nodiscard]] std::span<const EntryRange> clusters() const noexcept { return m_clusters; }
  [[nodiscard]] const Classes& classes() const noexcept { return m_classes; }
  /// The size of the record.
  [[nodiscard]] std::size_t bytes() const noexcept { return m_payload.size(); }

private:
  void readClusters(const Object& tree);

  Classes m_classes;
  Buffer m_storage;
  std::span<const std::byte> m_payload;
  RootObjectReader m_objects;
  std::uint64_t m_entries = 0;
  std::vector<BranchDescription> m_branches;
  std::vector<EntryRange> m_clusters;
  std::vector<std::string_view> m_friendPaths;
  std::vector<std::unique_ptr<TreeDescription>> m_friends; // whose branches are used
};

} // namespace kaon::root
