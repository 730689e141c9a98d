#include "support/Errors.h"
#include "support/Files.h"
#include "support/Forgery.h"
#include "support/Tables.h"
#include "support/TestEvents.h"

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>
#include <kaon/formats/kaonfile/FileReader.h>
#include <kaon/io/ByteSource.h>

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

// Events in files with correct checksums and wrong contents, or with damaged pages.

namespace {

using kaon::Category;
using kaon::ErrorKind;
using kaon::Frame;
using kaon::Table;
using kaon::TableDefinition;
using kaon::Writer;
using kaon::test::expectError;
using kaon::test::Forgery;
using test::HitCollection;
using test::ParticleCollection;
using test::TrackCollection;

constexpr auto unknown = static_cast<kaon::kaonfile::Encoding>(99);

class DamagedEvent : public testing::Test {
protected:
  /// Returns two hits, the first of them related to the second of two particles, and a track.
  [[nodiscard]] Frame someEvent() const {
    ParticleCollection particles;
    HitCollection hits;
    TrackCollection tracks;
    particles.create(11, 1.);
    const auto particle = particles.create(13, 2.);
    auto hit = hits.create(7U, 1.F);
    hit.setParticle(particle);
    hits.create(8U, 2.F);
    tracks.create().addToHits(hit);
    Frame frame;
    frame.put(std::move(hits), "Hits");
    frame.put(std::move(particles), "Particles");
    frame.put(std::move(tracks), "Tracks");
    frame.putParameter("title", "text");
    frame.putParameter("number", 5);
    return frame;
  }
  [[nodiscard]] Forgery forged(std::size_t clusterBytes = 1, int events = 1) const {
    Writer writer(m_path, {.codec = kaon::uncompressed(), .clusterBytes = clusterBytes});
    for (int i = 0; i < events; ++i)
      writer.write(someEvent(), "events");
    writer.finish();
    const std::string bytes = kaon::test::readFile(m_path);
    return Forgery(std::as_bytes(std::span(bytes)));
  }
  /// Returns clusters of two events; the second event has no hits.
  [[nodiscard]] Forgery forgedWithGaps(int clusters) const {
    Writer writer(m_path, {.codec = kaon::uncompressed(), .clusterEntries = 2});
    for (int i = 0; i < clusters; ++i) {
      writer.write(someEvent(), "events");
      writer.write(someEvent(), "events", {"Particles", "Tracks"});
    }
    writer.finish();
    const std::string bytes = kaon::test::readFile(m_path);
    return Forgery(std::as_bytes(std::span(bytes)));
  }
  static Category eventsOf(const Forgery& file) {
    return {kaon::open(kaon::io::memorySource("memory.kaon", file.bytes())), "events"};
  }
  /// Returns the column of a member in the files made by forged().
  [[nodiscard]] static std::uint32_t columnOf(const Forgery& file, const std::string& member) {
    const auto category = eventsOf(file);
    const auto& schema = category.source().schema();
    const auto [table, number] = schema.memberNamed(member);
    return schema.place(table, number).column;
  }
  /// Sets all values of a member.
  template <class T>
  static void set(Forgery& file, const std::string& member, T value, std::size_t cluster = 0) {
    const std::uint32_t column = columnOf(file, member);
    file.editCluster(cluster, [&](Forgery::Cluster& c) {
      const auto stored = c.stored(c.page(column));
      for (std::size_t i = 0; i + sizeof value <= stored.size(); i += sizeof value)
        std::memcpy(stored.data() + i, &value, sizeof value);
    });
  }
  /// Expects that copying the first event is refused, even without reading its objects.
  void expectCopyRefused(const Forgery& file, ErrorKind kind, std::string_view part) const {
    Writer writer(m_path + ".copy");
    expectError(kind, part, [&] { writer.write(eventsOf(file).at(0), "events"); });
  }

