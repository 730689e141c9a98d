// Uses models of another project and podio's names in one program: writes an event and reads it.
#include <kaon/kaon.h>

#include <podio/ObjectID.h>

#include "analysis/ClusterCollection.h"
#include "shower/HitCollection.h"

#include <cstdlib>
#include <iostream>
#include <utility>

int main() {
  {
    shower::HitCollection hits;
    auto hit = hits.create();
    hit.setCell(42);
    hit.setEnergy(1.5F);
    analysis::ClusterCollection clusters;
    auto cluster = clusters.create();
    cluster.setMiddle({3, 4});
    cluster.addToHits(hit);
    kaon::Frame event;
    event.put(std::move(hits), "Hits");
    event.put(std::move(clusters), "Clusters");
    kaon::Writer out{"hits.kaon"};
    out.write(event, "events");
    out.finish();
  }
  kaon::Reader in{"hits.kaon"};
  for (const kaon::Frame& event : in["events"]) {
    for (auto cluster : event.get<analysis::ClusterCollection>("Clusters")) {
      const auto hit = cluster.getHits(0);
      if (hit.getCell() == 42 && hit.getEnergy() == 1.5F && cluster.getMiddle().squared() == 25 &&
          hit.getObjectID() ==
              podio::ObjectID{0, event.get<shower::HitCollection>("Hits").getID()}) {
        return EXIT_SUCCESS;
      }
    }
  }
  std::cerr << "the event that was written was not read back\n";
  return EXIT_FAILURE;
}
