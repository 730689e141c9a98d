#pragma once

#include <kaon/batch/Keys.h>
#include <kaon/batch/Source.h>
#include <kaon/detail/batch/Window.h>

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

/// Reads keys of a source, as ranks, in pieces of entries for which the pages of all of them stay
/// the same. For one thread at a time; it must not outlive the source.
class KeyReader {
public:
  KeyReader(const Source& source, std::vector<KeyPlace> keys);

  [[nodiscard]] std::size_t size() const noexcept { return m_keys.size(); }

  /// The numbers of the clusters in which the first key can have a rank of [least, greatest], by
  /// what the source has at hand.
  [[nodiscard]] std::vector<std::size_t> clustersWith(std::uint64_t least,
                                                      std::uint64_t greatest) const;
  /// What bounds say of the first so many keys in a cluster, by its number; as much as there can be
  /// where they say nothing. Stays until the next call of a function.
  [[nodiscard]] const KeyBounds& boundsOfCluster(std::size_t cluster, std::size_t keys);

  /// Turns to the piece that begins at an entry and returns where it ends, at `last` at most.
  /// Decodes nothing.
  std::uint64_t turnTo(std::uint64_t entry, std::uint64_t last);
  /// As boundsOfCluster(), of the piece.
  [[nodiscard]] const KeyBounds& bounds(std::size_t keys);
  /// A key's ranks in the piece: one for each entry. Stays until the same key is asked for again.
  /// Throws Error(corrupt); Error(usage) for an entry that does not have just one.
  [[nodiscard]] std::span<const std::uint64_t> ranks(std::size_t key);

private:
  void setBounds(std::size_t key, const std::optional<Extremes>& extremes);

  const Source& m_source;
  std::vector<KeyPlace> m_keys;
  detail::Window m_window;
  EntryRange m_piece{0, 0};
  KeyBounds m_bounds;
  std::vector<std::vector<std::uint64_t>> m_ranks;
};

} // namespace kaon
