#pragma once

#include <kaon/batch/Source.h>
#include <kaon/batch/StoredClusters.h>
#include <kaon/formats/kaonfile/PageBounds.h>
#include <kaon/formats/kaonfile/StoredCategory.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kaon::kaonfile {

struct CopiedCluster;

/// A category of a .kaon file.
class CategorySource final : public Source, public StoredClusters {
public:
  /// `bytes` must outlive the source.
  CategorySource(const io::ByteSource& bytes, FileIdentity file, CategoryContents contents,
                 const OpenOptions& options)
      : m_category(bytes, file, std::move(contents), options),
        m_keys(m_category.contents().keyTables()) {}

  [[nodiscard]] const std::string& name() const noexcept override { return m_category.name(); }
  [[nodiscard]] const Schema& schema() const noexcept override { return m_category.schema(); }
  [[nodiscard]] std::uint64_t entries() const noexcept override {
    return m_category.contents().entries;
  }
  [[nodiscard]] std::vector<EntryRange> clusters() const override;
  [[nodiscard]] std::unique_ptr<detail::Cursor> cursor() const override;
  [[nodiscard]] std::optional<Extremes> extremes(TableNumber table, MemberNumber member,
                                                 std::size_t cluster) const override;
  [[nodiscard]] std::vector<Extremes> extremesOfClusters(TableNumber table,
                                                         MemberNumber member) const override;
  [[nodiscard]] std::optional<ColumnUsage> usage(ColumnNumber column) const override;

  [[nodiscard]] bool isLarge(std::size_t number) const override;
  [[nodiscard]] Codec codecOfCluster(std::size_t number) const override;
  [[nodiscard]] std::unique_ptr<detail::EncodedBatch>
  storedCluster(std::size_t number) const override;
  [[nodiscard]] std::unique_ptr<detail::EncodedBatch>
  storedCluster(std::size_t number, const Batch& further,
                const SinkOptions& options) const override;

  [[nodiscard]] const Source* sortedKeys() const noexcept override { return m_sortedKeys.get(); }
  /// Sets the sorted keys, of the same file. Not thread-safe.
  void setSortedKeys(std::unique_ptr<const CategorySource> keys) { m_sortedKeys = std::move(keys); }

  [[nodiscard]] const CategoryContents& contents() const noexcept { return m_category.contents(); }

  /// Adds the sizes of the category's bytes outside of pages.
  void addOverheads(std::vector<Overhead>& overheads) const;

  [[nodiscard]] const std::string& categoryName() const noexcept {
    return m_category.contents().name;
  }

private:
  [[nodiscard]] std::unique_ptr<CopiedCluster> copiedCluster(std::size_t number) const;
  [[nodiscard]] std::optional<PageBounds> clusterBounds(TableNumber table, MemberNumber member,
                                                        std::size_t cluster) const;

  StoredCategory m_category;
  std::vector<std::uint32_t> m_keys; // key tables
  std::unique_ptr<const CategorySource> m_sortedKeys;
};

} // namespace kaon::kaonfile
