#pragma once

#include <kaon/formats/root/RootCategoryWriter.h>
#include <kaon/formats/root/ntuple/ClusterEncoder.h>
#include <kaon/formats/root/ntuple/FieldPlan.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon::root {

/// Writes an RNTuple: clusters as they arrive, and the description at the end. The header follows
/// the pages, so it can name all fields, including tables that came later. Earlier clusters then
/// get pages for these tables. Deferred columns are therefore not needed; ROOT supports them for
/// top-level fields only. For one thread at a time.
class NTupleWriter final : public RootCategoryWriter {
public:
  /// `hasWideEnds`: see indexTypeFor().
  NTupleWriter(std::string name, Compression codec, std::size_t pageBytes, bool hasWideEnds = false)
      : m_name(std::move(name)), m_codec(codec), m_pageBytes(pageBytes),
        m_hasWideEnds(hasWideEnds) {}

  [[nodiscard]] const std::string& name() const noexcept override { return m_name; }
  [[nodiscard]] const Schema& schema() const noexcept override { return m_schema; }
  void addTables(const Schema& schema, const std::string& file) override;
  [[nodiscard]] std::unique_ptr<EncodedEntries> encode(const Schema& schema, const Batch& batch,
                                                       Buffer pages) const override;
  void write(ContainerWriter& file, EncodedEntries& encoded) override;
  [[nodiscard]] std::string finish(ContainerWriter& file) override;
  /// Like finish(file), with fields in the given form. These fields do not record absent tables.
  void finish(ContainerWriter& file, FieldForm form);

private:
  struct WrittenCluster {
    std::uint64_t entries = 0;
    std::uint32_t tables = 0; // number of tables when it was written
    std::vector<std::uint64_t> rows;
    std::map<std::uint32_t, std::vector<EncodedPage>> columns;
  };
  [[nodiscard]] std::vector<std::uint32_t> absentTables() const;
  [[nodiscard]] std::uint64_t rowsOf(const WrittenCluster& cluster, std::uint32_t table) const;
  [[nodiscard]] std::uint64_t valuesIn(const WrittenCluster& cluster, std::uint32_t column) const;
  void fillMissing(ContainerWriter& file, WrittenCluster& cluster,
                   const std::vector<std::uint32_t>& columns);
  void describe(ContainerWriter& file, const FieldPlan& plan);

  std::string m_name;
  Compression m_codec;
  std::size_t m_pageBytes;
  bool m_hasWideEnds;
  Schema m_schema;
  std::vector<WrittenCluster> m_clusters;
};

} // namespace kaon::root
