#include <kaon/formats/root/RootFile.h>

#include <kaon/batch/Columns.h>
#include <kaon/detail/batch/WrappedFile.h>
#include <kaon/formats/memory/MemoryFile.h>
#include <kaon/formats/root/podio/FrameFile.h>
#include <kaon/model/Metadata.h>

#include "support/DamagedRootFile.h"
#include "support/DataFiles.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/PodioContents.h"
#include "support/Random.h"
#include "support/Sanitizers.h"
#include "support/Warnings.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Compares whole podio files, in ROOT's two forms, with the contents that podio itself reads.

namespace kaon::root {
namespace {

using test::expectError;
using test::Json;
using test::survives;

std::unique_ptr<File> openBytes(std::string_view bytes) {
  return openRootFile(io::memorySource("f.root", std::as_bytes(std::span(bytes))), {});
}

constexpr std::array forms{".ttree.root", ".rntuple.root"};

std::string toy(const std::string& form) { return test::dataFile("podio/toy" + form); }

class Sample : public testing::TestWithParam<std::string> {};

TEST_P(Sample, equalsTheDataThatPodioReads) {
  test::Warnings warnings;
  const auto expected = test::podioContents(GetParam());
  if (!expected)
    GTEST_SKIP() << test::noSharedFiles;
  for (const std::string form : forms) {
    const std::string bytes = test::podioSample(GetParam(), form);
    test::expectContents(*openBytes(bytes), *expected);
  }
  EXPECT_TRUE(warnings.take().empty());
}

INSTANTIATE_TEST_SUITE_P(FrameFile, Sample,
                         testing::Values("toy", "edm4hep_3", "edm4hep_50", "edm4hep_old_3"));

TEST(FrameFile, carriesItsModelsAndItsAuthor) {
  for (const std::string form : forms) {
    const std::string bytes = test::readFile(toy(form));
    const auto file = openBytes(bytes);
    EXPECT_EQ(file->documents(), (std::vector<std::string>{"metadata", "model:toymodel"}));
    const Metadata metadata = Metadata::fromJson(file->document("metadata"), "f.root");
    EXPECT_EQ(metadata.get<std::string>("podio"), "1.7.0");
    expectError(ErrorKind::name, "did you mean 'model:toymodel'",
                [&] { (void)file->document("model:toymodl"); });
    expectError(ErrorKind::name, "did you mean 'events'", [&] { (void)file->category("event"); });
    EXPECT_EQ(file->category("events").schema(), file->category("events;1").schema());
  }
}

TEST(FrameFile, isReadAsEarlierVersionsDescribedIt) {
  test::Warnings warnings;
  const Json expected = *test::podioContents("toy");
  const std::string bytes = test::readFile(test::dataFile("podio/toy_old.rntuple.root"));
  const auto file = openBytes(bytes);
  test::PodioComparison(file->category("runs")).compare(expected["categories"]["runs"]);
  EXPECT_TRUE(warnings.take().empty());
}

TEST(FrameFile, thatIsOfAnUnknownVersionStaysPlainTables) {
  test::Warnings warnings;
  const auto stored = memory::MemoryFile::make("m");
  const std::vector<int> numbers{1};
  Columns columns(1);
  columns.add("x", numbers);
  const auto sink = stored->sink();
  sink->write("podio_metadata", columns.batch());
  sink->finish();
  const auto file = podio::withFrames(std::make_unique<detail::WrappedFile>(stored));
  EXPECT_EQ(file->categories(), std::vector<std::string>{"podio_metadata"});
  EXPECT_EQ(warnings.take(),
            std::vector<std::string>{"m:podio_metadata: does not list any collections; the file "
                                     "is read as plain tables"});
}

TEST(FrameFile, thatIsOfEarlyPodioStaysPlainTables) {
  test::Warnings warnings;
  for (const bool isOfPodio : {true, false}) {
    const auto stored = memory::MemoryFile::make("m");
    const std::vector<int> numbers{1};
    Columns columns(1);
    columns.add(isOfPodio ? "CollectionIDs.m_names" : "x", numbers);
    const auto sink = stored->sink();
    sink->write("metadata", columns.batch());
    sink->finish();
    const auto file = podio::withFrames(std::make_unique<detail::WrappedFile>(stored));
    EXPECT_EQ(file->categories(), std::vector<std::string>{"metadata"});
    EXPECT_EQ(warnings.take().size(), isOfPodio ? 1U : 0U);
  }
}

TEST(FrameFile, thatIsOfPodioBeforeVersion017StaysPlainTables) {
  test::Warnings warnings;
  Schema schema;
  const auto number = [](const char* name, std::uint32_t offset) {
    return MemberDefinition{.name = name, .type = Scalar::UInt16, .offset = offset};
  };
  (void)schema.add({.name = "availableCategories",
                    .kind = TableKind::value,
                    .rowSize = 2,
                    .members = {number("", 0)}});
  (void)schema.add({.name = "PodioBuildVersion",
                    .kind = TableKind::value,
                    .rowSize = 8,
                    .members = {number("major", 0), number("minor", 2), number("patch", 4)}});
  const std::uint16_t version[] = {0, 16, 2};
  Batch batch(schema, 0, 1);
  for (std::uint32_t table = 0; table < schema.size(); ++table) {
    batch.table(table).rows = 1;
    for (std::size_t part = 0; part < schema.table(table).members.size(); ++part)
      batch.table(table).members.push_back(
          {reinterpret_cast<const std::byte*>(&version[part]), sizeof(std::uint16_t)});
  }
  const auto stored = memory::MemoryFile::make("m");
  const auto sink = stored->sink();
  sink->write("podio_metadata", batch);
  sink->finish();
  const auto file = podio::withFrames(std::make_unique<detail::WrappedFile>(stored));
  EXPECT_EQ(file->categories(), std::vector<std::string>{"podio_metadata"});
  EXPECT_EQ(
      warnings.take(),
      std::vector<std::string>{
          "m:podio_metadata: was written by podio 0.16.2, whose relations kaon does not know; "
          "kaon knows podio from version 0.17 on; the file is read as plain tables"});
}

TEST(DamagedFrameFile, isReadOrRefusedWhereBytesAreOthers) {
  test::Warnings warnings;
  constexpr std::size_t times = test::isSanitized ? 100 : 1'000;
  test::Random random(3);
  for (const std::string form : forms) {
    const std::string whole = test::readFile(toy(form));
    ASSERT_TRUE(survives(whole));
    std::size_t refused = 0;
    for (std::size_t i = 0; i < times; ++i)
      refused += survives(test::withOtherBytes(whole, random)) ? 0 : 1;
    EXPECT_GT(refused, times / 10) << form;
  }
}

TEST(DamagedFrameFile, isReadOrRefusedWhereItIsCut) {
  test::Warnings warnings;
  for (const std::string form : forms) {
    const std::string whole = test::readFile(toy(form));
    for (std::size_t size = 0; size < whole.size(); size += 997)
      (void)survives(std::string_view(whole).substr(0, size));
  }
}

} // namespace
} // namespace kaon::root
