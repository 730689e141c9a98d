#pragma once

#include <kaon/batch/Keys.h>
#include <kaon/batch/Source.h>
#include <kaon/detail/reading/Window.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kaon {

/// The least and the greatest rank of each of some keys.
struct KeyBounds {
  std::vector<std::uint64_t> least, greatest;
};

/// Reads keys of a source, as ranks, in pieces of entries. All entries of a piece are in the same
/// pages of all keys. For one thread at a time. The source must outlive it.
class KeyReader {
public:
  KeyReader(const Source& source, std::vector<KeyLocator> keys);

  [[nodiscard]] std::size_t size() const noexcept { return m_keys.size(); }

  /// Returns the numbers of the clusters where the first key may have a rank in [least, greatest].
  /// Uses the bounds that the source has without reading pages.
  [[nodiscard]] std::vector<std::size_t> clustersWith(std::uint64_t least,
                                                      std::uint64_t greatest) const;
  /// Returns the bounds of the first `keys` keys in a cluster, by its number. Keys without known
  /// bounds have the full range of ranks. Valid until the next call of a function.
  [[nodiscard]] const KeyBounds& boundsOfCluster(std::size_t cluster, std::size_t keys);

  /// Moves to the piece that begins at an entry. Returns its end, at most `last`. Decodes nothing.
  std::uint64_t turnTo(std::uint64_t entry, std::uint64_t last);
  /// Returns the bounds in the piece; see boundsOfCluster().
  [[nodiscard]] const KeyBounds& bounds(std::size_t keys);
  /// Returns a key's ranks in the piece, one for each entry. Valid until the same key is requested
  /// again. Throws Error(corrupt), and Error(usage) for an entry without exactly one value.
  [[nodiscard]] std::span<const std::uint64_t> ranks(std::size_t key);

private:
  void setBounds(std::size_t key, const std::optional<Extremes>& extremes);

  const Source& m_source;
  std::vector<KeyLocator> m_keys;
  detail::Window m_window;
  EntryRange m_piece{0, 0};
  KeyBounds m_bounds;
  std::vector<std::vector<std::uint64_t>> m_ranks;
};

} // namespace kaon
