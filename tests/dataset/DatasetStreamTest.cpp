#include <kaon/dataset/DatasetStream.h>

#include <kaon/dataset/Dataframe.h>
#include <kaon/event/Writer.h>
#include <kaon/files/Files.h>
#include <kaon/formats/arrow/Stream.h>

#include "support/ArrowTexts.h"
#include "support/CollisionEvents.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/RelatedEvents.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace kaon {
namespace {

using test::CollisionEvents;
using test::expectError;
using test::Stream;
using test::textsOf;

std::vector<std::string> read(const std::vector<std::string>& paths, const DatasetQuery& query) {
  auto dataset = std::make_shared<const Dataset>(paths, "events");
  return textsOf(Stream(streamOf(std::move(dataset), query)));
}

/// Returns a number as text, in the form of the stream's texts.
template <class T>
std::string word(T number) {
  std::ostringstream out;
  out << number;
  return out.str();
}

/// Muons in three files of many clusters. One file has its columns in another order.
class DatasetStreamTest : public testing::Test {
protected:
  DatasetStreamTest() : paths{m_folder / "a.kaon", m_folder / "b.kaon", m_folder / "c.root"} {
    events[0].write(paths[0]);
    BatchWriter writer = batchWriter(paths[1]);
    Columns columns(events[1].size());
    columns.add("Muon", events[1].muons,
                {{"charge", events[1].charge}, {"pt", events[1].pt}, {"eta", events[1].eta}});
    columns.add("MET_pt", events[1].met);
    columns.add("run", events[1].run);
    writer.write("events", columns.batch());
    writer.finish();
    events[2].write(paths[2]);
  }

  /// Returns the texts that `say` returns for the events that pass. Event numbers continue from
  /// file to file.
  template <class Passes, class Say>
  [[nodiscard]] std::vector<std::string> expected(Passes passes, Say say) const {
    std::vector<std::string> all;
    std::size_t number = 0;
    for (const CollisionEvents& some : events)
      some.forEach([&](std::size_t event, std::size_t first, std::size_t last) {
        if (passes(some, event, first, last))
          all.push_back(say(number, some, event, first, last));
        ++number;
      });
    return all;
  }

