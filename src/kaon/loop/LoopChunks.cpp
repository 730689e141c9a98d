#include <kaon/loop/LoopChunks.h>

#include <algorithm>

namespace kaon::loop {
namespace {

/// Returns consecutive clusters, joined if they are short.
std::vector<EntryRange> joinedClusters(const Source& source, std::uint64_t wanted) {
  std::vector<EntryRange> joined;
  for (const EntryRange& cluster : source.clusters())
    if (joined.empty() || joined.back().size() >= wanted)
      joined.push_back(cluster);
    else
      joined.back().last = cluster.last;
  return joined;
}

} // namespace

std::vector<LoopChunk> partsOf(std::span<const Source* const> sources, std::uint64_t entries) {
  std::uint64_t all = 0;
  for (const Source* const source : sources)
    all += source->entries();
  const std::uint64_t wanted = std::max<std::uint64_t>(1, entries > 0 ? entries : all / 100);
  std::vector<LoopChunk> parts;
  for (std::size_t i = 0; i < sources.size(); ++i)
    for (const EntryRange& joined : joinedClusters(*sources[i], wanted)) {
      const std::uint64_t pieces = std::max<std::uint64_t>(1, joined.size() / wanted);
      const std::uint64_t each = joined.size() / pieces;
      const std::uint64_t longer = joined.size() % pieces; // number of pieces with one entry more
      for (std::uint64_t piece = 0, first = joined.first; piece < pieces; ++piece) {
        const std::uint64_t last = first + each + (piece < longer ? 1 : 0);
        parts.push_back({i, {first, last}});
        first = last;
      }
    }
  return parts;
}

} // namespace kaon::loop
