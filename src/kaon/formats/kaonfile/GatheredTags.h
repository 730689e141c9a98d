#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Sink.h>
#include <kaon/formats/kaonfile/ClusterMemory.h>
#include <kaon/formats/kaonfile/ContentsWriter.h>
#include <kaon/formats/kaonfile/PageWriter.h>

#include <cstddef>
#include <cstdint>
#include <map>

namespace kaon::kaonfile {

/// The values of tags, by table.
using TagValues = std::map<std::uint32_t, Buffer>;
[[nodiscard]] TagValues tagsOf(const Batch& batch);

/// The tags of clusters that are too small to fill pages. They are written a second time, together.
/// For one thread at a time.
class GatheredTags {
public:
  /// Gathers the tags of a category of a file. `file` and `memory` must outlive it.
  GatheredTags(ContentsWriter& file, ClusterMemory& memory, std::uint32_t category,
               const SinkOptions& options)
      : m_file(file), m_memory(memory), m_category(category),
        m_enough(options.pageBytes / sizeof(std::uint64_t)), m_pages(options) {}

  /// Adds the category's new tables from `first`; earlier entries lack them.
  void addTables(std::uint32_t first);
  /// Returns whether the tags of a cluster of `entries` entries are gathered.
  [[nodiscard]] bool wants(std::uint32_t entries) const noexcept { return entries < m_enough; }
  /// Adds the tags of the category's last cluster.
  void add(const TagValues& tags, std::uint32_t entries);
  /// Writes the gathered tags, unless they come from one cluster.
  void write();

private:
  ContentsWriter& m_file;
  ClusterMemory& m_memory;
  std::uint32_t m_category;
  std::size_t m_enough; // entries that fill pages
  PageWriter m_pages;
  TagValues m_tags;
  std::uint64_t m_firstEntry = 0;
  std::uint32_t m_entries = 0;
  std::uint32_t m_clusters = 0; // clusters that the gathered tags come from
};

} // namespace kaon::kaonfile
