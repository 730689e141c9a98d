#include <kaon/dataset/MissingData.h>

#include <kaon/base/Warning.h>
#include <kaon/dataset/Dataframe.h>
#include <kaon/dataset/Dataset.h>
#include <kaon/event/Writer.h>
#include <kaon/files/Files.h>

#include "support/CollisionEvents.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/Warnings.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace kaon {
namespace {

using test::CollisionEvents;
using test::expectContains;
using test::expectError;

/// Two good files of 300 and 200 events, and bad ones.
class BadFilesTest : public testing::Test {
protected:
  BadFilesTest() {
    CollisionEvents(300, 1).write(m_folder / "a.kaon");
    CollisionEvents(200, 2).write(m_folder / "b.kaon");
    writeValues("runs", "run", m_folder / "category.kaon");
    writeValues("events", "other", m_folder / "columns.kaon");
    writeValues("events", "MET_pt", m_folder / "lacking.kaon");
    std::ofstream(m_folder / "zero.kaon").flush();
    std::ofstream(m_folder / "text.kaon") << "no file of any format";
  }
  /// Writes a file with four entries of one value.
  static void writeValues(const std::string& category, const std::string& name,
                          const std::string& path) {
    const std::vector<float> values = {1, 2, 3, 4};
    Columns columns(values.size());
    columns.add(name, std::span<const float>(values));
    BatchWriter writer = batchWriter(path);
    writer.write(category, columns.batch());
    writer.finish();
  }
  /// A file before, between and behind the good ones.
  [[nodiscard]] std::vector<std::vector<std::string>> placesOf(const std::string& bad) const {
    const std::string a = m_folder / "a.kaon", b = m_folder / "b.kaon";
    return {{bad, a, b}, {a, bad, b}, {a, b, bad}};
  }

  test::TemporaryDirectory m_folder;
};

TEST_F(BadFilesTest, filesThatCannotBeUsedAreLeftOut) {
  for (const char* const name : {"category.kaon", "zero.kaon", "text.kaon", "gone.kaon"}) {
    const std::string bad = m_folder / name;
    for (const std::vector<std::string>& paths : placesOf(bad)) {
      try {
        (void)*dataset(paths, "events").count();
        ADD_FAILURE() << name << " is not bad";
      } catch (const Error& error) {
        expectContains(error.what(), bad);
      }
      const Dataframe events = dataset(paths, "events", {}, OnBadFile::report);
      EXPECT_EQ(*events.count(), 500U);
      ASSERT_EQ(events.badFiles().size(), 1U);
      EXPECT_EQ(events.badFiles()[0].path, bad);
      EXPECT_EQ(events.badFiles()[0].entries, std::nullopt);
      expectContains(events.badFiles()[0].reason, bad);
    }
  }
}

TEST_F(BadFilesTest, aFileWithNoneOfTheColumnsIsLeftOut) {
  const std::string bad = m_folder / "columns.kaon";
  const std::vector<std::string> paths = {m_folder / "a.kaon", bad, m_folder / "b.kaon"};
  expectError(ErrorKind::name, "columns.kaon:events: has none of the columns of",
              [&] { (void)*dataset(paths, "events").count(); });
  const Dataset events(paths, "events", {}, OnBadFile::report);
  EXPECT_EQ(events.entries(), 500U);
  EXPECT_EQ(events.badFiles(),
            (std::vector{BadFile{bad, events.badFiles().at(0).reason, std::uint64_t{4}}}));
}

TEST_F(BadFilesTest, aFileWithoutANamedColumnIsLeftOutWhenItIsNeeded) {
  const std::string bad = m_folder / "lacking.kaon";
  for (const std::vector<std::string>& paths : placesOf(bad)) {
    if (paths.front() == bad)
      continue; // the first file says which columns there are
    const Dataframe events = dataset(paths, "events", {}, OnBadFile::report);
    EXPECT_EQ(*events.filter("MET_pt >= 0").count(), 504U);
    EXPECT_EQ(events.badFiles(), std::vector<BadFile>());
    EXPECT_EQ(*events.filter("count(Muon) >= 0").count(), 500U);
    ASSERT_EQ(events.badFiles().size(), 1U);
    EXPECT_EQ(events.badFiles()[0].entries, 4U);

    std::uint64_t count = 0;
    const Dataset files(paths, "events", {}, OnBadFile::report);
    for (DatasetBatches batches = files.batches({"Muon"}); batches.next();)
      count += batches.batch().entries();
    EXPECT_EQ(count, 500U);
    EXPECT_EQ(files.badFiles().size(), 1U);
    for ([[maybe_unused]] auto [pt] : files.each<Array<float>>("Muon.pt"))
      --count;
    EXPECT_EQ(count, 0U);
  }
}

TEST_F(BadFilesTest, skippedFilesAreWarnedOfOnce) {
  const std::string bad = m_folder / "columns.kaon";
  test::Warnings warnings;
  const Dataframe events =
      dataset(std::vector{std::string(m_folder / "a.kaon"), bad}, "events", {}, OnBadFile::skip);
  EXPECT_EQ(*events.count(), 300U);
  EXPECT_EQ(*events.count(), 300U);
  EXPECT_EQ(warnings.kinds(), std::vector{WarningKind::badFile});
  expectContains(warnings.take().at(0), "the file is left out, with 4 entries");
}

TEST_F(BadFilesTest, samplesKeepTheirGoodFiles) {
  const Dataframe events = dataset({{"bad", {m_folder / "gone.kaon"}},
                                    {"good", {m_folder / "a.kaon"}},
                                    {"both", {m_folder / "zero.kaon", m_folder / "b.kaon"}}},
                                   "events", {}, OnBadFile::report);
  EXPECT_EQ(*events.sample("bad").count(), 0U);
  EXPECT_EQ(*events.sample("good").count(), 300U);
  EXPECT_EQ(*events.sample("both").count(), 200U);
}

TEST_F(BadFilesTest, theFirstErrorIsThrownIfAllFilesAreBad) {
  expectError(ErrorKind::missing, "gone.kaon", [&] {
    (void)Dataset({m_folder / "gone.kaon", m_folder / "zero.kaon"}, "events", {},
                  OnBadFile::report);
  });
}

TEST_F(BadFilesTest, entriesWithoutColumnsAreBadAmongValues) {
  const std::string bad = m_folder / "frames.kaon";
  Writer writer(bad);
  for (int i = 0; i < 10; ++i)
    writer.write(Frame(), "events");
  writer.finish();
  for (const std::vector<std::string>& paths : placesOf(bad))
    expectError(ErrorKind::name, "frames.kaon:events: has none of the columns of",
                [&] { (void)*dataset(paths, "events").snapshot(m_folder / "out.kaon"); });
  EXPECT_EQ(*dataset(bad, "events").count(), 10U); // the only file lacks nothing
  for (const std::vector<std::string>& paths : placesOf(bad))
    EXPECT_EQ(*dataset(paths, "events", {}, OnBadFile::report).count(), 500U);
}

} // namespace
} // namespace kaon
