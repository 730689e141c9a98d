#pragma once

#include <kaon/formats/kaon/PageWriter.h>
#include <kaon/io/SpillFile.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace kaon::store {

/// The memory that clusters are encoded in, for the next ones; and clusters that must wait, in a
/// temporary file. For one thread at a time.
class ClusterMemory {
public:
  /// Keeps no more than `spareBytes`, or the memory of one cluster. `directory` is where the file
  /// lies.
  ClusterMemory(std::size_t spareBytes, std::string directory)
      : m_spareBytes(spareBytes), m_asides(std::move(directory)) {}

  /// The memory of a cluster before; empty if there is none.
  [[nodiscard]] PageBuffers take();
  void keep(PageBuffers buffers);

  /// A cluster that was set aside.
  struct Aside {
    std::uint64_t position = 0; // of the meta bytes; the pages follow
    std::size_t metaSize = 0;
    std::size_t pagesSize = 0;
  };
  /// Writes a cluster to the temporary file. Throws Error(io).
  [[nodiscard]] Aside setAside(PageBuffers cluster);
  /// Reads it again; once. Throws Error(io).
  [[nodiscard]] PageBuffers takeBack(const Aside& aside);

private:
  std::size_t m_spareBytes;
  std::vector<PageBuffers> m_spares;
  io::SpillFile m_asides;
  std::size_t m_asideClusters = 0; // that are in it
};

} // namespace kaon::store
