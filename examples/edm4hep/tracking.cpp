// Writes tracks with hits of two kinds, points and planes, which share an interface. Then reads the
// tracks and prints the distances of their hits.

#include <edm4hep/TrackCollection.h>
#include <edm4hep/TrackerHit3DCollection.h>
#include <edm4hep/TrackerHitPlaneCollection.h>
#include <kaon/kaon.h>

#include <cmath>
#include <exception>
#include <iostream>
#include <string>

namespace {

constexpr int events = 100;
constexpr int hitsEach = 8;

/// Returns a frame with one straight track along `phi`; its first hits are in silicon planes.
kaon::Frame track(double phi) {
  edm4hep::TrackerHitPlaneCollection planes;
  edm4hep::TrackerHit3DCollection points;
  edm4hep::TrackCollection tracks;

  auto track = tracks.create();
  track.setChi2(hitsEach);
  track.setNdf(2 * hitsEach - 5);
  const auto fill = [&](auto hit, int i) {
    const double radius = 30. * (i + 1);
    const double residual = i % 2 == 0 ? 0.01 : -0.01; // mm
    hit.setTime(static_cast<float>(radius / 299.8));
    hit.setPosition({radius * std::cos(phi) - residual * std::sin(phi),
                     radius * std::sin(phi) + residual * std::cos(phi), 0});
    track.addToTrackerHits(hit);
  };
  for (int i = 0; i < hitsEach; ++i) {
    if (i < 3)
      fill(planes.create(), i);
    else
      fill(points.create(), i);
  }
  edm4hep::TrackState atOrigin;
  atOrigin.location = 1;
  atOrigin.phi = static_cast<float>(phi);
  track.addToTrackStates(atOrigin);

  kaon::Frame frame;
  frame.put(std::move(planes), "VertexHits");
  frame.put(std::move(points), "TrackerHits");
  frame.put(std::move(tracks), "Tracks");
  return frame;
}

} // namespace

int main(int argc, char** argv) try {
  const std::string path = argc > 1 ? argv[1] : "tracking.kaon";
  kaon::Writer out(path);
  for (int event = 0; event < events; ++event)
    out.write(track(0.06 * event), "events");
  out.finish();

  std::size_t inPlanes = 0, hits = 0;
  double sumOfSquares = 0;
  const kaon::Reader in(path);
  for (const kaon::Frame& event : in["events"])
    for (const auto track : event.get<edm4hep::TrackCollection>("Tracks")) {
      const float phi = track.getTrackStates(0).phi;
      for (const edm4hep::TrackerHit hit : track.getTrackerHits()) {
        const auto position = hit.getPosition();
        const double residual = position.y * std::cos(phi) - position.x * std::sin(phi);
        sumOfSquares += residual * residual;
        inPlanes += hit.isA<edm4hep::TrackerHitPlane>() ? 1 : 0;
        ++hits;
      }
    }
  const double width = std::sqrt(sumOfSquares / static_cast<double>(hits));
  std::cout << hits << " hits, " << inPlanes << " of them in planes, " << width
            << " mm from their tracks\n";
  return hits == events * hitsEach && inPlanes == events * 3 && std::abs(width - 0.01) < 1e-4 ? 0
                                                                                              : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
