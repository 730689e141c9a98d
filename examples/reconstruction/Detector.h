#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

/// A toy detector: silicon cylinders in a magnetic field along z, surrounded by a barrel of
/// calorimeter cells. Lengths are in mm, energies in GeV.
namespace detector {

// The tracker.
inline constexpr int layers = 10;
inline constexpr double field = 2; // T
inline constexpr double resolution = 0.05, resolutionZ = 0.2;
inline constexpr double efficiency = 0.97;
constexpr double radius(int layer) { return 50. * (layer + 1); }
/// Returns the radius of the circle for a transverse momentum in GeV.
constexpr double curvatureRadius(double pt) { return pt / (0.299792458e-3 * field); }

// The calorimeter: cells in phi and z.
inline constexpr double calorimeterRadius = 600;
inline constexpr int cellsInPhi = 192, cellsInZ = 100;
inline constexpr double cellLength = 20;
inline constexpr double stochasticTerm = 0.1; // of the energy resolution, in sqrt(GeV)
inline constexpr double noise = 0.01;         // of a cell, in GeV

struct Cell {
  int phi = 0;
  int z = 0;
  [[nodiscard]] std::uint64_t id() const {
    return static_cast<std::uint64_t>(phi) * cellsInZ + static_cast<std::uint64_t>(z);
  }
  static Cell ofId(std::uint64_t id) {
    return {static_cast<int>(id / cellsInZ), static_cast<int>(id % cellsInZ)};
  }
  static Cell at(double phi, double z) {
    const int step = static_cast<int>(std::floor(phi / (2 * std::numbers::pi) * cellsInPhi));
    return {(step % cellsInPhi + cellsInPhi) % cellsInPhi,
            static_cast<int>(std::floor(z / cellLength)) + cellsInZ / 2};
  }
  /// Returns the cell at this distance in phi and z; phi wraps around the barrel.
  [[nodiscard]] Cell moved(int byPhi, int byZ) const {
    return {(phi + byPhi + cellsInPhi) % cellsInPhi, z + byZ};
  }
  [[nodiscard]] bool isThere() const { return z >= 0 && z < cellsInZ; }
  [[nodiscard]] double centrePhi() const { return (phi + 0.5) * 2 * std::numbers::pi / cellsInPhi; }
  [[nodiscard]] double centreZ() const { return (z + 0.5 - cellsInZ / 2.) * cellLength; }
};

} // namespace detector
