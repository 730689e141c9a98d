// What a user's first program does: write an event, read it back.
#include <kaon/kaon.h>

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
    kaon::Frame event;
    event.put(std::move(hits), "Hits");
    kaon::Writer out{"hits.kaon"};
    out.write(event, "events");
    out.finish();
  }
  kaon::Reader in{"hits.kaon"};
  for (const kaon::Frame& event : in["events"]) {
    for (auto hit : event.get<shower::HitCollection>("Hits")) {
      if (hit.getCell() == 42 && hit.getEnergy() == 1.5F) {
        return EXIT_SUCCESS;
      }
    }
  }
  std::cerr << "the event that was written was not read back\n";
  return EXIT_FAILURE;
}
