#pragma once

#include <kaon/batch/Source.h>
#include <kaon/detail/base/SparseVector.h>
#include <kaon/formats/root/ntuple/LoadedPages.h>
#include <kaon/formats/root/ntuple/NTuple.h>
#include <kaon/formats/root/ntuple/RowFinder.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace kaon::root {

/// Reads an RNTuple for one reader. Its columns have pages of different lengths. Readers get ranges
/// of entries within one cluster instead. A range has a power of two entries, so that the widest
/// column of the group needs about 128 KiB. Only the elements of these entries are decoded.
class NTupleCursor final : public detail::Cursor {
public:
  explicit NTupleCursor(const NTuple& ntuple)
      : m_ntuple(ntuple), m_pages(ntuple), m_rows(ntuple, m_pages),
        m_widths(ntuple.mapping.schema.size()) {}

  void fetch(std::span<const std::uint32_t> columns, const EntrySelection& entries) override;
  [[nodiscard]] std::shared_ptr<const void> hold() override { return m_pages.bytes().hold(); }
  [[nodiscard]] detail::PageRange pages(TableNumber group, std::uint64_t entry) override;
  void read(ColumnNumber column, const detail::PageRange& range, std::size_t values,
            detail::Page& page) override;

private:
  struct Width {
    std::size_t cluster = ~std::size_t{0};
    std::uint64_t entries = 0;
  };
  [[nodiscard]] std::uint64_t widthOf(std::uint32_t group, std::size_t cluster);
  void readCounts(const Column& column, const detail::PageRange& range, std::size_t values,
                  detail::Page& page);
  void readMember(const Column& column, const detail::PageRange& range, std::size_t values,
                  detail::Page& page);
  void readPresence(std::uint32_t column, const detail::PageRange& range, std::size_t values,
                    detail::Page& page);
  void readNumbers(const Column& column, const ClusterColumn& from, Scalar type,
                   std::uint64_t first, std::uint64_t last, std::size_t cluster,
                   detail::Page& page);
  bool pointTo(const ClusterColumn& from, std::uint64_t first, std::uint64_t last, Scalar type,
               std::size_t cluster, detail::Page& page);
  bool readSizes(const ClusterColumn& from, const ClusterRows& rows, Scalar type,
                 std::size_t cluster, std::span<std::byte> out);
  void readTags(const ClusterColumn& from, const ClusterRows& rows, std::size_t cluster,
                std::span<std::byte> out);
  [[noreturn]] void failColumn(const Column& column, const detail::PageRange& range,
                               std::string_view what) const;

  const NTuple& m_ntuple;
  LoadedPages m_pages;
  RowFinder m_rows;
  detail::SparseVector<Width> m_widths; // by group
};

} // namespace kaon::root
