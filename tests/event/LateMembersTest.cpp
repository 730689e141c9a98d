#include "support/Errors.h"
#include "support/Files.h"
#include "support/Warnings.h"

#include <kaon/event/FrameContents.h>
#include <kaon/kaon.h>
#include <kaon/object/GenericCollection.h>

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// Events that a later version of a model appends to files of an earlier version.

namespace {

using kaon::ErrorKind;
using kaon::Frame;
using kaon::GenericCollection;
using kaon::Layout;
using kaon::Reader;
using kaon::Writer;
using kaon::test::expectError;

/// Returns a model as JSON whose datatype `Hit` has these members, and more.
std::string model(int version, const std::string& members, const std::string& more = "") {
  return R"({"name": "late", "schema_version": )" + std::to_string(version) +
         R"(, "components": [{"name": "P", "members": [{"name": "x", "type": "float"},
            {"name": "y", "type": "float", "default": "2"}]}],
            "datatypes": [{"name": "Hit", "members": [)" +
         members + "]" + more + "}]}";
}
std::string member(const std::string& name, const std::string& type,
                   const std::string& value = "") {
  return R"({"name": ")" + name + R"(", "type": ")" + type + R"(", "default": ")" + value + R"("})";
}

const std::string first = model(1, member("id", "int32_t") + "," + member("e", "float"));
// The members have another order, and there are new ones of every kind.
const std::string second = model(
    2,
    member("e", "float") + "," + member("time", "double", "-1.5") + "," + member("id", "int32_t") +
        "," + member("at", "P") + "," +
        R"({"name": "edges", "type": "float", "arraySize": 2, "default": "7, 7"})",
    R"(, "vectorMembers": [)" + member("pulse", "int16_t") + "," + member("tags", "std::string") +
        R"(], "oneToOneRelations": [{"name": "next", "type": "Hit"}],
                  "oneToManyRelations": [{"name": "near", "type": "Hit"}])");

const kaon::Datatype& hitOf(const std::string& json) {
  return kaon::modelDatatypes({{"the model", json}}).get("Hit");
}

class LateMembers : public testing::TestWithParam<Layout> {
protected:
  /// Writes events with two hits each.
  void write(const std::string& json, int firstEvent, int lastEvent, bool append) const {
    Writer writer(m_path, {.layout = GetParam(), .clusterEntries = 2, .append = append});
    for (int event = firstEvent; event < lastEvent; ++event) {
      Frame frame;
      frame.put(hits(json, event), "Hits");
      writer.write(frame, "events");
    }
    writer.putDocument("model:late", json);
    writer.finish();
  }
  [[nodiscard]] static std::unique_ptr<GenericCollection> hits(const std::string& json, int event) {
    auto made = std::make_unique<GenericCollection>(hitOf(json));
    for (int i = 0; i < 2; ++i) {
      auto hit = made->create();
      hit.set("id", 10 * event + i);
      hit.set("e", 0.5F * static_cast<float>(event));
      if (json != second)
        continue;
      hit.set("time", 1. * event);
      hit.set("at.y", 3.F);
      hit.set("edges", std::array{1.F, 2.F});
      for (int k = 0; k < i + 1; ++k) {
        hit.add("pulse", static_cast<std::int16_t>(k));
        hit.add("tags", "tag " + std::to_string(event));
      }
      hit.relate("next", (*made)[0]);
      hit.relate("near", (*made)[0]);
    }
    return made;
  }

  kaon::test::TemporaryDirectory m_directory;
  std::string m_path = m_directory / "events.kaon";
};

INSTANTIATE_TEST_SUITE_P(Layouts, LateMembers,
                         testing::Values(Layout::split, Layout::member, Layout::row),
                         [](const auto& test) { return std::string(layoutName(test.param)); });

TEST_P(LateMembers, areReadInAllEvents) {
  write(first, 0, 3, false);
  write(second, 3, 5, true);
  write(second, 5, 6, true);
  for (const Reader& reader : {Reader(m_path), Reader(m_path).evolved()}) {
    int event = 0;
    for (const Frame& frame : reader["events"]) {
      const GenericCollection read(*frame.get("Hits"));
      ASSERT_EQ(read.size(), 2U);
      const bool isOld = event < 3;
      const auto hit = read[1];
      EXPECT_EQ(hit.get<std::int32_t>("id"), 10 * event + 1);
      EXPECT_EQ(hit.get<float>("e"), 0.5F * static_cast<float>(event));
      EXPECT_EQ(hit.get<double>("time"), isOld ? -1.5 : event);
      EXPECT_EQ(hit.get<float>("at.x"), 0.F);
      EXPECT_EQ(hit.get<float>("at.y"), isOld ? 2.F : 3.F);
      EXPECT_EQ((hit.get<std::array<float, 2>>("edges")),
                isOld ? (std::array{7.F, 7.F}) : (std::array{1.F, 2.F}));
      EXPECT_EQ(hit.getVector<std::int16_t>("pulse").size(), isOld ? 0U : 2U);
      EXPECT_EQ(hit.countOf("tags"), isOld ? 0U : 2U);
      if (!isOld) {
        EXPECT_EQ(hit.getVector<std::int16_t>("pulse")[1], 1);
        EXPECT_EQ(hit.getVector<std::string_view>("tags")[1], "tag " + std::to_string(event));
      }
      Frame clone = frame.clone();
      const auto taken =
          clone.contents().take("Hits", kaon::detail::genericCollectionType(hitOf(second)));
      ASSERT_TRUE(taken); // a member is not also a decoration
      EXPECT_EQ(GenericCollection(*taken)[1].get<double>("time"), isOld ? -1.5 : event);
      EXPECT_EQ(hit.relatedOne("next").isAvailable(), !isOld);
      EXPECT_EQ(hit.related("near").size(), isOld ? 0U : 1U);
      ++event;
    }
    EXPECT_EQ(event, 6);
  }
}

TEST_P(LateMembers, areMembersInColumnsOfTheFilesOwnModel) {
  write(first, 0, 1, false);
  write(second, 1, 2, true);
  const kaon::Category events = Reader(m_path).evolved()["events"];
  const auto& schema = events.source().schema();
  EXPECT_EQ(schema.table(schema.findCollection("Hits")).members.size(), 6U);
  EXPECT_EQ(schema.find("Hits.time"), kaon::Table::none); // no table of its own
  std::vector<double> times;
  std::vector<float> y;
  for (const kaon::Batch& batch : events.batches({"Hits"})) {
    std::ranges::copy(batch.values<double>("Hits.time"), std::back_inserter(times));
    std::ranges::copy(batch.values<float>("Hits.at.y"), std::back_inserter(y));
  }
  EXPECT_EQ(times, (std::vector{-1.5, -1.5, 1., 1.}));
  EXPECT_EQ(y, (std::vector{2.F, 2.F, 3.F, 3.F}));
}

TEST_P(LateMembers, areDecorationsToEarlierVersions) {
  write(first, 0, 1, false);
  write(second, 1, 2, true);
  kaon::test::Warnings warnings; // of the lists that the first version does not have
  const Reader reader = Reader(m_path).evolved({{"the first", first}});
  const Frame frame = reader["events"].at(1);
  const GenericCollection read(*frame.get("Hits"));
  EXPECT_EQ(read.datatype().leaves.size(), 2U);
  EXPECT_EQ(read[1].get<std::int32_t>("id"), 11);
  EXPECT_EQ(read.decoration<double>("time")[1], 1.);
}

// Knowledge about one model's objects must not be used for another model, whose description may
// have the first one's address.
TEST_P(LateMembers, areThoseOfTheModelThatIsGivenLast) {
  write(first, 0, 1, false);
  std::string members = member("id", "int32_t");
  for (int version = 2; version < 40; ++version) {
    members += "," + member("m" + std::to_string(version), "double", std::to_string(version));
    const Reader reader = Reader(m_path).evolved({{"the model", model(version, members)}});
    const Frame frame = reader["events"].at(0);
    const GenericCollection hits(*frame.get("Hits"));
    ASSERT_EQ(hits[1].get<double>("m" + std::to_string(version)), version);
    ASSERT_EQ(hits[1].get<std::int32_t>("id"), 1);
  }
}

TEST_P(LateMembers, stayWhereFramesAreCopied) {
  write(first, 0, 2, false);
  write(second, 2, 3, true);
  const std::string copy = m_directory / "copy.kaon";
  {
    Writer writer(copy, {});
    for (const Frame& frame : Reader(m_path)["events"])
      writer.write(frame, "events");
    Frame made; // of the later version, after the copied ones
    made.put(hits(second, 3), "Hits");
    writer.write(made, "events");
    writer.finish();
  }
  std::vector<double> times;
  for (const Frame& frame : Reader(copy)["events"])
    times.push_back(GenericCollection(*frame.get("Hits"))[0].get<double>("time"));
  EXPECT_EQ(times, (std::vector{-1.5, -1.5, 2., 3.}));
}

TEST_P(LateMembers, areAllThatCanChange) {
  write(first, 0, 1, false);
  const auto expectRefused = [&](const std::string& json, std::string_view what) {
    expectError(ErrorKind::usage, what, [&] {
      Writer writer(m_path, {.append = true});
      Frame frame;
      auto hits = std::make_unique<GenericCollection>(hitOf(json));
      hits->create();
      frame.put(std::move(hits), "Hits");
      writer.write(frame, "events");
    });
    kaon::test::writeFile(m_path, kaon::test::readFile(m_path)); // the original file
    write(first, 0, 1, false);
  };
  expectRefused(
      model(2, member("id", "int32_t")),
      "'Hits' was written with another version of Hit, in which 'Hits.e' exists; you can append "
      "only new members: first convert the file to the new model with kaon convert --model");
  expectRefused(model(3, member("id", "int64_t") + "," + member("e", "float")),
                "'Hits.id' is int32, not int64");
  expectRefused(
      model(4, member("id", "int32_t") + "," + member("e", "float") +
                   R"(,{"name": "v", "type": "float", "arraySize": 2, "default": "1, 2"})"),
      "'Hits.v' is new, and its default differs from element to element");
}

TEST_P(LateMembers, ofElementsOfListsCannotBeAppended) {
  const auto withLists = [](int version, const std::string& component) {
    return R"({"name": "late", "schema_version": )" + std::to_string(version) +
           R"(, "components": [{"name": "Q", "members": [)" + component +
           R"(]}], "datatypes": [{"name": "Hit", "members": [)" + member("id", "int32_t") + "," +
           member("e", "float") + R"(], "vectorMembers": [)" + member("parts", "Q") + "]}]}";
  };
  write(withLists(1, member("a", "float")), 0, 1, false);
  Writer writer(m_path, {.append = true});
  Frame frame;
  frame.put(hits(withLists(2, member("a", "float") + "," + member("b", "float")), 1), "Hits");
  expectError(ErrorKind::usage, "elements of 'Hits.parts' have fewer members",
              [&] { writer.write(frame, "events"); });
}

} // namespace
