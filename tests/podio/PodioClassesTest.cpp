// Frameworks declare podio's classes before they include podio's headers.
namespace podio {
class CollectionBase;
class Frame;
class GenericParameters;
class ROOTReader;
class Writer;
} // namespace podio

#include "shower/CellCollection.h"
#include "shower/CellLinkCollection.h"
#include "shower/ShowerCollection.h"
#include "shower/shower.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/Warnings.h"

#include <podio/Frame.h>
#include <podio/LinkNavigator.h>
#include <podio/RNTupleReader.h>
#include <podio/RNTupleWriter.h>
#include <podio/Reader.h>
#include <podio/SIOReader.h>
#include <podio/SIOWriter.h>
#include <podio/UserDataCollection.h>
#include <podio/Writer.h>
#include <podio/detail/LinkCollectionImpl.h>
#include <podio/utilities/TypeHelpers.h>

#include <kaon/event/Reader.h>

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Classes and behaviour of podio that kaon has beside its own.

namespace {

using shower::Cell, shower::CellCollection, shower::MutableCell, shower::Shower,
    shower::ShowerCollection;
using CellLinks = podio::LinkCollection<Cell, Shower>;

static_assert(podio::CollectionType<CellCollection> && podio::CollectionType<CellLinks> &&
              podio::CollectionType<podio::UserDataCollection<int>>);
static_assert(podio::detail::isMutableHandleType<MutableCell> &&
              !podio::detail::isMutableHandleType<Cell>);
static_assert(std::is_same_v<podio::detail::GetDefaultHandleType<MutableCell>, Cell>);
static_assert(std::is_same_v<shower::showerDataTypes, podio::utils::TypeList<Cell, Shower>>);
static_assert(std::is_same_v<shower::showerLinkCollectionTypes, kaon::TypeList<CellLinks>>);
static_assert(std::is_same_v<shower::showerInterfaceTypes, kaon::TypeList<>>);
static_assert(podio::Link<Cell, Shower>::typeName == "podio::Link<shower::Cell,shower::Shower>");
static_assert(CellLinks::typeName == "podio::LinkCollection<shower::Cell,shower::Shower>");
static_assert(podio::UserDataCollection<float>::typeName == "podio::UserDataCollection<float>");
static_assert(podio::version::decode_version(PODIO_VERSION(1, 2, 3)) ==
              podio::version::Version{1, 2, 3});
static_assert(
    std::is_same_v<decltype(std::declval<shower::CellCollectionIterator>().operator->()), Cell*>);

podio::Frame makeEvent(float energy) {
  CellCollection cells;
  cells.create().setEnergy(energy);
  podio::Frame event;
  event.put(std::move(cells), "Cells");
  event.putParameter("ints", {1, 2});
  event.putParameter("name", "first");
  return event;
}

TEST(PodioClasses, areTheBaseOfAllCollections) {
  std::unique_ptr<podio::CollectionBase> collection = std::make_unique<CellCollection>();
  EXPECT_EQ(collection->getTypeName(), "shower::CellCollection");
  EXPECT_EQ(collection->getValueTypeName(), "shower::Cell");
  EXPECT_EQ(collection->getDataTypeName(), "shower::CellData");
  EXPECT_TRUE(collection->empty());
  EXPECT_FALSE(collection->isSubsetCollection());
  collection->setID(42);
  EXPECT_EQ(collection->getID(), 42U);
  EXPECT_NO_THROW(collection->prepareForWrite());
  podio::Frame event;
  event.put(std::move(collection), "Cells");
  const podio::CollectionBase* const found = event.get("Cells");
  EXPECT_NE(dynamic_cast<const CellCollection*>(found), nullptr);
  EXPECT_EQ(dynamic_cast<const ShowerCollection*>(found), nullptr);
  EXPECT_EQ(event.getName(*found).value(), "Cells");
  EXPECT_FALSE(event.getName(77).has_value());
}

TEST(PodioClasses, throwAsPodioDoesForASecondCollectionOfAName) {
  podio::Frame event = makeEvent(1);
  EXPECT_THROW(event.put(CellCollection(), "Cells"), std::invalid_argument);
  EXPECT_THROW(event.put(std::unique_ptr<podio::CollectionBase>(new CellCollection), "Cells"),
               std::invalid_argument);
  EXPECT_THROW(podio::Frame(std::unique_ptr<podio::FrameData>()), std::invalid_argument);
}

TEST(PodioClasses, giveTheParametersOfAFrame) {
  const podio::GenericParameters parameters = makeEvent(1).getParameters();
  EXPECT_EQ(parameters.get<std::vector<int>>("ints"), (std::vector{1, 2}));
  EXPECT_EQ(parameters.get<int>("ints"), 1);
  EXPECT_EQ(parameters.getN<int>("ints"), 2U);
  EXPECT_EQ(parameters.get<std::string>("name"), "first");
  EXPECT_FALSE(parameters.get<float>("ints").has_value());
  EXPECT_EQ(parameters.getKeys<std::string>(), std::vector<std::string>{"name"});
}

TEST(PodioClasses, holdParameters) {
  podio::GenericParameters parameters;
  EXPECT_TRUE(parameters.empty());
  parameters.set("number", 1);
  parameters.set("number", 2);
  parameters.set("texts", {"a", "b"});
  parameters.set("empty", std::vector<double>());
  EXPECT_EQ(parameters.get<int>("number"), 2);
  EXPECT_EQ(parameters.get<std::vector<std::string>>("texts")->at(1), "b");
  EXPECT_TRUE(parameters.get<std::vector<double>>("empty")->empty());
  EXPECT_FALSE(parameters.get<double>("empty").has_value());
  std::ostringstream out;
  parameters.print(out);
  EXPECT_EQ(out.str(), "number: [2]\ntexts: [a, b]\nempty: []\n");
  parameters.clear();
  EXPECT_TRUE(parameters.empty());
}

TEST(PodioClasses, readSeveralFilesAsOne) {
  const kaon::test::TemporaryDirectory directory;
  for (int file = 0; file < 2; ++file) {
    auto writer = podio::makeWriter(directory / ("events_" + std::to_string(file) + ".root"));
    for (int i = 0; i < 3; ++i)
      writer.writeEvent(makeEvent(static_cast<float>(3 * file + i)));
    writer.finish();
  }
  auto reader = podio::makeReader(directory / "events_?.root");
  EXPECT_EQ(reader.getEvents(), 6U);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_EQ(reader.readNextEvent().get<CellCollection>("Cells")[0].getEnergy(),
              static_cast<float>(i));
  EXPECT_EQ(reader.readEvent(4).get<CellCollection>("Cells")[0].getEnergy(), 4);
  EXPECT_THROW((void)reader.readEvent(6), std::runtime_error);
  EXPECT_EQ(reader.getAvailableDatamodels(), std::vector<std::string>{"shower"});
  EXPECT_NE(reader.getDatamodelDefinition("shower").find("Cell"), std::string_view::npos);
  EXPECT_EQ(reader.getDatamodelDefinition("other"), "{}");
  EXPECT_THROW((void)podio::makeReader(directory / "none_*.root"), std::runtime_error);
}

TEST(PodioClasses, writePodiosFormats) {
  const kaon::test::TemporaryDirectory directory;
  {
    podio::SIOWriter writer(directory / "events.sio");
    writer.writeEvent(makeEvent(5));
    writer.finish();
  }
  podio::SIOReader reader;
  reader.openFile(directory / "events.sio");
  const podio::Frame event(reader.readNextEntry("events"));
  EXPECT_EQ(event.get<CellCollection>("Cells")[0].getEnergy(), 5);
  EXPECT_EQ(reader.readNextEntry("events"), nullptr);
  kaon::test::expectError(kaon::ErrorKind::usage, "there is no type 'csv' of writers",
                          [&] { (void)podio::makeWriter(directory / "events.csv", "csv"); });
}

TEST(PodioClasses, writeTheSameCollectionsInAllFramesOfACategory) {
  const kaon::test::TemporaryDirectory directory;
  podio::RNTupleWriter writer(directory / "events.root");
  podio::Frame event = makeEvent(1);
  writer.writeEvent(event);
  EXPECT_EQ(std::get<0>(writer.checkConsistency({}, "events")), std::vector<std::string>{"Cells"});
  EXPECT_EQ(std::get<1>(writer.checkConsistency({"Cells", "More"}, "events")),
            std::vector<std::string>{"More"});
  event.put(CellCollection(), "More");
  kaon::test::expectError(kaon::ErrorKind::usage, "superfluous: [More]",
                          [&] { writer.writeEvent(event); });
  kaon::test::expectError(kaon::ErrorKind::name, "'Cells' in category 'events' is not available",
                          [&] { writer.writeEvent(podio::Frame()); });
  writer.writeEvent(event, {"Cells"});
  writer.finish();
}

TEST(PodioClasses, referToMembersOfObjectsThatAreBuilt) {
  CellCollection cells;
  auto cell = cells.create();
  cell.getAt().x = 3;
  cell.getEnergy() = 2;
  cell.getEnergy() += 1;
  EXPECT_EQ(std::as_const(cells)[0].getAt().x, 3);
  EXPECT_EQ(std::as_const(cells)[0].getEnergy(), 3);
  auto& at = cell.getAt();
  at.y = 4;
  EXPECT_EQ(cells[0].rho(), 5);
  MutableCell loose;
  loose.getEnergy() = 7;
  cells.push_back(loose);
  loose.getEnergy() = 8; // the object in the collection
  EXPECT_EQ(std::as_const(cells)[1].getEnergy(), 8);
}

TEST(PodioClasses, readObjectsOfFilesByReferencesButDoNotChangeThem) {
  const kaon::test::TemporaryDirectory directory;
  {
    auto writer = podio::makeWriter(directory / "events.kaon");
    writer.writeEvent(makeEvent(5));
    writer.finish();
  }
  kaon::test::Warnings warnings;
  {
    auto reader = podio::makeReader(directory / "events.kaon");
    const podio::Frame event = reader.readNextEvent();
    const auto& cells = event.get<CellCollection>("Cells");
    CellCollection chosen;
    chosen.setSubsetCollection();
    chosen.push_back(cells[0]);
    for (auto cell : chosen) // mutable
      EXPECT_EQ(cell.getEnergy(), 5);
    EXPECT_TRUE(warnings.take().empty());
    chosen[0].getEnergy() = 6;
    EXPECT_EQ(cells[0].getEnergy(), 5);
  }
  const std::vector<std::string> told = warnings.take();
  ASSERT_EQ(told.size(), 1U);
  kaon::test::expectContains(told[0], "changes of objects of shower::Cell through references");
}

TEST(PodioClasses, makeCollectionsOfRanges) {
  std::vector<MutableCell> loose(3);
  loose[2].setEnergy(2);
  const CellCollection cells = CellCollection::from(loose);
  EXPECT_FALSE(cells.isSubsetCollection());
  EXPECT_EQ(cells[2], loose[2]);
  const CellCollection chosen = CellCollection::from(cells);
  EXPECT_TRUE(chosen.isSubsetCollection());
  EXPECT_EQ(chosen[2], cells[2]);
  kaon::test::expectError(kaon::ErrorKind::usage, "in no collection",
                          [] { (void)CellCollection::from(std::vector<Cell>(2)); });
  kaon::test::expectError(kaon::ErrorKind::usage, "in a collection already",
                          [&] { (void)CellCollection::from(loose); });
  const auto numbers = podio::UserDataCollection<int>::from(std::array{1.5, 2.5});
  EXPECT_EQ(numbers.vec(), (std::vector{1, 2}));
  EXPECT_EQ(*numbers.rbegin(), 2);
}

TEST(PodioClasses, copyAMemberOfTheFirstObjects) {
  CellCollection cells;
  for (const float energy : {1.F, 2.F, 3.F})
    cells.create().setEnergy(energy);
  EXPECT_EQ(cells.getEnergy(2), (std::vector{1.F, 2.F}));
  EXPECT_EQ(cells.getEnergy(), (std::vector{1.F, 2.F, 3.F}));
  EXPECT_EQ(cells.getEnergy(7).size(), 3U);
}

TEST(PodioClasses, refuseToWriteRelationsToObjectsInNoCollection) {
  ShowerCollection showers;
  auto shower = showers.create();
  EXPECT_NO_THROW(showers.prepareForWrite());
  shower.addToCells(MutableCell());
  EXPECT_THROW(showers.prepareForWrite(), std::runtime_error);
}

TEST(PodioClasses, listLinksThatLackAnEnd) {
  CellCollection cells;
  CellLinks links;
  links.create().set(cells.create());
  const podio::LinkNavigator navigator{links};
  const auto linked = navigator.getLinked(cells[0]);
  ASSERT_EQ(linked.size(), 1U);
  EXPECT_FALSE(linked[0].o.isAvailable());
  EXPECT_EQ(std::vector<podio::detail::links::WeightedObject<Shower>>(linked).size(), 1U);
}

TEST(PodioClasses, arePrintedAsInPodio) {
  std::ostringstream out;
  out << Cell::makeEmpty() << ' ';
  podio::UserDataCollection<int>::from(std::array{1, 2}).print(out);
  EXPECT_EQ(out.str(), "[not available] [1, 2]");
}

} // namespace
