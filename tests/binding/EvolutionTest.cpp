#include "support/Errors.h"
#include "support/MemorySink.h"
#include "support/Tables.h"
#include "support/Warnings.h"
#include "testmodel/testmodel.h"

#include <kaon/event/Reader.h>
#include <kaon/formats/kaonfile/FileWriter.h>
#include <kaon/writing/BatchBuilder.h>

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

// Reads files of other model versions, or of other programs, with this program's classes.

namespace {

using kaon::Category;
using kaon::ErrorKind;
using kaon::Frame;
using kaon::Layout;
using kaon::Scalar;
using kaon::Table;
using kaon::TableKind;
using kaon::detail::BatchBuilder;
using kaon::test::expectError;
using kaon::test::Field;
using test::HitCollection;
using test::TrackCollection;

/// A file in memory with one event; `fill` makes the event.
class Made {
public:
  template <class Fill>
  explicit Made(Fill fill, const std::string& model = "")
      : m_bytes(std::make_shared<kaon::Buffer>()) {
    kaon::kaonfile::FileWriter writer(std::make_unique<kaon::test::MemorySink>(m_bytes));
    BatchBuilder builder;
    fill(builder);
    builder.endEntry();
    writer.write("events", builder.batch(0));
    if (!model.empty())
      writer.addDocument("model:testmodel", model);
    writer.finish();
  }
  [[nodiscard]] Frame event() const {
    return Category(kaon::test::openBytes(m_bytes->bytes()), "events").at(0);
  }

private:
  std::shared_ptr<kaon::Buffer> m_bytes;
};

/// Adds a collection with these members and two zeroed objects; returns their memory.
std::byte* addObjects(BatchBuilder& builder, const std::string& type,
                      const std::vector<Field>& fields, Layout layout = Layout::split) {
  const std::uint32_t table = builder.add(
      kaon::test::table("Things", TableKind::collection, type, fields, Table::none, layout));
  builder.setPresent(table);
  const std::size_t size = 2 * builder.schema().table(table).rowSize;
  std::byte* const rows = builder.append(table, 2);
  std::memset(rows, 0, size);
  return rows;
}

TEST(Evolution, readsAMissingMemberAsItsDefault) {
  for (const Layout layout : {Layout::split, Layout::row}) {
    const Made file([&](BatchBuilder& builder) {
      std::byte* const rows =
          addObjects(builder, "test::Particle", {{"PDG", Scalar::Int32}}, layout);
      const std::int32_t pdg = 11;
      std::memcpy(rows + builder.schema().table(0).rowSize, &pdg, sizeof pdg);
    });
    const Frame frame = file.event();
    const auto& particles = frame.get<test::ParticleCollection>("Things");
    ASSERT_EQ(particles.size(), 2U);
    EXPECT_EQ(particles[1].getPDG(), 11);
    EXPECT_EQ(particles[1].getCharge(), -3); // the model's default
    EXPECT_EQ(particles[1].getEnergy(), 0.);
    EXPECT_EQ(particles[1].getVertex(), test::Vector3f{});
    EXPECT_TRUE(particles[1].getParents().empty());
    EXPECT_EQ(particles[1].clone().getCharge(), -3);
  }
}

TEST(Evolution, ignoresAMemberThatIsTooMuch) {
  for (const Layout layout : {Layout::split, Layout::row}) {
    const Made file([&](BatchBuilder& builder) {
      std::byte* const rows = addObjects(builder, "test::Hit",
                                         {{"color", Scalar::Int16},
                                          {"energy", Scalar::Float32},
                                          {"cell", Scalar::UInt64},
                                          {"momentum", Scalar::Float32, 3}},
                                         layout);
      const std::uint64_t cell = 5;
      std::memcpy(rows + 8, &cell, sizeof cell);
    });
    const Frame frame = file.event();
    const auto hit = frame.get<HitCollection>("Things")[0];
    EXPECT_EQ(hit.getCell(), 5U);
    EXPECT_FALSE(hit.getParticle().isAvailable());
  }
}

TEST(Evolution, readsMissingListsAsEmpty) {
  const Made file([](BatchBuilder& builder) { addObjects(builder, "test::Track", {}); });
  const Frame frame = file.event();
  const auto track = frame.get<TrackCollection>("Things")[1];
  EXPECT_EQ(track.getFit(), test::Fit{});
  EXPECT_TRUE(track.getResiduals().empty());
  EXPECT_TRUE(track.getStates().empty());
  EXPECT_TRUE(track.getHits().empty());
  EXPECT_FALSE(track.getParticle().isAvailable());
}

TEST(Evolution, readsMissingMembersOfListElementsAsTheirDefaults) {
  const Made file([](BatchBuilder& builder) {
    addObjects(builder, "test::Track", {});
    const std::uint32_t states = builder.add(kaon::test::table(
        "Things.states", TableKind::vectorMember, "test::Fit", {{"quality", Scalar::Int8}}, 0));
    std::byte* const row = builder.append(states, 3);
    std::memset(row, 7, 3 * builder.schema().table(states).rowSize);
    builder.endRow(states, 1);
    builder.endRow(states, 2);
  });
  const Frame frame = file.event();
  const auto track = frame.get<TrackCollection>("Things")[1];
  ASSERT_EQ(track.states_size(), 2U);
  test::Fit expected{};
  expected.quality = 7;
  EXPECT_EQ(track.getStates(1), expected);
}

TEST(Evolution, refusesAValueThatDoesNotFit) {
  const Made file([](BatchBuilder& builder) {
    std::byte* const rows = addObjects(builder, "test::Particle", {{"PDG", Scalar::Int64}});
    const std::int64_t large = 1LL << 40;
    std::memcpy(rows + 8, &large, sizeof large);
  });
  const Frame frame = file.event();
  const auto& particles = frame.get<test::ParticleCollection>("Things");
  expectError(ErrorKind::type,
              "memory.kaon:events: 'Things.PDG' holds the int64 1099511627776 in entry 0, which "
              "does not fit into int32",
              [&] { (void)particles[0].getPDG(); });
}

TEST(Evolution, warnsOnceOfMembersNewerThanTheProgram) {
  const Made file(
      [](BatchBuilder& builder) {
        addObjects(builder, "test::Hit", {{"cell", Scalar::UInt64}, {"colour", Scalar::Int8}});
        builder.add(kaon::test::relation("Things.origin", TableKind::oneRelation, 0));
        builder.append(1, 2);
      },
      R"({"name":"testmodel","schema_version": 4})");
  kaon::test::Warnings warnings;
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(file.event().get<HitCollection>("Things").size(), 2U);
  EXPECT_EQ(warnings.kinds(), std::vector{kaon::WarningKind::unreadMember});
  EXPECT_EQ(
      warnings.take(),
      std::vector<std::string>{
          "memory.kaon:events: 'colour', 'origin' of test::Hit are not read: the model does "
          "not have them; the file is of version 4 of the model 'testmodel', but is read with "
          "version 3"});
}

TEST(Evolution, warnsOfMembersThatOnlyOlderFilesHave) {
  const Made file(
      [](BatchBuilder& builder) {
        addObjects(builder, "test::Hit", {{"flavour", Scalar::Int8}});
      },
      R"({"name":"testmodel","schema_version":2})");
  kaon::test::Warnings warnings;
  EXPECT_EQ(file.event().get<HitCollection>("Things").size(), 2U);
  EXPECT_EQ(warnings.kinds(), std::vector{kaon::WarningKind::unreadMember});
}

TEST(Evolution, warnsOnceOfMembersThatSeemToBeRenamed) {
  const Made file(
      [](BatchBuilder& builder) {
        addObjects(builder, "test::Track", {});
        builder.add(kaon::test::relation("Things.points", TableKind::manyRelation, 0, "test::Hit"));
        builder.endRow(1);
        builder.endRow(1);
      },
      R"({"name":"testmodel","schema_version":2})");
  kaon::test::Warnings warnings;
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(file.event().get<TrackCollection>("Things").size(), 2U);
  EXPECT_EQ(warnings.kinds(), std::vector{kaon::WarningKind::unreadMember});
  EXPECT_EQ(warnings.take(),
            std::vector<std::string>{
                "memory.kaon:events: 'points' of test::Track is not read: the model does not have "
                "it; if 'points' is 'hits' now, a migration 'rename_member' keeps it; the file is "
                "of version 2 of the model 'testmodel', but is read with version 3"});
}

TEST(Evolution, refusesAnArrayOfAnotherLength) {
  const Made file([](BatchBuilder& builder) {
    addObjects(builder, "test::Hit", {{"momentum", Scalar::Float32, 4}});
  });
  const Frame frame = file.event();
  const auto& hits = frame.get<HitCollection>("Things");
  EXPECT_EQ(hits[0].getCell(), 0U); // other members are readable
  expectError(ErrorKind::type, "'Things.momentum' cannot be read: it was float32[4], is float32[3]",
              [&] { (void)hits[0].getMomentum(); });
}

TEST(Evolution, refusesAListThatIsARelation) {
  const Made file([](BatchBuilder& builder) {
    addObjects(builder, "test::Track", {});
    const std::uint32_t states =
        builder.add(kaon::test::relation("Things.states", TableKind::manyRelation, 0));
    builder.endRow(states);
    builder.endRow(states);
  });
  const Frame frame = file.event();
  const auto& tracks = frame.get<TrackCollection>("Things");
  expectError(ErrorKind::type,
              "'Things.states' cannot be read: it was a relation to many Thing, is a vector of "
              "test::Fit",
              [&] { (void)tracks[0].states_size(); });
}

TEST(Evolution, refusesADatatypeOfAnotherName) {
  const Made file([](BatchBuilder& builder) { addObjects(builder, "old::Track", {}); });
  const Frame frame = file.event();
  EXPECT_EQ(frame.getAvailableCollections(), std::vector<std::string>{"Things"});
  expectError(ErrorKind::type, "'Things' is a collection of old::Track, not of test::Track",
              [&] { (void)frame.get<TrackCollection>("Things"); });
}

TEST(Evolution, leavesParametersOfUnknownTypesAlone) {
  const Made file([](BatchBuilder& builder) {
    const std::uint32_t x = builder.add(kaon::test::parameter("x", Scalar::Int16));
    builder.setPresent(x);
    std::memset(builder.append(x, 1), 1, 2);
  });
  const Frame frame = file.event();
  EXPECT_EQ(frame.getParameter<int>("x"), std::nullopt);
  EXPECT_TRUE(frame.getParameterKeys<int>().empty());
}

} // namespace
