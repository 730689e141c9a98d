#include "OldFiles.h"
#include "detector/detector.h"
#include "support/Errors.h"

#include <kaon/kaon.h>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

// Reads files that a program with version 1 of a model wrote, in each layout, with the classes of
// version 3.

namespace {

using kaon::ErrorKind;
using kaon::test::expectError;

/// The layout of a file and the way to read it: frames convert columns to the classes, or get
/// columns that are converted already.
struct Way {
  std::string layout;
  bool isEvolved = false;
};
std::ostream& operator<<(std::ostream& out, const Way& way) {
  return out << way.layout << (way.isEvolved ? "Evolved" : "");
}

class Evolution : public evo::OldFilesTest<Way> {
protected:
  [[nodiscard]] static kaon::Category events() {
    const kaon::Reader reader = s_files->open(GetParam().layout);
    return (GetParam().isEvolved ? reader.evolved() : reader)["events"];
  }
};

INSTANTIATE_TEST_SUITE_P(Layouts, Evolution,
                         testing::Values(Way{"split"}, Way{"member"}, Way{"row"},
                                         Way{"split", true}, Way{"member", true}, Way{"row", true}),
                         testing::PrintToStringParamName());

TEST_P(Evolution, addsDropsAndReordersMembers) {
  int event = 0;
  for (const kaon::Frame& frame : events()) {
    const auto& members = frame.get<evo::MembersCollection>("Members");
    ASSERT_EQ(members.size(), 2U);
    EXPECT_EQ(members[0].first(), 1);
    EXPECT_EQ(members[1].first(), 10 + event);
    EXPECT_EQ(members[1].last(), 30.F);
    EXPECT_EQ(members[1].added(), 1.5);
    const evo::Place spot = members[1].spot();
    EXPECT_EQ((std::array{spot.x, spot.y, spot.z}), (std::array{40.F, 50.F, 60.F}));
    ++event;
  }
  EXPECT_EQ(event, 3);
}

TEST_P(Evolution, convertsNumbers) {
  int event = 0;
  for (const kaon::Frame& frame : events()) {
    const auto object = frame.get<evo::NumbersCollection>("Numbers")[1];
    EXPECT_EQ(object.wider(), -2);
    EXPECT_EQ(object.finer(), double{0.1F});
    EXPECT_EQ(object.real(), 1001.F);
    EXPECT_EQ(object.whole(), -5 + event);
    EXPECT_EQ(object.flag(), 1);
    EXPECT_TRUE(object.truth());
    EXPECT_EQ(object.many(), (std::array{1.F, 2.F, 4.F}));
    EXPECT_EQ(object.alone()[0], 9U);
    EXPECT_EQ(object.one(), 2.5F);
    EXPECT_EQ(object.cell(), (evo::Cell{1, 0.5}));
    ++event;
  }
}

TEST_P(Evolution, convertsNumbersInVectorMembers) {
  const kaon::Frame frame = events().at(2);
  const auto object = frame.get<evo::NumbersCollection>("Numbers")[1];
  ASSERT_EQ(object.counts().size(), 2U);
  EXPECT_EQ(object.counts(1), 21.F);
  ASSERT_EQ(object.cells().size(), 2U);
  EXPECT_EQ(object.cells(1), (evo::Cell{1, 1.5}));
}

TEST_P(Evolution, makesMembersOptionalAndBack) {
  const kaon::Frame frame = events().at(1);
  const auto& optionals = frame.get<evo::OptionalsCollection>("Optionals");
  EXPECT_EQ(optionals[0].nowOptional(), std::optional(2.5));
  EXPECT_EQ(optionals[0].wasOptional(), -1.); // missing: the default
  EXPECT_EQ(optionals[1].wasOptional(), 3.5);
}

TEST_P(Evolution, refusesValuesThatDoNotFit) {
  const kaon::Category category = events();
  EXPECT_EQ(category.at(0).get<evo::NumbersCollection>("Numbers")[1].narrower(), 100);
  const kaon::Frame frame = category.at(2);
  const auto& numbers = frame.get<evo::NumbersCollection>("Numbers");
  EXPECT_EQ(numbers[1].real(), 1001.F);
  expectError(ErrorKind::type,
              GetParam().layout + ".kaon:events: 'Numbers.narrower' holds the int64 200 in entry "
                                  "2, which does not fit into int8, the type in the model",
              [&] { (void)numbers[1].narrower(); });
}

TEST_P(Evolution, findsMembersByTheirOldNames) {
  int event = 0;
  for (const kaon::Frame& frame : events()) {
    const auto object = frame.get<evo::NamesCollection>("Names")[1];
    EXPECT_EQ(object.c(), 1 + event++);
    EXPECT_EQ(object.momentum(), (evo::New{1.F, 2.F, 0.F}));
    EXPECT_EQ(object.ends()[1], (evo::New{5.F, 6.F, 0.F}));
    EXPECT_EQ(object.clone().momentum(), (evo::New{1.F, 2.F, 0.F}));
  }
}

TEST_P(Evolution, findsVectorMembersAndRelationsByTheirOldNames) {
  const kaon::Frame frame = events().at(1);
  const auto& names = frame.get<evo::NamesCollection>("Names");
  EXPECT_EQ(names[1].points(0), (evo::New{7.F, 8.F, 0.F}));
  EXPECT_EQ(names[1].factors(0), 0.25F);
  EXPECT_EQ(names[1].parent(), names[0]);
  EXPECT_EQ(names[1].others(0).number(), 43);
}

TEST_P(Evolution, findsADatatypeByItsOldName) {
  const kaon::Frame frame = events().at(0);
  const auto& renamed = frame.get<evo::NewestNameCollection>("Renamed");
  EXPECT_EQ(renamed[0].number(), 42);
  EXPECT_EQ(frame.get<evo::NewestNameCollection>("Chosen")[0], renamed[0]);
  EXPECT_EQ(frame.getCollectionsOfType<evo::NewestNameCollection>(),
            (std::vector<std::string>{"Renamed", "Chosen"}));
}

TEST_P(Evolution, readsADatatypeAsLinks) {
  const kaon::Frame frame = events().at(0);
  const auto link = frame.get<evo::LinkCollection>("Links")[0];
  EXPECT_EQ(link.getWeight(), 0.5F);
  EXPECT_EQ(link.getFrom(), frame.get<evo::MembersCollection>("Members")[1]);
  EXPECT_EQ(link.getTo(), frame.get<evo::ValuesCollection>("Values")[0]);
}

TEST_P(Evolution, addsAndDropsVectorMembersAndRelations) {
  const kaon::Frame frame = events().at(1);
  const auto list = frame.get<evo::ListsCollection>("Lists")[0];
  EXPECT_EQ(list.number(), 1);
  EXPECT_EQ(list.kept(0), 1);
  EXPECT_EQ(list.kept(1), 2);
  EXPECT_TRUE(list.added().empty());
  EXPECT_FALSE(list.addedOne().isAvailable());
  EXPECT_EQ(list.keptMany(0).first(), 11);
  EXPECT_TRUE(list.addedMany().empty());
}

TEST_P(Evolution, computesMembersThatAFileLacks) {
  static const bool told = [] {
    kaon::onRead<evo::Values>("other", {"nowhere"}, [](int x) { return x; });
    kaon::onRead<evo::Values>("pt", {"px", "py"},
                              [](float px, double py) { return std::hypot(px, py); });
    return true;
  }();
  ASSERT_TRUE(told);
  const kaon::Frame frame = events().at(1);
  const auto value = frame.get<evo::ValuesCollection>("Values")[0];
  EXPECT_EQ(value.pt(), 5.);
  EXPECT_EQ(value.other(), 7); // the model's default: no file has the member 'nowhere'
}

TEST(OnRead, reportsMistakes) {
  const auto one = [](double x) { return x; };
  expectError(ErrorKind::name, "evo::Values has no member 'ptt' (did you mean 'pt'?)",
              [&] { kaon::onRead<evo::Values>("ptt", {"px"}, one); });
  expectError(ErrorKind::type, "'other' of evo::Values holds 1 int32, but the function returns",
              [&] { kaon::onRead<evo::Values>("other", {"px"}, one); });
  expectError(ErrorKind::usage, "computed from 2 members, but the function takes 1 argument", [&] {
    kaon::onRead<evo::Values>("pt", {"px", "py"}, one);
  });
}

TEST_P(Evolution, refusesAnArrayOfAnotherLengthAndTellsTheVersions) {
  const kaon::Frame frame = events().at(0);
  expectError(ErrorKind::type,
              "'Impossible.values' cannot be read: it was float32[3], is float32[4]; the file is "
              "of version 1 of the model 'detector', but is read with version 3",
              [&] { (void)frame.get<evo::ImpossibleCollection>("Impossible")[0].values(); });
}

TEST_P(Evolution, refusesARelationToAnotherType) {
  const kaon::Frame frame = events().at(0);
  const auto& targets = frame.get<evo::TargetCollection>("Targets");
  expectError(
      ErrorKind::type,
      "'Targets.target' cannot be read: it led to evo::Members, leads to evo::Values; the file is "
      "of version 1 of the model 'detector', but is read with version 3",
      [&] { (void)targets[0].target(); });
}

} // namespace
