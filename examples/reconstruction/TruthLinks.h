#pragma once

#include <edm4hep/CaloHitSimCaloHitLinkCollection.h>
#include <edm4hep/ClusterCollection.h>
#include <edm4hep/ClusterMCParticleLinkCollection.h>
#include <edm4hep/TrackCollection.h>
#include <edm4hep/TrackMCParticleLinkCollection.h>
#include <edm4hep/TrackerHitSimTrackerHitLinkCollection.h>
#include <kaon/object/LinkNavigator.h>

#include <algorithm>
#include <utility>
#include <vector>

/// The shares of each particle in a reconstructed object.
class Shares {
public:
  void add(const edm4hep::MCParticle& particle, float share) {
    const auto known = std::ranges::find(m_shares, particle, &Share::first);
    (known == m_shares.end() ? m_shares.emplace_back(particle, 0.F) : *known).second += share;
    m_sum += share;
  }
  /// Links an object to the particle with the largest share, if there is one.
  void link(const auto& object, auto& links) const {
    if (m_shares.empty())
      return;
    const Share& most = *std::ranges::max_element(m_shares, {}, &Share::second);
    auto link = links.create();
    link.setFrom(object);
    link.setTo(most.first);
    link.setWeight(most.second / m_sum);
  }

private:
  using Share = std::pair<edm4hep::MCParticle, float>;
  std::vector<Share> m_shares;
  float m_sum = 0;
};

/// Links tracks to particles by numbers of hits.
inline edm4hep::TrackMCParticleLinkCollection
linkTracks(const edm4hep::TrackCollection& tracks,
           const edm4hep::TrackerHitSimTrackerHitLinkCollection& hitLinks) {
  const kaon::LinkNavigator truth(hitLinks);
  edm4hep::TrackMCParticleLinkCollection links;
  for (const auto track : tracks) {
    Shares shares;
    for (const auto hit : track.getTrackerHits())
      for (const auto& [simulated, weight] : truth.getLinked(hit))
        shares.add(simulated.getParticle(), 1);
    shares.link(track, links);
  }
  return links;
}

/// Links clusters to particles by energy.
inline edm4hep::ClusterMCParticleLinkCollection
linkClusters(const edm4hep::ClusterCollection& clusters,
             const edm4hep::CaloHitSimCaloHitLinkCollection& hitLinks) {
  const kaon::LinkNavigator truth(hitLinks);
  edm4hep::ClusterMCParticleLinkCollection links;
  for (const auto cluster : clusters) {
    Shares shares;
    for (const auto hit : cluster.getHits())
      for (const auto& [simulated, weight] : truth.getLinked(hit))
        for (const auto contribution : simulated.getContributions())
          shares.add(contribution.getParticle(), contribution.getEnergy());
    shares.link(cluster, links);
  }
  return links;
}
