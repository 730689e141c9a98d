#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Source.h>
#include <kaon/formats/root/container/Container.h>
#include <kaon/formats/root/objects/Classes.h>
#include <kaon/formats/root/objects/Objects.h>
#include <kaon/formats/root/tree/BasketPlaces.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace kaon::root {

/// What a branch holds values of: TLeaf.
struct LeafDescription {
  std::string_view name, title, className;
  std::uint32_t length = 1; ///< values an entry, or for each that the counter counts
  bool claimsNone = false;  ///< says that it has no values; old ones that have one do, too
  bool isUnsigned = false;
  bool isVirtual = false;   ///< of objects: the name of its class stands before each
  std::string_view counter; ///< the name of the leaf that counts its values; empty if none does
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
  BasketPlaces baskets;
  bool isElsewhere = false;    ///< its baskets are in another file
  bool canLackOffsets = false; ///< baskets may not say where entries begin
  std::string_view typeName;   ///< of objects: the class; the one that declares the member
  // Of a TBranchElement:
  std::string_view elementName; ///< of a split collection: the class of its elements
  std::uint32_t checksum = 0;
  std::int32_t version = 0;
  std::int32_t member = -1; ///< its number in the class
  std::int32_t kind = 0;    ///< fType
  std::string_view counter; ///< the name of the branch that counts its values
};

/// A tree as its record describes it. What it gives are views into itself.
class TreeDescription {
public:
  /// Reads the record of a tree, and what the file says of classes. Throws Error(corrupt),
  /// Error(version).
  TreeDescription(const Container& container, const ListedObject& object);
  TreeDescription(const TreeDescription&) = delete;
  TreeDescription& operator=(const TreeDescription&) = delete;

  [[nodiscard]] std::uint64_t entries() const noexcept { return m_entries; }
  [[nodiscard]] std::span<const BranchDescription> branches() const noexcept { return m_branches; }
  /// Runs of entries that were written together, as the tree says.
  [[nodiscard]] std::span<const EntryRange> clusters() const noexcept { return m_clusters; }
  [[nodiscard]] const Classes& classes() const noexcept { return m_classes; }
  /// The size of the record.
  [[nodiscard]] std::size_t bytes() const noexcept { return m_payload.size(); }

private:
  void readClusters(const Object& tree);

  Classes m_classes;
  Buffer m_storage;
  std::span<const std::byte> m_payload;
  Objects m_objects;
  std::uint64_t m_entries = 0;
  std::vector<BranchDescription> m_branches;
  std::vector<EntryRange> m_clusters;
};

} // namespace kaon::root
