#pragma once

#include <kaon/codec/Codec.h>
#include <kaon/formats/root/container/ContainerWriter.h>
#include <kaon/formats/root/ntuple/ClusterEncoder.h>
#include <kaon/formats/root/ntuple/EnvelopeWriter.h>
#include <kaon/formats/root/ntuple/FieldPlan.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kaon::root {

/// Writes the description of an RNTuple: header, page lists, footer and anchor. For one thread at a
/// time. All functions throw Error(io).
class DescriptorWriter {
public:
  DescriptorWriter(ContainerWriter& file, std::string name, Compression codec)
      : m_file(file), m_name(std::move(name)), m_codec(codec) {}

  void writeHeader(const FieldPlan& plan);
  /// Adds the pages of a cluster, by column of the plan. Their positions are in the file.
  void addCluster(std::uint64_t entries, const std::vector<std::span<const EncodedPage>>& columns);
  /// Call this after the last cluster.
  void finish();

private:
  struct Group {
    std::uint64_t firstEntry, entries;
    std::uint32_t clusters;
    EnvelopeLink pageList;
  };
  struct Cluster {
    std::uint64_t entries;
    std::vector<std::uint64_t> elementsBefore; // by column
    std::vector<std::vector<EncodedPage>> columns;
  };
  [[nodiscard]] EnvelopeLink write(EnvelopeWriter& envelope);
  void writePageList();
  [[nodiscard]] EnvelopeLink writeFooter();
  void writeAnchor(const EnvelopeLink& footer);

  ContainerWriter& m_file;
  std::string m_name;
  Compression m_codec;
  EnvelopeLink m_header;
  std::uint64_t m_headerChecksum = 0;
  std::vector<std::uint64_t> m_elements; // by column, of all clusters so far
  std::vector<Cluster> m_clusters;       // of the next page list
  std::size_t m_pages = 0;               // in m_clusters
  std::uint64_t m_firstEntry = 0;        // of m_clusters
  std::vector<Group> m_groups;
};

} // namespace kaon::root