  test::TemporaryDirectory m_folder;
  std::vector<std::string> paths;
  std::vector<CollisionEvents> events = {CollisionEvents(3'000, 1), CollisionEvents(700, 2),
                                         CollisionEvents(20'000, 3)};
};

std::string muonsOf(const CollisionEvents& some, std::size_t first, std::size_t last) {
  std::string text;
  for (std::size_t muon = first; muon < last; ++muon)
    text += (text.empty() ? "{pt: " : ", {pt: ") + word(some.pt[muon]) +
            ", charge: " + word(some.charge[muon]) + "}";
  return "Muon: [" + text + "]";
}

TEST_F(DatasetStreamTest, hasTheEntriesOfAllFilesInTheFieldsOfTheFirst) {
  const DatasetQuery query{.columns = {"MET_pt", "Muon.charge", "Muon.pt"}};
  EXPECT_EQ(read(paths, query),
            expected([](auto&&...) { return true; },
                     [](std::size_t, const CollisionEvents& some, std::size_t event,
                        std::size_t first, std::size_t last) {
                       return "{MET_pt: " + word(some.met[event]) + ", " +
                              muonsOf(some, first, last) + "}";
                     }));
}

TEST_F(DatasetStreamTest, hasPassingEntriesAndComputedColumns) {
  const DatasetQuery query{.columns = {"count(Muon)", "Muon.pt", "dataset.entry", "2 * MET_pt",
                                       "Muon.pt[Muon.pt > 50]", "Muon.charge"},
                           .cut = "any(Muon.pt > 99)"};
  const auto passes = [](const CollisionEvents& some, std::size_t, std::size_t first,
                         std::size_t last) {
    return std::any_of(some.pt.begin() + static_cast<std::ptrdiff_t>(first),
                       some.pt.begin() + static_cast<std::ptrdiff_t>(last),
                       [](float pt) { return pt > 99; });
  };
  EXPECT_EQ(read(paths, query),
            expected(passes, [](std::size_t number, const CollisionEvents& some, std::size_t event,
                                std::size_t first, std::size_t last) {
              std::string hard;
              for (std::size_t muon = first; muon < last; ++muon)
                if (some.pt[muon] > 50)
                  hard += (hard.empty() ? "" : ", ") + word(some.pt[muon]);
              return "{" + muonsOf(some, first, last) + ", count(Muon): " + word(last - first) +
                     ", dataset.entry: " + word(number) +
                     ", 2 * MET_pt: " + word(2 * some.met[event]) + ", Muon.pt[Muon.pt > 50]: [" +
                     hard + "]}";
            }));
}

TEST_F(DatasetStreamTest, hasARangeOfAllFiles) {
  const EntryRange range{2'990, 3'705};
  const auto all = read(paths, {.columns = {"Muon"}});
  const std::vector<std::string> some(all.begin() + 2'990, all.begin() + 3'705);
  EXPECT_EQ(read(paths, {.columns = {"Muon"}, .entries = range}), some);
  EXPECT_EQ(read(paths, {.columns = {"Muon"}, .cut = "True", .entries = range}), some);
  EXPECT_EQ(read(paths, {.columns = {"Muon"}, .entries = {30'000, 40'000}}).size(), 0U);
  EXPECT_EQ(read(paths, {.columns = {"run"}, .cut = "run < 0"}).size(), 0U);
}

TEST_F(DatasetStreamTest, doesNotOpenFilesBehindItsRange) {
  paths.push_back(m_folder / "missing.kaon");
  EXPECT_EQ(read(paths, {.columns = {"run"}, .entries = {0, 23'700}}).size(), 23'700U);
  EXPECT_EQ(read(paths, {.columns = {"run"}, .cut = "run >= 0", .entries = {0, 100}}).size(), 100U);
}

TEST_F(DatasetStreamTest, reportsMistakes) {
  const auto of = [this](const DatasetQuery& query) { return read({paths[0]}, query); };
  expectError(ErrorKind::name, "did you mean 'Muon.pt'",
              [&] { (void)of({.columns = {"Muon.ptt"}}); });
  expectError(ErrorKind::name, "'muon'", [&] { (void)of({.columns = {"count(muon)"}}); });
  expectError(ErrorKind::type, "wants a bool", [&] { (void)of({.columns = {}, .cut = "run"}); });
  expectError(ErrorKind::type, "any()", [&] { (void)of({.columns = {}, .cut = "Muon.pt > 2"}); });
}

/// Returns the error that ends a stream.
std::string errorOf(Stream stream) {
  for (;;) {
    test::Released<ArrowArray> array;
    if (stream->get_next(stream.get(), array.get()) != 0)
      return stream->get_last_error(stream.get());
    if (!array->release)
      return "";
  }
}

TEST_F(DatasetStreamTest, saysWhichFileDiffers) {
  const std::string path = m_folder / "other.kaon";
  BatchWriter writer = batchWriter(path);
  const std::vector<std::uint32_t> begins = {0, 1};
  const std::vector<double> pt = {1};
  Columns columns(1);
  columns.add("Muon", begins, {{"pt", pt}});
  writer.write("events", columns.batch());
  writer.finish();
  const auto error = [&](const DatasetQuery& query) {
    return errorOf(Stream(
        streamOf(std::make_shared<const Dataset>(std::vector{paths[0], path}, "events"), query)));
  };
  EXPECT_EQ(error({.columns = {"Muon.eta"}}),
            path + ":events: has no 'Muon.eta', but " + paths[0] + ":events has it");
  EXPECT_EQ(error({.columns = {"run"}}),
            path + ":events: has no 'run', but " + paths[0] + ":events has it");
  EXPECT_EQ(error({.columns = {"Muon.pt"}}),
            path + ":events: 'Muon.pt' is of another type than in " + paths[0] + ":events");
  EXPECT_NE(error({.columns = {"Muon.pt"}, .cut = "count(Muon) > 0"}), "");
}

/// Selected entries keep all tables under them, at any depth.
TEST(DatasetStream, takesRelationsAndListsAlong) {
  const test::TemporaryDirectory folder;
  const std::string path = folder / "related.kaon";
  Writer writer(path);
  for (int i = 0; i < 300; ++i)
    writer.write(test::makeRelatedEvent(i), "events");
  writer.finish();
  const std::vector<std::string> all = read({path}, {});
  const auto taken = dataset(path, "events")
                         .filter("count(Tracks) % 2 == 1 or count(Channels) > 2")
                         .take<std::uint64_t>("dataset.entry");
  std::vector<std::string> some;
  for (const std::uint64_t entry : *taken)
    some.push_back(all[entry]);
  EXPECT_GT(some.size(), 50U);
  EXPECT_LT(some.size(), 250U);
  EXPECT_EQ(read({path}, {.cut = "count(Tracks) % 2 == 1 or count(Channels) > 2"}), some);
}

} // namespace
} // namespace kaon
