#pragma once

#include <kaon/formats/root/CategoryWriter.h>
#include <kaon/formats/root/objects/ObjectWriter.h>
#include <kaon/formats/root/tree/BasketEncoder.h>
#include <kaon/formats/root/tree/BranchPlan.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon::root {

/// Writes a tree (TTree): the baskets of clusters as they come, and at last the tree itself, which
/// says where they are. Of tables that come later, earlier entries get baskets then, as they do of
/// those that a batch does not have yet.
class TreeWriter final : public CategoryWriter {
public:
  TreeWriter(std::string name, Compression codec, std::size_t pageBytes)
      : m_name(std::move(name)), m_codec(codec), m_pageBytes(pageBytes) {}

  [[nodiscard]] const std::string& name() const noexcept override { return m_name; }
  [[nodiscard]] const Schema& schema() const noexcept override { return m_schema; }
  void addTables(const Schema& schema, const std::string& file) override;
  [[nodiscard]] std::unique_ptr<EncodedEntries> encode(const Schema& schema, const Batch& batch,
                                                       Buffer pages) const override;
  void write(ContainerWriter& file, EncodedEntries& encoded) override;
  /// Returns "": a tree is read by its branches.
  [[nodiscard]] std::string finish(ContainerWriter& file) override;

private:
  /// Where the baskets of a branch are.
  struct Written {
    std::vector<std::uint32_t> bytes;
    std::vector<std::uint64_t> firstEntries, positions;
    std::uint64_t entries = 0, decodedBytes = 0, storedBytes = 0;
    std::uint32_t mostRows = 0;
    std::uint32_t leaf = 0; // the number by which objects name it
  };
  /// Clusters of as many entries each, one after another.
  struct Clusters {
    std::uint64_t lastEntry, entries;
  };
  [[nodiscard]] Scalar counterType(const BranchPlan& branch) const;
  void writeBasket(ContainerWriter& file, const Buffer& baskets, const EncodedBasket& basket,
                   std::uint32_t number);
  void fillMissing(ContainerWriter& file, std::uint32_t number);
  void addCluster(std::uint64_t entries);
  void putTree(ObjectWriter& writer);
  void putBranch(ObjectWriter& writer, std::uint32_t number);
  void putBranchBase(ObjectWriter& writer, std::uint32_t number);
  void putLeaves(ObjectWriter& writer, std::uint32_t number);
  void putLeaf(ObjectWriter& writer, std::uint32_t number, const std::string& name, Scalar type,
               std::uint32_t extent);

  std::string m_name;
  Compression m_codec;
  std::size_t m_pageBytes;
  Schema m_schema;
  std::vector<BranchPlan> m_branches;
  std::vector<Written> m_written; // by branch
  std::vector<std::uint32_t> m_leaves;
  std::vector<Clusters> m_clusters;
  std::uint64_t m_entries = 0;
};

} // namespace kaon::root
