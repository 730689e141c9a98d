#pragma once

#include "support/SioBytes.h"

#include <cstdint>
#include <string>

namespace kaon::test {

/// Returns a file as LCIO 1.0 wrote it. Numbers in objects count up, so that each of them shows
/// where it was read.
[[nodiscard]] inline std::string lcioOfVersion1() {
  constexpr std::uint32_t version = sioVersion(1, 0);
  constexpr std::uint32_t stored31 = 1U << 31, tagged28 = 1U << 28, tagged30 = 1U << 30;

  const std::string particles =
      sioNumbers(2, 3U, 0, 25, 1, 0, 0.5, 0.0, 0.0, 1.F, 2.F, 3.F, 4.F, 5.F) +
      sioNumbers(9U, 1, 3U, 15, 2, 1U << 31, 0.0, 0.0, 0.0, 1.F, 2.F, 3.F, 4.F, 5.F, 7.0, 8.0, 9.0);
  const std::string simHits = sioNumbers(2) + // neither cellID1 nor a tag
                              sioNumbers(1, 1.0, 2.0, 3.0, 4.F, 5.F, 9U, 6.F, 7.F, 8.F) +
                              sioNumbers(2, 1.0, 2.0, 3.0, 4.F, 5.F, 3U, 6.F, 7.F, 9.F);
  const std::string rawHits = sioNumbers(2, 11, 1.F, 2.F, 3, 21U, 12, 4.F, 5.F, 6, 22U);
  const std::string hits = sioNumbers(1, 1.0, 2.0, 3.0) + sioNumbers(1.F, 2.F, 3.F, 4.F, 5.F, 6.F) +
                           sioNumbers(7.F, 8.F, 22U, 31U); // eDep, time, one raw hit, tag
  const std::string tracks = sioNumbers(1, 5, 1.F, 2.F, 3.F, 4.F, 5.F) +
                             sioNumbers(0.F, 0.F, 0.F, 0.F, 0.F, 0.F, 0.F, 0.F, 0.F, 0.F) +
                             sioNumbers(0.F, 0.F, 0.F, 0.F, 6.F, 7.F, 8.F, 9.F) +
                             sioNumbers(10.F, 11, 12.F, 13.F, 14.F, 1, 15, 0, 1, 31U, 41U);
  const std::string calorimeterHits = sioNumbers(1, 51, 1.F, 2.F, 3.F, 4.F, 61U);
  const std::string clusters = sioNumbers(1, 7, 1.F, 2.F, 3.F, 4.F) +
                               sioNumbers(0.F, 0.F, 0.F, 0.F, 0.F, 5.F, 6.F, 7.F) +
                               sioNumbers(0.F, 0.F, 8.F) + // errors of the direction
                               sioNumbers(1.F, 2.F, 3.F, 4.F, 5.F, 6.F, 0.1F, 0.2F, 0.3F) +
                               sioNumbers(0, 1, 61U, 0.5F, 1, 9.F, 71U);

  return lcioRun(7, version) +
         lcioEvent(1,
                   {{"Calo", "CalorimeterHit", stored31 | tagged28, calorimeterHits},
                    {"Clusters", "Cluster", stored31, clusters},
                    {"Hits", "TrackerHit", 0, hits},
                    {"MCParticle", "MCParticle", 0, particles},
                    {"Raw", "TPCHit", tagged30, rawHits},
                    {"SimHits", "SimTrackerHit", tagged30, simHits},
                    {"Tracks", "Track", stored31, tracks},
                    {"Vecs", "LCIntVec", 0, sioNumbers(1, 2, 8, 9)}},
                   false, version);
}

} // namespace kaon::test
