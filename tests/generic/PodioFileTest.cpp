#include "support/DataFiles.h"

#include <kaon/kaon.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

// A program without generated classes reads files that podio wrote with ROOT: tests/data/podio.

namespace {

using kaon::Frame;
using kaon::GenericCollection;
using kaon::GenericObject;

class PodioFile : public testing::TestWithParam<std::string> {
protected:
  kaon::Category events =
      kaon::Reader(kaon::test::dataFile("podio/toy" + GetParam() + ".root"))["events"];
};

TEST_P(PodioFile, hasObjectsThatLeadToOthers) {
  std::size_t daughters = 0, hits = 0, selected = 0;
  for (const Frame& frame : events) {
    const GenericCollection particles(*frame.get("Particles"));
    for (const GenericObject particle : particles)
      for (const GenericObject daughter : particle.related("daughters")) {
        EXPECT_EQ(daughter.get<std::int32_t>("PDG"),
                  particles.column<std::int32_t>("PDG")[daughter.getObjectID().index]);
        ++daughters;
      }
    for (const GenericObject track : GenericCollection(*frame.get("Tracks")))
      for (const GenericObject hit : track.related("hits")) // of both datatypes
        hits += hit.get<std::uint64_t>("cellID") > 0 ? 1 : 0;
    for (const GenericObject particle : GenericCollection(*frame.get("Selected")))
      selected += particle == particles[static_cast<std::size_t>(particle.getObjectID().index)];
  }
  EXPECT_EQ(daughters, 35U);
  EXPECT_EQ(hits, 31U);
  EXPECT_EQ(selected, 32U);
}

TEST_P(PodioFile, becomesOneOfKaon) {
  const Frame frame = events.at(4).clone();
  EXPECT_EQ(frame.get("Hits")->size(), events.at(4).get("Hits")->size());
  EXPECT_EQ(frame.getParameter<int>("number"), 4);
}

INSTANTIATE_TEST_SUITE_P(Forms, PodioFile, testing::Values(".ttree", ".rntuple"),
                         [](const auto& form) { return form.param.substr(1); });

} // namespace
