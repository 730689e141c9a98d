#pragma once

#include <kaon/formats/root/RootCategoryWriter.h>
#include <kaon/formats/root/tree/BasketEncoder.h>
#include <kaon/formats/root/tree/TreeRecord.h>

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace kaon::root {

/// Writes a tree (TTree): baskets cluster by cluster, and at the end the tree with their positions.
/// Earlier entries get baskets for tables that come later. Entries of a batch that lacks known
/// tables get baskets, too.
class TreeWriter final : public RootCategoryWriter {
public:
  TreeWriter(std::string name, Compression codec, std::size_t pageBytes)
      : m_path(std::move(name)), m_tree{std::string(nameInFolder(m_path)), codec, pageBytes} {}

  [[nodiscard]] const std::string& name() const noexcept override { return m_path; }
  [[nodiscard]] const Schema& schema() const noexcept override { return m_tree.schema; }
  void addTables(const Schema& schema, const std::string& file) override;
  [[nodiscard]] std::unique_ptr<EncodedEntries> encode(const Schema& schema, const Batch& batch,
                                                       Buffer pages) const override;
  void write(ContainerWriter& file, EncodedEntries& encoded) override;
  [[nodiscard]] std::string finish(ContainerWriter& file) override;
  [[nodiscard]] std::uint64_t entries() const noexcept { return m_tree.entries; }
  /// Returns the names of the branches and of their leaves.
  [[nodiscard]] std::set<std::string, std::less<>> branchNames() const;

private:
  void writeBasket(ContainerWriter& file, const Buffer& baskets, const EncodedBasket& basket,
                   std::uint32_t number);
  void fillMissing(ContainerWriter& file, std::uint32_t number);
  void noteAbsence(ContainerWriter& file, const EncodedBaskets& cluster);
  void addCluster(std::uint64_t entries);
  [[nodiscard]] std::vector<std::uint32_t> dropUnneeded();

  std::string m_path; // of the tree in the file
  WrittenTree m_tree;
};

} // namespace kaon::root
