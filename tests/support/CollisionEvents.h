#pragma once

#include <kaon/batch/Columns.h>
#include <kaon/files/Files.h>
#include <kaon/writing/BatchWriter.h>

#include "support/Random.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kaon::test {

/// Muons and a few numbers of many events, as columns to write and to compare.
struct CollisionEvents {
  std::vector<std::int32_t> run;
  std::vector<float> met;
  std::vector<std::uint32_t> muons{0}; // the first muon of each event
  std::vector<float> pt, eta;
  std::vector<std::int32_t> charge;

  explicit CollisionEvents(std::size_t events, std::uint64_t seed = 1) {
    Random random(seed);
    for (std::size_t event = 0; event < events; ++event) {
      run.push_back(static_cast<std::int32_t>(event / 10));
      met.push_back(static_cast<float>(random.below(10000)) / 100);
      for (std::size_t muon = random.below(5); muon > 0; --muon) {
        pt.push_back(static_cast<float>(random.below(10000)) / 100);
        eta.push_back(static_cast<float>(random.below(600)) / 100 - 3);
        charge.push_back(random.chance(0.5) ? 1 : -1);
      }
      muons.push_back(static_cast<std::uint32_t>(pt.size()));
    }
  }
  [[nodiscard]] std::size_t size() const { return run.size(); }

  /// Calls `use(event, first, last)` with the range of an event's muons.
  template <class Use>
  void forEach(Use use) const {
    for (std::size_t event = 0; event < size(); ++event)
      use(event, muons[event], muons[event + 1]);
  }

  /// Writes the events as the category "events", with many clusters and pages.
  void write(const std::string& path, WriterOptions options = {}) const {
    if (options.clusterEntries == 0)
      options.clusterEntries = 500;
    options.pageBytes = 2048;
    BatchWriter writer = batchWriter(path, options);
    Columns columns(size());
    columns.add("run", run);
    columns.add("MET_pt", met);
    columns.add("Muon", muons, {{"pt", pt}, {"eta", eta}, {"charge", charge}});
    writer.write("events", columns.batch());
    writer.finish();
  }
};

} // namespace kaon::test
