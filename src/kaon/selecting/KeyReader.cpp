#include <kaon/selecting/KeyReader.h>

#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace kaon {

KeyReader::KeyReader(const Source& source, std::vector<KeyLocator> keys)
    : m_source(source), m_keys(std::move(keys)), m_window(source), m_ranks(m_keys.size()) {
  m_bounds.least.resize(m_keys.size());
  m_bounds.greatest.resize(m_keys.size());
}

void KeyReader::setBounds(std::size_t key, const std::optional<Extremes>& extremes) {
  const Scalar type = m_keys[key].type;
  const bool isKnown = extremes && !extremes->hasNone;
  const auto rankIn = [type](const std::uint64_t& bits) {
    return rankOf(type, detail::bytesAt(&bits));
  };
  m_bounds.least[key] = isKnown ? rankIn(extremes->least) : 0;
  m_bounds.greatest[key] =
      isKnown ? rankIn(extremes->greatest) : std::numeric_limits<std::uint64_t>::max();
}

std::vector<std::size_t> KeyReader::clustersWith(std::uint64_t least,
                                                 std::uint64_t greatest) const {
  const auto& [name, table, member, type] = m_keys.front();
  const std::vector<Extremes> known = m_source.extremesOfClusters(table, member);
  std::vector<std::size_t> clusters;
  const auto rankIn = [type](const std::uint64_t& bits) {
    return rankOf(type, detail::bytesAt(&bits));
  };
  for (std::size_t i = 0; i < known.size(); ++i)
    if (known[i].hasNone ||
        (rankIn(known[i].least) <= greatest && rankIn(known[i].greatest) >= least))
      clusters.push_back(i);
  if (known.empty()) {
    clusters.resize(m_source.clusters().size());
    std::iota(clusters.begin(), clusters.end(), std::size_t{0});
  }
  return clusters;
}

const KeyBounds& KeyReader::boundsOfCluster(std::size_t cluster, std::size_t keys) {
  for (std::size_t key = 0; key < keys; ++key)
    setBounds(key, m_source.extremes(m_keys[key].table, m_keys[key].member, cluster));
  return m_bounds;
}

std::uint64_t KeyReader::turnTo(std::uint64_t entry, std::uint64_t last) {
  for (const KeyLocator& key : m_keys)
    last = std::min(last, m_window.pages(key.table, entry).lastEntry);
  m_piece = {entry, last};
  return last;
}

const KeyBounds& KeyReader::bounds(std::size_t keys) {
  for (std::size_t key = 0; key < keys; ++key)
    setBounds(key, m_window.extremes(m_keys[key].table, m_keys[key].member, m_piece.first));
  return m_bounds;
}

std::span<const std::uint64_t> KeyReader::ranks(std::size_t key) {
  const auto& [name, table, member, type] = m_keys[key];
  const std::uint64_t pageBegin = m_window.pages(table, m_piece.first).firstEntry;
  const auto skipped = static_cast<std::size_t>(m_piece.first - pageBegin);
  if (m_source.schema().table(table).isCounted()) {
    const auto offsets = m_window.offsets(table, m_piece.first);
    if (const auto wrong = entryWithoutOne(offsets))
      failNotOne(m_source.name(), name, pageBegin + *wrong, offsets[*wrong + 1] - offsets[*wrong]);
  }
  ColumnView values = m_window.member(table, member, m_piece.first);
  values.base = values.at(skipped);
  auto& ranks = m_ranks[key];
  ranks.resize(static_cast<std::size_t>(m_piece.size()));
  ranksOf(type, values, ranks);
  return ranks;
}

} // namespace kaon
