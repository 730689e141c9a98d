#pragma once

#include <kaon/formats/root/container/ContainerWriter.h>
#include <kaon/formats/root/ntuple/ClusterEncoder.h>
#include <kaon/formats/root/ntuple/SchemaDocument.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon::root {

/// Writes an RNTuple: clusters as they come, and at last what describes them. As its header comes
/// behind its pages it names all fields, also those of tables that came later, for which earlier
/// clusters get pages then: readers need nothing of deferred columns, which ROOT knows only of
/// fields at the top. For one thread at a time.
class NTupleWriter {
public:
  NTupleWriter(std::string name, Compression codec, std::size_t pageBytes)
      : m_name(std::move(name)), m_codec(codec), m_encoder(codec, pageBytes) {}

  [[nodiscard]] const std::string& name() const noexcept { return m_name; }
  /// With all its columns apart.
  [[nodiscard]] const Schema& schema() const noexcept { return m_schema; }
  /// Adds the tables that the schema does not have yet. Throws Error(usage) if the others differ;
  /// `file` is for the message.
  void addTables(const Schema& schema, const std::string& file);

  /// Writes a cluster's pages. Throws Error(io).
  void write(ContainerWriter& file, EncodedCluster& cluster);
  /// Writes what describes them. Returns what is to be kept of the tables. Throws Error(io).
  SchemaDocument finish(ContainerWriter& file);

private:
  struct WrittenCluster {
    std::uint64_t entries = 0;
    std::uint32_t tables = 0; // that it was written with
    std::vector<std::uint64_t> rows;
    std::map<std::uint32_t, std::vector<EncodedPage>> columns;
  };
  [[nodiscard]] std::vector<std::uint32_t> absentTables() const;
  [[nodiscard]] std::uint64_t rowsOf(const WrittenCluster& cluster, std::uint32_t table) const;
  [[nodiscard]] std::uint64_t valuesIn(const WrittenCluster& cluster, std::uint32_t column) const;
  void fillMissing(ContainerWriter& file, WrittenCluster& cluster,
                   const std::vector<std::uint32_t>& columns);

  std::string m_name;
  Compression m_codec;
  ClusterEncoder m_encoder; // of pages that are missing
  Schema m_schema;
  std::vector<WrittenCluster> m_clusters;
};

} // namespace kaon::root
