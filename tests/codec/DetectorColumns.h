#pragma once

#include "codec/Columns.h"

#include <algorithm>
#include <cmath>

namespace kaon::test {

/// The order of cells in which showers leave energy. DD4hep numbers cells with
/// "system:5,side:-2,module:8,stave:4,layer:9,submodule:4,x:32:-16,y:-16".
enum class CellOrder { number, time, any };

inline std::uint64_t cellOf(std::uint64_t module, std::uint64_t stave, std::uint64_t layer, int x,
                            int y) {
  const auto bits = [](int value) { return std::uint64_t{static_cast<std::uint16_t>(value)}; };
  return 20 | 1 << 5 | module << 7 | stave << 15 | layer << 19 | bits(x) << 32 | bits(y) << 48;
}

class Showers {
public:
  explicit Showers(std::uint64_t seed) : m_random(seed) {}

  /// Returns the cells of an event.
  std::vector<std::uint64_t> cells(CellOrder order) {
    struct Hit {
      std::uint64_t cell;
      double time;
    };
    std::vector<Hit> hits;
    for (std::uint64_t showers = 3 + m_random.below(9); showers > 0; --showers) {
      const std::uint64_t module = m_random.below(12), stave = m_random.below(8);
      const double x = -120 + 240 * uniform(), y = -120 + 240 * uniform();
      for (std::uint64_t left = 10 + m_random.below(110); left > 0; --left) {
        const double depth = -3 * std::log(uniform() * uniform() * uniform() * uniform() + 1e-9);
        const auto layer = static_cast<std::uint64_t>(std::min(depth, 39.));
        const double width = 2 + 0.5 * static_cast<double>(layer);
        hits.push_back({cellOf(module, stave, layer, static_cast<int>(x + width * gauss()),
                               static_cast<int>(y + width * gauss())),
                        static_cast<double>(layer) + 3 * uniform()});
      }
    }
    std::ranges::sort(hits, {}, &Hit::cell);
    const auto same = std::ranges::unique(hits, {}, &Hit::cell);
    hits.erase(same.begin(), same.end());
    if (order == CellOrder::time)
      std::ranges::sort(hits, {}, &Hit::time);
    if (order == CellOrder::any)
      for (std::size_t i = hits.size(); i > 1; --i)
        std::swap(hits[i - 1], hits[m_random.below(i)]);
    std::vector<std::uint64_t> cells;
    for (const Hit& hit : hits)
      cells.push_back(hit.cell);
    return cells;
  }

private:
  double uniform() { return static_cast<double>(m_random.bits() >> 11) * 0x1p-53; }
  double gauss() { return 2 * (uniform() + uniform() + uniform() + uniform() - 2); }
  Random m_random;
};

inline Column cells(std::string name, std::size_t count, CellOrder order) {
  Showers showers(count);
  std::vector<std::uint64_t> all;
  while (all.size() < count)
    for (const std::uint64_t cell : showers.cells(order))
      all.push_back(cell);
  return column<std::uint64_t>(std::move(name), count, [&](std::size_t i) { return all[i]; });
}

/// Returns columns that detectors write besides particles: cells, their positions, measurements and
/// times.
inline std::vector<Column> detectorColumns(std::size_t count) {
  Random random(count);
  const auto uniform = [&] { return static_cast<double>(random.bits() >> 11) * 0x1p-53; };
  const auto exponential = [&](double mean) { return -mean * std::log(1 - uniform()); };
  const auto gauss = [&] { return 2 * (uniform() + uniform() + uniform() + uniform() - 2); };
  std::vector<Column> kinds;
  kinds.push_back(cells("cells by number", count, CellOrder::number));
  kinds.push_back(cells("cells by time", count, CellOrder::time));
  kinds.push_back(cells("cells", count, CellOrder::any));
  // The numbering of a tracker: system:8, layer:8, module:16, x:16, y:16.
  kinds.push_back(column<std::uint64_t>("strips", count, [&](auto) {
    return 5 | random.below(12) << 8 | random.below(200) << 16 | random.below(1000) << 32 |
           random.below(400) << 48;
  }));
  // The positions of the cells: x and y of cells of 5 mm, z of layers.
  const std::vector<Column> of = {cells("cells", count, CellOrder::time)};
  const auto cell = [&](std::size_t i) {
    return detail::loadAs<std::uint64_t>(of[0].bytes.data() + 8 * i);
  };
  kinds.push_back(column<float>("x of cells", count, [&](std::size_t i) {
    return 5.f * static_cast<float>(static_cast<std::int16_t>(cell(i) >> 32)) + 2.5f;
  }));
  kinds.push_back(column<float>("y of cells", count, [&](std::size_t i) {
    const double angle = 0.7854 * static_cast<double>(cell(i) >> 15 & 15);
    return static_cast<float>(std::sin(angle) * 5 * static_cast<std::int16_t>(cell(i) >> 48) +
                              std::cos(angle) * 1800);
  }));
  kinds.push_back(column<float>("z of cells", count, [&](std::size_t i) {
    return 2300.f + 5.25f * static_cast<float>(cell(i) >> 19 & 511);
  }));
  kinds.push_back(column<float>("energies of cells", count, [&](auto) {
    return static_cast<float>(exponential(0.002) * exponential(1));
  }));
  kinds.push_back(column<float>("times of cells", count, [&](std::size_t i) {
    return static_cast<float>(7.7 + 0.0175 * static_cast<double>(cell(i) >> 19 & 511) +
                              exponential(0.3));
  }));
  kinds.push_back(column<std::int32_t>("mostly zero", count, [&](auto) {
    return random.chance(0.8) ? 0 : static_cast<std::int32_t>(exponential(300));
  }));
  kinds.push_back(column<std::int16_t>("half zero", count, [&](auto) {
    return static_cast<std::int16_t>(random.chance(0.5) ? 0 : exponential(4));
  }));
  kinds.push_back(column<std::int16_t>("pedestals", count, [&](auto) {
    return static_cast<std::int16_t>(std::lround(3 * gauss()));
  }));
  double height = 0;
  kinds.push_back(column<std::uint16_t>("waveforms", count, [&](std::size_t i) {
    if (i % 64 == 0)
      height = exponential(1000);
    const double at = (static_cast<double>(i % 64) - 20) / 6;
    return static_cast<std::uint16_t>(200 + height * std::exp(-at * at) + 2 * (2 + gauss()));
  }));
  std::uint64_t time = 1'700'000'000'000'000'000;
  kinds.push_back(column<std::uint64_t>("time stamps", count, [&](auto) {
    return time += static_cast<std::uint64_t>(exponential(1e5));
  }));
  // The mother of each particle, some positions before it; pairs share theirs.
  std::int32_t mother = 0;
  kinds.push_back(column<std::int32_t>("mothers", count, [&](std::size_t i) {
    if (i % 800 == 0)
      mother = 0;
    return mother += static_cast<std::int32_t>(random.chance(0.4) ? random.below(3) : 0);
  }));
  return kinds;
}

} // namespace kaon::test
