#include <kaon/base/Suggestion.h>

#include <gtest/gtest.h>

namespace kaon {
namespace {

TEST(Suggestion, namesTheNearestKnownName) {
  EXPECT_EQ(suggestion("Partcles", {"Hits", "Particles", "Tracks"}),
            " (did you mean 'Particles'?)");
}

TEST(Suggestion, forgivesTwoMistakesInAShortName) {
  EXPECT_EQ(suggestion("hti", {"hit"}), " (did you mean 'hit'?)");
  EXPECT_EQ(suggestion("abc", {"xyz"}), "");
}

TEST(Suggestion, forgivesAThirdOfALongName) {
  EXPECT_EQ(suggestion("ReconstructedPartis", {"ReconstructedParticles"}),
            " (did you mean 'ReconstructedParticles'?)");
}

TEST(Suggestion, doesNotMindUpperAndLowerCase) {
  EXPECT_EQ(suggestion("MCPARTICLES", {"MCVertices", "McParticles"}),
            " (did you mean 'McParticles'?)");
}

TEST(Suggestion, isSilentWhenNothingIsNear) {
  EXPECT_EQ(suggestion("Clusters", {"Hits", "Particles"}), "");
  EXPECT_EQ(suggestion("Clusters", {}), "");
}

TEST(Suggestion, prefersTheFirstOfEquallyNearNames) {
  EXPECT_EQ(suggestion("hitX", {"hitA", "hitB"}), " (did you mean 'hitA'?)");
}

TEST(Suggestion, takesLettersThatChangedPlacesForOneMistake) {
  EXPECT_EQ(suggestion("PGD", {"px", "PDG"}), " (did you mean 'PDG'?)");
  EXPECT_EQ(suggestion("cuont", {"cut", "count"}), " (did you mean 'count'?)");
  EXPECT_EQ(suggestion("ba", {"ab"}), " (did you mean 'ab'?)");
}

TEST(Suggestion, completesBeginningsOfNames) {
  EXPECT_EQ(suggestion("ma", {"px", "mass"}), " (did you mean 'mass'?)");
  EXPECT_EQ(suggestion("Muon", {"MuonSegments", "Muons"}), " (did you mean 'Muons'?)");
  EXPECT_EQ(suggestion("int32", {"int", "int32_t"}), " (did you mean 'int32_t'?)");
}

TEST(Suggestion, findsNamesInOtherNamespaces) {
  EXPECT_EQ(suggestion("Track", {"Tracks", "edm4hep::Track"}), " (did you mean 'edm4hep::Track'?)");
  EXPECT_EQ(suggestion("edm4hep::Track", {"myexperiment::Track"}),
            " (did you mean 'myexperiment::Track'?)");
}

TEST(Suggestion, namesNothingThatHasNoLetterInCommon) {
  EXPECT_EQ(suggestion("ma", {"px"}), "");
  EXPECT_EQ(suggestion("x", {"y"}), "");
}

// Names come from files: comparing two of a megabyte would take hours.
TEST(Suggestion, comparesNoLongNames) {
  EXPECT_EQ(suggestion(std::string(1'000'000, 'a'), {std::string(1'000'000, 'b'), "ab"}), "");
  EXPECT_EQ(suggestion("mas", {std::string(1'000'000, 'm'), "mass"}), " (did you mean 'mass'?)");
}

TEST(Suggestion, takesAnEmptyName) { EXPECT_EQ(suggestion("", {"abc"}), ""); }

} // namespace
} // namespace kaon
