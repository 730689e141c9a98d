#include "shower/CellCollection.h"
#include "shower/CellLinkCollection.h"
#include "shower/ShowerCollection.h"

#include <kaon/object/HandleJson.h>
#include <kaon/object/UserDataCollection.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <limits>

namespace {

using nlohmann::json;

TEST(Json, hasTheMembersAndRelationsOfObjects) {
  shower::CellCollection cells;
  cells.setID(7);
  auto cell = cells.create(1.5F, shower::Point(3, 4));
  shower::MutableShower made;
  made.addToCells(cell);
  made.addToWeights(0.5F);
  EXPECT_EQ(json(cell), (json{{"energy", 1.5}, {"at", {{"x", 3.0}, {"y", 4.0}}}}));
  const json shower = made;
  EXPECT_EQ(shower["weights"], json::array({0.5}));
  EXPECT_EQ(shower["cells"], json::array({{{"index", 0}, {"collectionID", 7}}}));
  EXPECT_EQ(json(shower::Cell::makeEmpty()), nullptr);
  cell.setEnergy(std::numeric_limits<float>::infinity());
  EXPECT_EQ(json(cell)["energy"], nullptr);
}

TEST(Json, isAListOfObjectsOrIdsForCollections) {
  shower::CellCollection cells;
  cells.setID(7);
  cells.create().setEnergy(1);
  cells.create().setEnergy(2);
  ASSERT_EQ(json(cells).size(), 2U);
  EXPECT_EQ(json(cells)[1]["energy"], 2);
  const auto chosen = cells.slice(1, 2);
  EXPECT_EQ(json(chosen), json::array({{{"index", 1}, {"collectionID", 7}}}));
  const auto numbers = kaon::UserDataCollection<std::uint64_t>::from(std::array{~0ULL});
  EXPECT_EQ(json(numbers), json::array({~0ULL}));
  shower::CellLinkCollection links;
  auto link = links.create();
  link.setFrom(cells[1]);
  const json row = json(links)[0];
  EXPECT_EQ(row["weight"], 1);
  EXPECT_EQ(row["from"]["index"], 1);
  EXPECT_EQ(row["to"]["collectionID"], kaon::ObjectID().collectionID);
}

} // namespace
