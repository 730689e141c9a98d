#include "shower/CellCollection.h"
#include "shower/CellLinkCollection.h"
#include "shower/ShowerCollection.h"
#include "support/Files.h"

#include <podio/CollectionBase.h>
#include <podio/Frame.h>
#include <podio/LinkCollection.h>
#include <podio/LinkNavigator.h>
#include <podio/ObjectID.h>
#include <podio/ROOTReader.h>
#include <podio/ROOTWriter.h>
#include <podio/Reader.h>
#include <podio/RelationRange.h>
#include <podio/UserDataCollection.h>
#include <podio/Writer.h>
#include <podio/podioVersion.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

// A program written for podio works unchanged with kaon's headers that have podio's names.

PODIO_DECLARE_LINK(shower::Shower, shower::Cell)

namespace {

float sum(podio::RelationRange<shower::Cell> cells) {
  float energy = 0;
  for (const auto& cell : cells)
    energy += cell.getEnergy();
  return energy;
}

std::size_t sizeOf(const podio::CollectionBase& collection) { return collection.size(); }

podio::Frame makeEvent(int number) {
  shower::CellCollection cells;
  shower::ShowerCollection showers;
  shower::CellLinkCollection links;
  podio::UserDataCollection<std::uint64_t> ids;
  auto shower = showers.create();
  for (int i = 0; i <= number; ++i) {
    auto cell = cells.create();
    cell.setEnergy(2.F);
    cell.setAt(shower::Point(0, 4));
    cell.setX(3);
    shower.addToCells(cell);
    shower.addToWeights(0.5F);
    auto link = links.create();
    link.setFrom(cell);
    link.setTo(shower);
    link.setWeight(0.25F);
    ids.push_back(42);
  }
  const podio::ObjectID id = cells[0].getObjectID();
  shower.setSeed(id);
  podio::Frame event;
  event.put(std::move(cells), "Cells");
  event.put(std::move(showers), "Showers");
  event.put(std::move(links), "Links");
  event.put(std::move(ids), "IDs");
  event.putParameter("number", number);
  return event;
}

TEST(PodioNames, serveAProgramThatWritesAndReads) {
  const kaon::test::TemporaryDirectory directory;
  const std::string path = directory / "events.kaon";
  auto writer = podio::makeWriter(path);
  for (int i = 0; i < 2; ++i)
    writer.writeFrame(makeEvent(i), podio::Category::Event);
  writer.writeEvent(makeEvent(2), {"Cells"});
  writer.writeFrame(podio::Frame(), podio::Category::Run);
  writer.finish();

  auto reader = podio::makeReader(path);
  EXPECT_EQ(reader.getEvents(), 3);
  EXPECT_EQ(reader.getEntries(podio::Category::Run), 1);
  EXPECT_EQ(reader.getAvailableCategories(), (std::vector<std::string_view>{"events", "runs"}));
  for (int i = 0; i < 2; ++i) {
    const podio::Frame event = reader.readNextEvent({"Showers", "Cells", "Links", "IDs"});
    EXPECT_EQ(event.getParameter<int>("number"), i);
    const auto& showers = event.get<shower::ShowerCollection>("Showers");
    EXPECT_EQ(sum(showers[0].getCells()), 2.F * static_cast<float>(i + 1));
    EXPECT_EQ(showers[0].getSeed().index, 0);
    const auto& cells = event.get<shower::CellCollection>("Cells");
    EXPECT_EQ(cells[0].rho(), 5);
    EXPECT_EQ(sizeOf(cells), i + 1);
    const podio::LinkNavigator navigator{event.get<shower::CellLinkCollection>("Links")};
    for (const auto& [shower, weight] : navigator.getLinked(cells[0])) {
      EXPECT_EQ(shower, showers[0]);
      EXPECT_EQ(weight, 0.25F);
    }
    const auto& ids = event.get<podio::UserDataCollection<std::uint64_t>>("IDs");
    EXPECT_EQ(ids.vec(), std::vector<std::uint64_t>(static_cast<std::size_t>(i) + 1, 42));
  }
  EXPECT_EQ(reader.readNextEvent().getAvailableCollections(), std::vector<std::string>{"Cells"});
  EXPECT_THROW((void)reader.readNextEvent(), std::runtime_error);
  EXPECT_EQ(reader.readEvent(1).getParameter<int>("number"), 1);
}

TEST(PodioNames, haveOnlyTheCollectionsThatAreToBeRead) {
  const kaon::test::TemporaryDirectory directory;
  auto writer = podio::makeWriter(directory / "events.kaon");
  for (int i = 0; i < 2; ++i)
    writer.writeEvent(makeEvent(i));
  writer.finish();
  auto reader = podio::makeReader(directory / "events.kaon");
  const podio::Frame event = reader.readNextEvent({"Showers"});
  EXPECT_EQ(event.getAvailableCollections(), std::vector<std::string>{"Showers"});
  EXPECT_EQ(event.get("Cells"), nullptr);
  EXPECT_EQ(event.getParameter<int>("number"), 0);
  EXPECT_EQ(reader.readEvent(1, {"IDs", "Cells"}).getAvailableCollections(),
            (std::vector<std::string>{"Cells", "IDs"}));
  EXPECT_THROW((void)reader.readEvent(1, {"Cell"}), std::runtime_error);
  EXPECT_EQ(reader.readEvent(1).getAvailableCollections().size(), 4U); // as without a selection

  podio::ROOTReader byEntries;
  byEntries.openFile(directory / "events.kaon");
  for (const char* const name : {"Showers", "Cells"})
    EXPECT_EQ(podio::Frame(byEntries.readNextEntry("events", {name})).getAvailableCollections(),
              std::vector<std::string>{name});
  EXPECT_EQ(podio::Frame(byEntries.readEntry("events", 0, {"IDs"})).getAvailableCollections(),
            std::vector<std::string>{"IDs"});
  EXPECT_THROW((void)byEntries.readEntry("events", 0, {"Cell"}), std::runtime_error);
}

/// Expects the same from files called "events.root", as podio writes them, and from others.
void expectReadBack(const std::string& path) {
  podio::ROOTWriter writer(path);
  for (int i = 0; i < 4; ++i)
    writer.writeFrame(makeEvent(i), podio::Category::Event);
  writer.writeFrame(makeEvent(7), "others");
  writer.finish();
  podio::ROOTReader reader;
  EXPECT_EQ(reader.readNextEntry("events"), nullptr); // no file is open yet
  reader.openFile(path);
  EXPECT_EQ(reader.getEntries(podio::Category::Event), 4U);
  EXPECT_EQ(reader.getEntries("nothing"), 0U);
  EXPECT_EQ(reader.readNextEntry("nothing"), nullptr);
  for (int i = 0; i < 4; ++i) {
    const auto event = podio::Frame(reader.readNextEntry(podio::Category::Event));
    EXPECT_EQ(event.getParameter<int>("number"), i);
    const auto& showers = event.get<shower::ShowerCollection>("Showers");
    EXPECT_EQ(showers[0].getCells(0), event.get<shower::CellCollection>("Cells")[0]);
  }
  EXPECT_EQ(reader.readNextEntry("events"), nullptr);
  EXPECT_EQ(podio::Frame(reader.readEntry("events", 1)).getParameter<int>("number"), 1);
  EXPECT_EQ(podio::Frame(reader.readNextEntry("events")).getParameter<int>("number"), 2);
  EXPECT_EQ(reader.readEntry("events", 4), nullptr);
  EXPECT_EQ(podio::Frame(reader.readNextEntry("others")).getParameter<int>("number"), 7);
}

TEST(PodioNames, serveAProgramThatNamesRootsFiles) {
  const kaon::test::TemporaryDirectory directory;
  expectReadBack(directory / "events.root");
  expectReadBack(directory / "events.kaon");
  EXPECT_EQ(kaon::Reader(directory / "events.root").file().format(), "root");
}

#if PODIO_BUILD_VERSION < PODIO_VERSION(1, 0, 0)
#error "kaon's names are those of podio 1"
#endif

TEST(PodioNames, serveAProgramThatAsksForVersions) {
  using podio::version::Version, podio::version::build_version;
  static_assert(build_version > Version{0, 99, 1} && build_version != Version{1, 0});
  EXPECT_EQ(std::string(build_version), "1.7.0");
  const kaon::test::TemporaryDirectory directory;
  for (const char* const name : {"events.root", "events.kaon", "old.kaon"}) {
    kaon::Writer writer(directory / name);
    writer.write(makeEvent(0), podio::Category::Event);
    if (name == std::string("old.kaon"))
      writer.metadata().set("podio", "0.17.4"); // like a file made from podio's files
    writer.finish();
    const Version expected = name == std::string("old.kaon") ? Version{0, 17, 4} : build_version;
    const auto reader = podio::makeReader(directory / name);
    EXPECT_EQ(reader.currentFileVersion(), expected) << name;
    EXPECT_EQ(reader.currentFileVersion("shower"), std::nullopt); // the model states no version
    EXPECT_EQ(reader.currentFileVersion("nothing"), std::nullopt);
    podio::ROOTReader rootReader;
    rootReader.openFile(directory / name);
    EXPECT_EQ(rootReader.currentFileVersion(), expected);
  }
}

TEST(PodioNames, areThoseOfTypes) {
  using shower::Cell, shower::MutableCell, shower::CellCollection;
  static_assert(Cell::typeName == "shower::Cell");
  static_assert(CellCollection::typeName == "shower::CellCollection");
  static_assert(CellCollection::valueTypeName == "shower::Cell");
  static_assert(CellCollection::dataTypeName == "shower::CellData");
  static_assert(std::is_same_v<Cell::mutable_type, MutableCell>);
  static_assert(std::is_same_v<MutableCell::object_type, Cell>);
  static_assert(std::is_same_v<Cell::collection_type, CellCollection>);
  EXPECT_EQ(CellCollection().getTypeName(), CellCollection::typeName);
}

TEST(PodioNames, serveAProgramThatPrints) {
  std::ostringstream text;
  text << shower::Point(1, 2.5F) << ", " << podio::ObjectID{3, 7};
  EXPECT_EQ(text.str(), "1 2.5, 7|3");
  const std::unordered_map<podio::ObjectID, int> numbers{{{3, 7}, 1}, {{3, 8}, 2}, {{4, 7}, 3}};
  EXPECT_EQ(numbers.at({3, 8}), 2);
}

TEST(PodioNames, serveAProgramThatPutsSeveralValues) {
  podio::Frame event;
  event.putParameter("ints", {1, 2, 3});
  event.putParameter("reals", {0.5});
  event.putParameter("names", {"one", "two"});
  event.putParameter("name", {"one"});
  EXPECT_EQ(event.getParameter<std::vector<int>>("ints"), (std::vector{1, 2, 3}));
  EXPECT_EQ(event.getParameter<std::vector<double>>("reals"), std::vector{0.5});
  EXPECT_EQ(event.getParameter<std::vector<std::string>>("names"),
            (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(event.getParameter<std::string>("name"), "one");
}

TEST(PodioNames, areThoseOfLinksBetweenObjectsOfOneType) {
  shower::CellCollection cells;
  podio::LinkCollection<shower::Cell, shower::Cell> links;
  auto link = links.create();
  link.setFrom(cells.create());
  link.setTo(cells.create());
  const podio::LinkNavigator navigator{links};
  EXPECT_EQ(navigator.getLinked(cells[1], podio::ReturnFrom)[0].o, cells[0]);
  EXPECT_EQ(navigator.getLinked(cells[0], podio::ReturnTo)[0].o, cells[1]);
}

TEST(PodioNames, areThoseOfLinksWithoutAModel) {
  shower::CellCollection cells;
  shower::ShowerCollection showers;
  podio::LinkCollection<shower::Shower, shower::Cell> links;
  podio::MutableLink<shower::Shower, shower::Cell> made = links.create();
  made.set(showers.create());
  made.set(cells.create());
  const podio::Link<shower::Shower, shower::Cell> link = made;
  EXPECT_EQ(link.get<shower::Cell>(), cells[0]);
}

TEST(PodioNames, areInModelsWhoseExtraCodeIsQuoted) {
  EXPECT_EQ(shower::Point::name(), "a \"point\"");
  static_assert(shower::Point::Dimensions == 2 && shower::Point(1, 2) == shower::Point(1, 2));
}

} // namespace
