// Writes events of a tracker and reads them back: circles from the beam through ten layers.
#include <kaon/kaon.h>

#include "tracker/HitCollection.h"
#include "tracker/TrackCollection.h"

#include <cmath>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <random>
#include <utility>

namespace {

constexpr int numEvents = 100;
constexpr int numLayers = 10;
constexpr float layerDistance = 50; // mm

kaon::Frame simulate(std::mt19937& random) {
  tracker::HitCollection hits;
  tracker::TrackCollection tracks;
  std::uniform_real_distribution<float> radius(300, 3000);
  std::uniform_real_distribution<float> direction(-3.14F, 3.14F);
  std::poisson_distribution<int> number(5);
  for (int i = number(random); i > 0; --i) {
    auto track = tracks.create(radius(random));
    const float first = direction(random);
    for (int layer = 1; layer <= numLayers; ++layer) {
      const float distance = static_cast<float>(layer) * layerDistance;
      const float angle = first + std::asin(distance / (2 * track.getRadius()));
      const tracker::Point point{distance * std::cos(angle), distance * std::sin(angle)};
      track.addToHits(hits.create(layer, point));
    }
  }
  kaon::Frame event;
  event.put(std::move(hits), "Hits");
  event.put(std::move(tracks), "Tracks");
  return event;
}

} // namespace

int main() try {
  std::mt19937 random(1);
  kaon::Writer out{"tracks.kaon"};
  for (int i = 0; i < numEvents; ++i)
    out.write(simulate(random), "events");
  out.finish();

  int hits = 0;
  kaon::Reader in{"tracks.kaon"};
  for (const kaon::Frame& event : in["events"])
    for (auto track : event.get<tracker::TrackCollection>("Tracks"))
      for (auto hit : track.getHits())
        hits += std::hypot(hit.getPosition().x, hit.getPosition().y) > layerDistance / 2;
  std::cout << in["events"].size() << " events, " << hits << " hits of tracks: tracks.kaon\n";
  return hits > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
