#pragma once

#include <kaon/formats/kaonfile/PageWriter.h>
#include <kaon/io/SpillFile.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kaon::kaonfile {

/// Reusable memory for encoding clusters, and a temporary file for clusters that must wait. For one
/// thread at a time.
class ClusterMemory {
public:
  /// Keeps at most `spareBytes`, or the memory of one cluster that is not huge. `directory` is for
  /// the temporary file.
  ClusterMemory(std::size_t spareBytes, std::string directory)
      : m_spareBytes(spareBytes), m_asides(std::move(directory)) {}

  /// Returns the memory of an earlier cluster, or no memory.
  [[nodiscard]] PageBuffers take();
  void keep(PageBuffers buffers);

  /// A cluster in the temporary file.
  struct Aside {
    std::uint64_t position = 0; // of the meta bytes; the pages in memory follow
    std::size_t metaSize = 0;
    std::size_t pagesSize = 0;
    std::unique_ptr<io::SpillFile> before = {}; // see PageBuffers
  };
  /// Writes a cluster to the temporary file. Throws Error(io).
  [[nodiscard]] Aside setAside(PageBuffers cluster);
  /// Reads a cluster from the temporary file, once. Throws Error(io).
  [[nodiscard]] PageBuffers takeBack(Aside aside);

private:
  std::size_t m_spareBytes;
  std::vector<PageBuffers> m_spares;
  io::SpillFile m_asides;
  std::size_t m_asideClusters = 0; // clusters in the file
};

} // namespace kaon::kaonfile
