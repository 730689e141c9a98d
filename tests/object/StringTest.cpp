#include "stringmodel/stringmodel.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/Forgery.h"
#include "support/FrameFile.h"
#include "support/Tables.h"

#include <kaon/base/Buffer.h>
#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>
#include <kaon/formats/kaonfile/FileReader.h>
#include <kaon/io/ByteSource.h>
#include <kaon/model/CollectionTables.h>
#include <kaon/model/Schema.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Members that are strings, and lists of strings.

namespace {

using kaon::ErrorKind;
using kaon::Frame;
using kaon::Layout;
using kaon::Reader;
using kaon::TableDefinition;
using kaon::Writer;
using kaon::test::expectError;
using kaon::test::Forgery;
using strings::LabelCollection;
using strings::MutableRun;
using strings::Named;
using strings::Run;
using strings::RunCollection;

using Texts = std::vector<std::string>;

template <class Object>
Texts subdetectors(const Object& run) {
  return {run.subdetectors_begin(), run.subdetectors_end()};
}

/// Returns texts that are empty, short, long, not ASCII, or with a zero byte.
std::string textOf(std::size_t i) {
  switch (i % 5) {
  case 0:
    return "";
  case 1:
    return "run " + std::to_string(i);
  case 2:
    return std::string(10 * i, 'x');
  case 3:
    return "größer als µ, トラッカー";
  default:
    return std::string("with\0zero", 9);
  }
}

RunCollection makeRuns(std::size_t count) {
  RunCollection runs;
  for (std::size_t i = 0; i < count; ++i) {
    auto run = runs.create();
    run.setNumber(static_cast<int>(i));
    run.setName(textOf(i));
    run.setComment(textOf(i + 1));
    for (std::size_t k = 0; k < i % 4; ++k)
      run.addToSubdetectors(textOf(i + k));
    run.addToCurrents(static_cast<float>(i));
    if (i > 0)
      run.setPrevious(runs[i - 1]);
  }
  return runs;
}

void expectRuns(const RunCollection& runs, std::size_t count) {
  ASSERT_EQ(runs.size(), count);
  for (std::size_t i = 0; i < count; ++i) {
    const Run run = runs[i];
    EXPECT_EQ(run.getNumber(), static_cast<int>(i));
    EXPECT_EQ(run.getName(), textOf(i));
    EXPECT_EQ(run.getComment(), textOf(i + 1));
    ASSERT_EQ(run.subdetectors_size(), i % 4);
    for (std::size_t k = 0; k < i % 4; ++k)
      EXPECT_EQ(run.getSubdetectors(k), textOf(i + k));
    EXPECT_EQ(run.getCurrents(0), static_cast<float>(i));
    EXPECT_EQ(run.getPrevious().isAvailable(), i > 0);
  }
}

TEST(StringTest, beginsEmptyAndIsSet) {
  RunCollection runs;
  auto run = runs.create();
  EXPECT_EQ(run.getName(), "");
  EXPECT_TRUE(run.getSubdetectors().empty());

  run.setName("ILD");
  run.addToSubdetectors("ECAL");
  run.addToSubdetectors("");
  run.addToSubdetectors("HCAL");
  EXPECT_EQ(run.getName(), "ILD");
  EXPECT_EQ(run.getComment(), "");
  EXPECT_EQ(subdetectors(run), (Texts{"ECAL", "", "HCAL"}));
  EXPECT_THROW((void)run.getSubdetectors(3), std::out_of_range);

  run.setName("a longer name than before");
  EXPECT_EQ(run.getName(), "a longer name than before");
  run.setName("");
  EXPECT_EQ(run.getName(), "");
}

TEST(StringTest, isAnErrorToReadOfNoObject) {
  expectError(ErrorKind::usage, "there is no object", [] { (void)Run::makeEmpty().getName(); });
}

TEST(StringTest, takesAllMembersInTheOrderOfTheModel) {
  RunCollection runs;
  const auto run = runs.create(7, "for physics", 250.F, std::string("ILD"));
  EXPECT_EQ(run.getNumber(), 7);
  EXPECT_EQ(run.getComment(), "for physics");
  EXPECT_EQ(run.getEnergy(), 250.F);
  EXPECT_EQ(run.getName(), "ILD");

  const MutableRun loose(8, "cosmics", 0.F, "SiD");
  EXPECT_EQ(loose.getName(), "SiD");
  LabelCollection labels;
  EXPECT_EQ(labels.create("good").getName(), "good");
}

TEST(StringTest, mayBeSetToAnotherOneOfTheCollection) {
  RunCollection runs;
  runs.create().setName("the first one's name, which is long enough to be somewhere else");
  for (std::size_t i = 1; i < 100; ++i) {
    auto run = runs.create();
    run.setName(runs[i - 1].getName());
    run.addToSubdetectors(run.getName());
    run.addToSubdetectors(run.getSubdetectors(0));
  }
  EXPECT_EQ(runs[99].getName(), runs[0].getName());
  EXPECT_EQ(runs[99].getSubdetectors(1), runs[0].getName());
}

TEST(StringTest, mayBeSetManyTimesInTheMemoryOfAFew) {
  RunCollection runs;
  auto run = runs.create();
  // All texts together would exceed the number of characters that a collection can hold.
  const std::string text(60'000, 'x');
  for (std::size_t i = 0; i < 80'000; ++i)
    run.setName(std::string_view(text).substr(i % 100));
  EXPECT_EQ(run.getName().size(), text.size() - 79'999 % 100);
}

TEST(StringTest, isCopiedWithItsObject) {
  RunCollection runs = makeRuns(20);
  const auto copy = runs[6].clone();
  EXPECT_EQ(copy.getName(), textOf(6));
  EXPECT_EQ(copy.getSubdetectors(1), textOf(7));

  RunCollection pushed;
  pushed.push_back(runs[3].clone());
  EXPECT_EQ(pushed[0].getName(), textOf(3));
  EXPECT_EQ(subdetectors(pushed[0]), (Texts{textOf(3), textOf(4), textOf(5)}));

  const RunCollection all = runs.toCollection();
  expectRuns(all, 20);
  EXPECT_TRUE(all == runs);
  runs[19].setName("another");
  EXPECT_FALSE(all == runs);
}

TEST(StringTest, differsByTheStringsInAList) {
  RunCollection a, b;
  a.create().addToSubdetectors("ECAL");
  auto run = b.create();
  run.addToSubdetectors("HCAL");
  EXPECT_FALSE(a == b);
}

TEST(StringTest, staysWithItsObjectWhenTheCollectionIsSorted) {
  RunCollection runs = makeRuns(10);
  runs.sort(std::ranges::greater{}, &strings::Run::getNumber);
  runs.erase(9);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    EXPECT_EQ(runs[i].getName(), textOf(9 - i));
    EXPECT_EQ(runs[i].subdetectors_size(), (9 - i) % 4);
  }
  runs.sortBy(&strings::Run::getName);
  EXPECT_TRUE(std::ranges::is_sorted(runs, {}, &strings::Run::getName));
  const RunCollection subset = runs.filter([](const auto& run) { return run.getName().empty(); });
  EXPECT_EQ(subset.size(), 1U);
}

TEST(StringTest, isAMemberOfAnInterface) {
  RunCollection runs = makeRuns(2);
  LabelCollection labels;
  const Named run = runs[1];
  EXPECT_EQ(run.getName(), textOf(1));
  const Named label = labels.create("calibrated");
  EXPECT_EQ(label.getName(), "calibrated");
}

TEST(StringTest, isPrinted) {
  RunCollection runs;
  runs.create(7, "for physics", 250.F, "ILD");
  std::ostringstream out;
  out << runs;
  kaon::test::expectContains(out.str(), "for physics");
}

class StringFileTest : public testing::TestWithParam<Layout> {
protected:
  /// Writes events with increasing numbers of runs, in small clusters and pages.
  void writeEvents(std::size_t events) const {
    Writer writer(m_path, {.layout = GetParam(), .clusterEntries = 7, .pageBytes = 200});
    for (std::size_t i = 0; i < events; ++i) {
      Frame frame;
      frame.put(makeRuns(i), "Runs");
      writer.write(frame, "events");
    }
    writer.finish();
  }
  kaon::test::TemporaryDirectory m_directory;
  const std::string m_path = m_directory / "strings.kaon";
};

TEST_P(StringFileTest, isReadAsItWasWritten) {
  writeEvents(40);
  Reader reader(m_path);
  std::size_t event = 0;
  for (const Frame& frame : reader["events"])
    expectRuns(frame.get<RunCollection>("Runs"), event++);
  EXPECT_EQ(event, 40U);
}

TEST_P(StringFileTest, isCopiedFromFileToFile) {
  writeEvents(20);
  const std::string copy = m_directory / "copy.kaon";
  {
    Reader reader(m_path);
    Writer writer(copy);
    for (Frame& frame : reader["events"]) {
      frame.put(frame.get<RunCollection>("Runs").toCollection(), "Copies");
      writer.write(frame, "events");
    }
    writer.finish();
  }
  Reader reader(copy);
  std::size_t event = 0;
  for (const Frame& frame : reader["events"]) {
    expectRuns(frame.get<RunCollection>("Runs"), event);
    expectRuns(frame.get<RunCollection>("Copies"), event++);
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, StringFileTest,
                         testing::Values(Layout::split, Layout::member, Layout::row),
                         [](const auto& test) { return std::string(layoutName(test.param)); });

TEST(StringTest, hasItsUnitInFiles) {
  std::vector<std::string> units;
  for (const TableDefinition& table : tablesOf(Run::datatype(), "Runs", 0, Layout::split))
    if (!table.members.empty() && !table.members[0].unit.empty())
      units.push_back(table.name + ' ' + table.members[0].unit);
  EXPECT_EQ(units,
            (Texts{"Runs.comment Markdown", "Runs.currents A", "Runs.subdetectors.text ID"}));
}

class DamagedStrings : public testing::Test {
protected:
  /// Returns a file of an event with one run.
  static Forgery forged() {
    Frame frame;
    frame.put(makeRuns(4), "Runs");
    return Forgery(kaon::test::fileOf(std::move(frame)).bytes());
  }
  static Frame eventOf(const Forgery& file) { return eventsOf(file).at(0); }
  static kaon::Category eventsOf(const Forgery& file) {
    return {kaon::open(kaon::io::memorySource("memory.kaon", file.bytes())), "events"};
  }
  /// Changes the description of a table in the file.
  template <class Edit>
  static Forgery forgedWith(std::string_view table, Edit edit) {
    Forgery file = forged();
    file.editIndex([&](Forgery::Index& index) {
      for (TableDefinition& each : index.categories[0].tables)
        if (each.name == table)
          edit(each);
    });
    return file;
  }
  static std::string_view firstName(const Frame& frame) {
    return frame.get<RunCollection>("Runs")[1].getName();
  }
};

TEST_F(DamagedStrings, thatAreLongerThanTheirTextAreAnError) {
  for (const std::string table : {"Runs.name", "Runs.subdetectors.text"}) {
    Forgery file = forged();
    const kaon::Category honest = eventsOf(file);
    const auto& schema = honest.source().schema();
    const std::uint32_t counts = schema.countsColumn(schema.find(table));
    file.editCluster(0, [&](Forgery::Cluster& c) {
      const auto stored = c.stored(c.page(counts));
      stored.back() = std::byte{1}; // 16 million more characters in the last text
    });
    const Frame frame = eventOf(file);
    const auto run = frame.get<RunCollection>("Runs")[3];
    expectError(ErrorKind::corrupt, "'" + table + "'", [&] {
      (void)run.getName();
      (void)run.getSubdetectors(0);
    });
  }
}

TEST_F(DamagedStrings, thatHaveNoCharactersAreAnError) {
  const Forgery file = forgedWith("Runs.subdetectors.text", [](TableDefinition& table) {
    table = kaon::test::table(table.name, table.kind, table.type, {}, table.parent);
  });
  expectError(ErrorKind::corrupt, "does not have the characters of strings",
              [&] { (void)firstName(eventOf(file)); });
}

TEST_F(DamagedStrings, thatAreOfAnotherKindInTheProgramAreAnError) {
  const Forgery bytes =
      forgedWith("Runs.name", [](TableDefinition& table) { table.type = "uint8"; });
  expectError(ErrorKind::type, "'Runs.name' cannot be read: it was a vector of uint8, is a string",
              [&] { (void)firstName(eventOf(bytes)); });
  const Forgery text =
      forgedWith("Runs.currents", [](TableDefinition& table) { table.type = "string"; });
  const Frame frame = eventOf(text);
  expectError(ErrorKind::type,
              "'Runs.currents' cannot be read: it was a string, is a vector of float",
              [&] { (void)frame.get<RunCollection>("Runs")[0].getCurrents().size(); });
}

TEST_F(DamagedStrings, thatTheFileDoesNotHaveAreEmpty) {
  Forgery file = forged();
  file.editIndex([](Forgery::Index& index) {
    for (TableDefinition& table : index.categories[0].tables)
      if (table.name == "Runs.name" || table.name.starts_with("Runs.subdetectors"))
        table.name.replace(5, 1, "_");
  });
  const Frame frame = eventOf(file);
  const auto run = frame.get<RunCollection>("Runs")[1];
  EXPECT_EQ(run.getComment(), textOf(2));
  EXPECT_EQ(run.getName(), "");
  EXPECT_TRUE(run.getSubdetectors().empty());
}

} // namespace
