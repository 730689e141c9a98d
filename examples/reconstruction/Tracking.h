#pragma once

#include "Detector.h"

#include <edm4hep/TrackCollection.h>
#include <edm4hep/TrackerHit3DCollection.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

/// Finds tracks from the origin: circles in x and y; z is linear in the arc length.
class Tracking {
public:
  double maximalDistance = 0.5; // of a hit from the circle, in mm
  double maximalDistanceZ = 2;  // of a hit from the line in z, in mm
  std::size_t leastHits = 8;    // of a track, at most one per layer
  double leastMomentum = 0.5;   // transverse, in GeV

  edm4hep::TrackCollection operator()(const edm4hep::TrackerHit3DCollection& hits) const {
    Layers layers;
    for (const auto hit : hits)
      layers.at(hit.getCellID()).push_back({hit, false});
    edm4hep::TrackCollection tracks;
    // Pairs of layers far from each other and from the origin. Two pairs, because a hit may be
    // missing.
    for (const auto& [outer, inner] : {std::pair{9, 4}, std::pair{8, 3}})
      for (Hit& first : layers[outer])
        for (Hit& second : layers[inner])
          if (!first.isUsed && !second.isUsed)
            follow(layers, first, second, tracks);
    return tracks;
  }

private:
  struct Hit {
    edm4hep::TrackerHit3D hit;
    bool isUsed;
    [[nodiscard]] edm4hep::Vector3d position() const { return hit.getPosition(); }
  };
  using Layers = std::array<std::vector<Hit>, detector::layers>;

  /// A circle through the origin with centre (x, y), and a line in z along it.
  struct Helix {
    double x = 0, y = 0;
    double z = 0, slope = 0;
    [[nodiscard]] double radius() const { return std::hypot(x, y); }
    [[nodiscard]] double distance(const edm4hep::Vector3d& p) const {
      return std::hypot(p.x - x, p.y - y) - radius();
    }
    [[nodiscard]] double distanceZ(const edm4hep::Vector3d& p) const {
      return p.z - z - slope * arc(p);
    }
    [[nodiscard]] double arc(const edm4hep::Vector3d& p) const {
      return 2 * radius() * std::asin(std::min(1., std::hypot(p.x, p.y) / (2 * radius())));
    }
  };

  /// Fits a helix with least squares of two quantities: x^2 + y^2 - 2 (x X + y Y), which is the
  /// distance times the diameter, and z. Returns nothing if the hits do not determine the helix.
  static std::optional<Helix> fit(std::span<Hit* const> hits) {
    double xx = 0, xy = 0, yy = 0, xr = 0, yr = 0;
    for (const Hit* const hit : hits) {
      const auto p = hit->position();
      const double square = p.x * p.x + p.y * p.y;
      xx += p.x * p.x;
      xy += p.x * p.y;
      yy += p.y * p.y;
      xr += p.x * square;
      yr += p.y * square;
    }
    const double determinant = 2 * (xx * yy - xy * xy);
    if (std::abs(determinant) < 1e-6)
      return std::nullopt;
    Helix helix{(xr * yy - yr * xy) / determinant, (yr * xx - xr * xy) / determinant};
    double s = 0, ss = 0, z = 0, sz = 0;
    for (const Hit* const hit : hits) {
      const double arc = helix.arc(hit->position()), height = hit->position().z;
      s += arc;
      ss += arc * arc;
      z += height;
      sz += arc * height;
    }
    const auto n = static_cast<double>(hits.size());
    helix.slope = (n * sz - s * z) / (n * ss - s * s);
    helix.z = (z - helix.slope * s) / n;
    return helix;
  }

  /// Searches a hit in each layer along the helix through two hits.
  void follow(Layers& layers, Hit& first, Hit& second, edm4hep::TrackCollection& tracks) const {
    const auto seed = fit(std::array{&first, &second});
    if (!seed || std::abs(seed->z) > 10 ||
        seed->radius() < detector::curvatureRadius(leastMomentum))
      return;
    std::vector<Hit*> hits;
    for (std::vector<Hit>& layer : layers) {
      Hit* nearest = nullptr;
      double least = maximalDistance;
      for (Hit& hit : layer)
        if (const auto p = hit.position(); !hit.isUsed && std::abs(seed->distance(p)) < least &&
                                           std::abs(seed->distanceZ(p)) < maximalDistanceZ &&
                                           isOnTheSameSide(p, first)) {
          least = std::abs(seed->distance(p));
          nearest = &hit;
        }
      if (nearest)
        hits.push_back(nearest);
    }
    if (hits.size() >= leastHits)
      if (const auto helix = fit(hits))
        create(*helix, hits, tracks);
  }

  /// Whether a point is on the hit's side of the origin. The circle crosses each layer twice.
  [[nodiscard]] static bool isOnTheSameSide(const edm4hep::Vector3d& p, const Hit& hit) {
    return p.x * hit.position().x + p.y * hit.position().y > 0;
  }

  static void create(const Helix& helix, std::span<Hit* const> hits,
                     edm4hep::TrackCollection& tracks) {
    auto track = tracks.create();
    double chi2 = 0;
    for (Hit* const hit : hits) {
      hit->isUsed = true;
      track.addToTrackerHits(hit->hit);
      chi2 += std::pow(helix.distance(hit->position()) / detector::resolution, 2) +
              std::pow(helix.distanceZ(hit->position()) / detector::resolutionZ, 2);
    }
    track.setChi2(static_cast<float>(chi2));
    track.setNdf(2 * static_cast<int>(hits.size()) - 4);
    // Positive particles turn to the right.
    const auto last = hits.back()->position();
    const double side = last.x * helix.y - last.y * helix.x < 0 ? 1 : -1;
    edm4hep::TrackState state;
    state.location = 1; // the origin
    state.phi = static_cast<float>(std::atan2(side * helix.x, -side * helix.y));
    state.omega = static_cast<float>(side / helix.radius());
    state.Z0 = static_cast<float>(helix.z);
    state.tanLambda = static_cast<float>(helix.slope);
    track.addToTrackStates(state);
  }
};