  kaon::test::TemporaryDirectory m_directory;
  std::string m_path = m_directory / "events.kaon";
};

TEST_F(DamagedEvent, whoseRelationLeadsBeyondTheCollectionIsAnError) {
  Forgery file = forged();
  for (const std::int32_t index : {2, 1000, 0x7fffffff}) {
    set(file, "Hits.particle.index", index);
    const Frame frame = eventsOf(file).at(0);
    const auto& hits = frame.get<HitCollection>("Hits");
    expectError(ErrorKind::corrupt,
                "memory.kaon:events: entry 0 refers to object " + std::to_string(index) +
                    " of 'Particles', which has 2",
                [&] { (void)hits[0].getParticle(); });
    expectError(ErrorKind::corrupt, "refers to object", [&] { (void)hits[0].clone(); });
  }
}

TEST_F(DamagedEvent, whoseRelationIsNegativeLeadsToNothing) {
  Forgery file = forged();
  set(file, "Hits.particle.index", std::int32_t{-77});
  const Frame frame = eventsOf(file).at(0);
  EXPECT_FALSE(frame.get<HitCollection>("Hits")[0].getParticle().isAvailable());
}

TEST_F(DamagedEvent, whoseRelationLeadsToNoCollectionIsAnError) {
  Forgery file = forged();
  const auto category = eventsOf(file);
  const auto tables = category.source().schema().tables();
  for (std::uint32_t number = 0; number < tables.size() + 2; ++number) {
    if (number < tables.size() && tables[number].kind == kaon::TableKind::collection)
      continue;
    set(file, "Hits.particle.index", std::int32_t{0});
    set(file, "Hits.particle.collection", number);
    const Frame frame = eventsOf(file).at(0);
    const auto& hits = frame.get<HitCollection>("Hits");
    expectError(ErrorKind::corrupt, "refers to a collection that does not exist",
                [&] { (void)hits[0].getParticle(); });
    expectCopyRefused(file, ErrorKind::corrupt, "refers to a collection that does not exist");
  }
}

TEST_F(DamagedEvent, whoseRelationLeadsToACollectionOfAnotherTypeIsAnError) {
  Forgery file = forged();
  const auto category = eventsOf(file);
  set(file, "Hits.particle.collection", category.source().schema().find("Tracks"));
  const Frame frame = eventsOf(file).at(0);
  const auto& hits = frame.get<HitCollection>("Hits");
  expectError(ErrorKind::type, "'Tracks' is a collection of test::Track, not of test::Particle",
              [&] { (void)hits[0].getParticle(); });
}

TEST_F(DamagedEvent, whoseToManyRelationLeadsBeyondTheCollectionIsAnError) {
  Forgery file = forged();
  set(file, "Tracks.hits.index", std::int32_t{2});
  const Frame frame = eventsOf(file).at(0);
  const auto track = frame.get<TrackCollection>("Tracks")[0];
  EXPECT_EQ(track.hits_size(), 1U);
  expectError(ErrorKind::corrupt, "refers to object 2 of 'Hits', which has 2",
              [&] { (void)track.getHits(0); });
}

TEST_F(DamagedEvent, whoseTablesLackMembersReadsThemAsDefaults) {
  Forgery file = forged();
  file.editIndex([](Forgery::Index& index) {
    for (TableDefinition& table : index.categories[0].tables)
      if (table.name == "Hits.particle")
        table.name = "Hits.elsewhere";
  });
  const Frame frame = eventsOf(file).at(0);
  const auto hit = frame.get<HitCollection>("Hits")[0];
  EXPECT_EQ(hit.getCell(), 7U);
  EXPECT_FALSE(hit.getParticle().isAvailable());
}

TEST_F(DamagedEvent, whoseStringsHaveNoCharactersIsAnError) {
  Forgery file = forged();
  file.editIndex([](Forgery::Index& index) {
    for (TableDefinition& table : index.categories[0].tables)
      if (table.name == "title.text")
        table = kaon::test::table(table.name, table.kind, table.type, {}, table.parent);
  });
  const Frame frame = eventsOf(file).at(0);
  expectError(ErrorKind::corrupt, "the strings of 'title' are missing",
              [&] { (void)frame.getParameter<std::string>("title"); });
}

TEST_F(DamagedEvent, whoseParameterIsNotOfItsTypeIsAnError) {
  const auto forge = [&](auto edit) {
    Forgery file = forged();
    file.editIndex([&](Forgery::Index& index) {
      for (TableDefinition& table : index.categories[0].tables)
        if (table.name == "number")
          edit(table);
    });
    return file;
  };
  const Forgery other =
      forge([](TableDefinition& table) { table.members[0].type = kaon::Scalar::Float32; });
  expectError(ErrorKind::corrupt, "parameter 'number' does not match its type",
              [&] { (void)eventsOf(other).at(0).getParameter<int>("number"); });
  const Forgery none = forge([](TableDefinition& table) {
    table = kaon::test::table(table.name, table.kind, table.type, {});
  });
  expectError(ErrorKind::corrupt, "parameter 'number' does not match its type",
              [&] { (void)eventsOf(none).at(0).getParameter<int>("number"); });
}

TEST_F(DamagedEvent, saysSoAsOftenAsItIsAsked) {
  Forgery file = forged();
  file.editCluster(
      0, [&](Forgery::Cluster& c) { c.page(columnOf(file, "Hits.cell")).encoding = unknown; });
  const Frame frame = eventsOf(file).at(0);
  const auto& hits = frame.get<HitCollection>("Hits");
  for (int i = 0; i < 3; ++i)
    expectError(ErrorKind::corrupt, "the page of 'Hits.cell'", [&] { (void)hits[0].getCell(); });
  EXPECT_EQ(hits[1].getEnergy(), 2.F); // the rest can be read
}

TEST_F(DamagedEvent, doesNotKeepOthersFromBeingRead) {
  Forgery file = forged(1, 3);
  file.editCluster(
      1, [&](Forgery::Cluster& c) { c.page(columnOf(file, "Hits.cell")).encoding = unknown; });
  const auto category = eventsOf(file);
  for (const std::uint64_t event : {0, 2})
    EXPECT_EQ(category.at(event).get<HitCollection>("Hits")[0].getCell(), 7U);
  int read = 0;
  for (const Frame& frame : category) {
    try {
      read += frame.get<HitCollection>("Hits")[0].getCell() == 7;
    } catch (const kaon::Error&) {
    }
  }
  EXPECT_EQ(read, 2);
}

// If a loop cannot go on, its frame must not present one event's objects as another's.
TEST_F(DamagedEvent, neverShowsObjectsOfTheOneBefore) {
  for (const bool isCounts : {false, true}) {
    Forgery file = forgedWithGaps(3);
    const auto honest = eventsOf(file);
    const kaon::Schema& schema = honest.source().schema();
    const std::uint32_t hits = schema.find("Hits");
    file.editCluster(1, [&](Forgery::Cluster& c) {
      c.page(isCounts ? schema.countsColumn(hits) : schema.presenceColumn(hits)).encoding = unknown;
    });
    const auto damaged = eventsOf(file);
    auto iterator = damaged.begin();
    const auto firstCell = [&] { return iterator->get<HitCollection>("Hits")[0].getCell(); };
    const auto lastPdg = [&] { return iterator->get<ParticleCollection>("Particles")[1].getPDG(); };
    EXPECT_EQ(firstCell(), 7U);
    EXPECT_EQ(lastPdg(), 13);
    ++iterator;
    EXPECT_EQ(iterator->getIfPresent<HitCollection>("Hits"), nullptr);
    for (int event = 2; event < 4; ++event) {
      ++iterator;
      expectError(ErrorKind::corrupt, "the page of 'Hits'", [&] { (void)firstCell(); });
      EXPECT_EQ(lastPdg(), 13);
    }
    ++iterator;
    EXPECT_EQ(firstCell(), 7U);
    EXPECT_EQ(lastPdg(), 13);
  }
}

} // namespace
