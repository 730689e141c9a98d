#include <kaon/formats/sio/SioFile.h>

#include "support/DataFiles.h"
#include "support/Errors.h"
#include "support/PodioContents.h"
#include "support/Warnings.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

// Compares files that podio wrote in SIO with the contents that podio itself reads.

namespace kaon::sio {
namespace {

class PodioSample : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Samples, PodioSample,
                         testing::Values("edm4hep_3", "edm4hep_50", "edm4hep_old_3"));

TEST_P(PodioSample, equalsTheDataThatPodioReads) {
  test::Warnings warnings;
  const auto expected = test::podioContents(GetParam());
  if (!expected)
    GTEST_SKIP() << test::noSharedFiles;
  const std::string bytes = test::podioSample(GetParam(), ".sio");
  const auto file = openSioFile(io::memorySource("f.sio", std::as_bytes(std::span(bytes))), {});
  test::expectContents(*file, *expected);
  for (const std::string& category : file->categories())
    EXPECT_TRUE(file->category(category).unreadable().empty());
  EXPECT_TRUE(warnings.take().empty());
}

TEST_P(PodioSample, carriesItsModel) {
  if (!test::podioContents(GetParam()))
    GTEST_SKIP() << test::noSharedFiles;
  const std::string bytes = test::podioSample(GetParam(), ".sio");
  const auto file = openSioFile(io::memorySource("f.sio", std::as_bytes(std::span(bytes))), {});
  test::expectContains(file->document("model:edm4hep"), "edm4hep::MCParticle");
  test::expectContains(file->document("metadata"), "1.7.99");
}

} // namespace
} // namespace kaon::sio
