#include "support/Files.h"

#include <kaon/kaon.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <string>

// A program reads a file with an earlier version of a model. It links to the model's library, but
// names none of its classes.

namespace {

TEST(ProgramWithoutClasses, readsCollections) {
  const kaon::test::TemporaryDirectory directory;
  const std::string command = KAON_EVOLUTION_WRITER " '" + (directory / "") + "'";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  const kaon::Frame frame = kaon::Reader(directory / "split.kaon")["events"].at(1);
  for (const std::string& name : frame.getAvailableCollections()) {
    if (name == "Impossible") // no class can read it
      continue;
    const kaon::CollectionBase* const collection = frame.get(name);
    ASSERT_NE(collection, nullptr) << name;
    EXPECT_GT(collection->size(), 0U) << name;
    EXPECT_EQ(collection->getSchemaVersion(), 3U) << name;
    EXPECT_EQ(frame.getName(*collection), name);
  }
  EXPECT_EQ(frame.get("Members")->getTypeName(), "evo::MembersCollection");
  EXPECT_EQ(frame.get("Links")->getValueTypeName(), "evo::Link");
  EXPECT_EQ(frame.get("Renamed")->getValueTypeName(), "evo::NewestName");
  EXPECT_EQ(frame.get("Chosen")->getTypeName(), "evo::NewestNameCollection");
  EXPECT_TRUE(frame.get("Chosen")->isSubsetCollection());
  std::ostringstream table;
  frame.get("Renamed")->print(table);
  EXPECT_EQ(table.str(), "index  number\n"
                         "    0      43\n");
}

} // namespace
