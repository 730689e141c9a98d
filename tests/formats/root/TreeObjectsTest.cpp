#include <kaon/formats/root/RootFile.h>
#include <kaon/reading/Batches.h>
#include <kaon/reading/ColumnReader.h>

#include "support/DamagedRootFile.h"
#include "support/DataFiles.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/Random.h"
#include "support/RowsAsJson.h"
#include "support/Sanitizers.h"
#include "support/Warnings.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

// Objects in trees that tests/data/root/objects/make.cpp fills. The expected values come from
// formulas here.

namespace kaon::root {
namespace {

using nlohmann::json;
using test::dataFile;
using test::expectContains;
using test::RowsAsJson;

constexpr int entries = 6;

/// Returns the bits of a number, the lowest first.
json bitsOf(int number, int count) {
  json bits = json::array();
  for (int i = 0; i < count; ++i)
    bits.push_back((number >> i & 1) != 0);
  return bits;
}

/// Returns the results of `make` for the numbers below `count`.
template <class Make>
json listOf(int count, Make make) {
  json list = json::array();
  for (int i = 0; i < count; ++i)
    list.push_back(make(i));
  return list;
}

json holderOf(int entry) {
  const bool isOdd = entry % 2 == 1, isThird = entry % 3 == 0;
  return {{"run", 100 + entry},
          {"best", listOf(isOdd ? 1 : 0,
                          [&](int) {
                            return json{{"x", 0.5 * entry}, {"n", entry}};
                          })},
          {"point", listOf(isThird ? 1 : 0,
                           [&](int) {
                             return json{{"id", entry}, {"x", 2.5}};
                           })},
          {"flags", bitsOf(entry * 77, 12)},
          {"quality", entry % 3},
          {"qualities", listOf(entry, [](int k) { return k % 3; })},
          {"sides", listOf(entry, [](int k) { return k % 2 == 0 ? -1 : 1; })},
          {"points", listOf(entry,
                            [](int k) {
                              const int id = k == 3 ? 1 : k; // the fourth is the second
                              return json{{"id", id}, {"x", 1.5 * id}};
                            })},
          {"weights", listOf(entry, [](int) { return 0.25; })}};
}

/// The third pointer is null; the fifth leads to the first object.
json hitsOf(int entry) {
  return listOf(entry, [&](int k) {
    return json{{"x", k == 2 ? 0 : -entry}, {"n", k == 2 || k == 4 ? 0 : k}};
  });
}

/// An object as the older class wrote it, as the newer wrote it, and an older object read as a
/// newer one.
enum class Form { older, newer, olderAsNewer };

json cellOf(int id, Form form) {
  json cell{{"id", id}, {"energy", 0.5 * id}};
  if (form == Form::older) {
    cell["gain"] = 7;
  } else {
    const bool isNewer = form == Form::newer;
    cell["time"] = isNewer ? 0.125 * id : 0.0;
    cell["samples"] = listOf(isNewer ? id % 3 : 0, [&](int) { return id; });
  }
  return cell;
}

json clusterOf(int entry, int cells, Form form) {
  json cluster{{"seed", cellOf(10 + entry, form)},
               {"cells", listOf(cells, [&](int k) { return cellOf(20 + k, form); })}};
  if (form != Form::older)
    cluster["number"] = form == Form::newer && cells > 0 ? entry : 0;
  return cluster;
}

json trackOf(int number, int k) {
  return {{"x", 0.0},
          {"n", k},
          {"length", 0.5 * number},
          {"codes", listOf(k, [&](int) { return number; })},
          {"inner", listOf(k, [&](int m) {
             return json{{"x", 0.0}, {"n", 10 * number + m}};
           })}};
}

json tracksOf(int number) {
  return listOf(number % 4, [&](int k) { return trackOf(number, k); });
}

json bundleOf(int entry) {
  return {
      {"number", entry}, {"tracks", tracksOf(entry + 1)}, {"hits", listOf(entry, [](int k) {
                                                             return json{{"x", 0.25 * k}, {"n", 0}};
                                                           })}};
}

json seriesOf(int entry, int k) {
  const int codes = (entry + k) % 3;
  return {{"n", codes},
          {"m", k},
          {"values", listOf(k, [&](int j) { return 0.5 * entry + j; })},
          {"codes", listOf(codes, [&](int) { return 10 * entry + k; })}};
}

/// Returns name, type and reason of unreadable members.
std::vector<std::vector<std::string>> unreadIn(const Source& tree) {
  std::vector<std::vector<std::string>> unread;
  for (const Unreadable& each : tree.unreadable())
    unread.push_back({each.name, each.type, each.reason});
  return unread;
}

/// Expects these rows of a root table in each entry.
template <class Expected>
void expectRows(const Source& tree, const char* table, Expected expected) {
  RowsAsJson rows(tree);
  const std::uint32_t number = tree.schema().tableNamed(table);
  for (int entry = 0; entry < entries; ++entry)
    EXPECT_EQ(rows.entry(number, static_cast<std::uint64_t>(entry)), expected(entry))
        << tree.name() << ": " << table << ", entry " << entry;
}

TEST(TreeObjects, lieBehindPointers) {
  const auto file = openRootFile(io::fileSource(dataFile("root/ttree_objects.root")), {});
  for (const char* const name : {"split", "whole"}) {
    const Source& tree = file->category(name);
    EXPECT_TRUE(tree.unreadable().empty()) << name;
    EXPECT_EQ(tree.entries(), static_cast<std::uint64_t>(entries));
    expectRows(tree, "holder", holderOf);
    expectRows(tree, "hits", hitsOf);
  }
}

TEST(TreeObjects, canBeSetsOfBits) {
  const auto file = openRootFile(io::fileSource(dataFile("root/ttree_objects.root")), {});
  const Source& tree = file->category("whole");
  expectRows(tree, "bits", [](int entry) {
    json bits = listOf(70, [](int) { return false; });
    bits[static_cast<std::size_t>(entry)] = bits[static_cast<std::size_t>(69 - entry)] = true;
    return bits;
  });
  expectRows(tree, "masks",
             [](int entry) { return listOf(entry, [&](int k) { return bitsOf(k + entry, 5); }); });
}

TEST(TreeObjects, canBeOfAnyVersionOfTheirClass) {
  const auto file = openRootFile(io::fileSource(dataFile("root/ttree_objects.root")), {});
  for (const bool isNewer : {false, true}) {
    const Source& tree = file->category(isNewer ? "second" : "first");
    // Split branches state their version; objects in unsplit branches state it themselves.
    const Form split = isNewer ? Form::newer : Form::older;
    const Form whole = isNewer ? Form::newer : Form::olderAsNewer;
    EXPECT_TRUE(tree.unreadable().empty());
    expectRows(tree, "cell", [&](int entry) { return cellOf(entry, split); });
    expectRows(tree, "split", [&](int entry) { return clusterOf(entry, entry, split); });
    expectRows(tree, "clusters", [&](int entry) {
      return listOf(entry, [&](int k) { return clusterOf(entry, k + 1, whole); });
    });
  }
}

TEST(TreeObjects, areOfBranchesOfOneName) {
  const auto file = openRootFile(io::fileSource(dataFile("root/ttree_objects.root")), {});
  const Source& tree = file->category("twice");
  EXPECT_TRUE(tree.unreadable().empty());
  expectRows(tree, "x", [](int entry) { return entry; });
  expectRows(tree, "x_2", [](int entry) { return entry; });
  expectRows(tree, "x_3", [](int entry) { return 0.5 * entry; });
  const auto expectHits = [&](const char* table, int sign) {
    expectRows(tree, table, [&](int entry) {
      return listOf(entry, [&](int k) {
        return json{{"fUniqueID", 0}, {"fBits", 0}, {"x", 0.0}, {"n", sign * k}};
      });
    });
  };
  expectHits("hits", 1);
  expectHits("hits_2", -1);
}

TEST(TreeObjects, lieInClonesArraysThatAreNotSplit) {
  const auto file = openRootFile(io::fileSource(dataFile("root/ttree_objects.root")), {});
  const Source& tree = file->category("clones");
  expectRows(tree, "tracks", tracksOf);
  expectRows(tree, "columns", [](int entry) {
    json tracks = tracksOf(entry);
    for (json& track : tracks)
      track["fUniqueID"] = track["fBits"] = 0;
    return tracks;
  });
  expectRows(tree, "holes", [](int entry) {
    return listOf(entry, [&](int k) {
      return json{{"x", 0.0}, {"n", entry > 2 && k == 1 ? 0 : k + 1}};
    });
  });
}

TEST(TreeObjects, lieInClonesArraysThatBranchOldSplit) {
  const auto file = openRootFile(io::fileSource(dataFile("root/ttree_branch_clones.root")), {});
  const Source& tree = file->category("t");
  EXPECT_TRUE(tree.unreadable().empty());
  const auto hit = [](double x, int n) {
    constexpr std::uint32_t bits = 0x03000000; // as ROOT creates objects
    return json{{"x", x}, {"n", n}, {"fUniqueID", 0}, {"fBits", bits}};
  };
  expectRows(tree, "number", [](int entry) { return entry; });
  expectRows(tree, "hits", [&](int entry) {
    return listOf(entry, [&](int k) { return hit(0.5 * k, 10 * entry + k); });
  });
  expectRows(tree, "weight", [](int entry) { return 0.25 * entry; });
  expectRows(tree, "number_2", [](int entry) { return -entry; });
  expectRows(tree, "hits_2", [&](int entry) { return json::array({hit(0, -entry)}); });
}

TEST(TreeObjects, aMemberWithAnUnreadableBranchIsLeftOutByItself) {
  constexpr std::size_t placeOfVersion = 4483; // in the branch of a member of `hits`
  std::string bytes = test::readFile(dataFile("root/ttree_branch_clones.root"));
  bytes[placeOfVersion] = 0;
  const auto file =
      openRootFile(io::memorySource("m.root", std::as_bytes(std::span(std::as_const(bytes)))), {});
  const Source& tree = file->category("t");
  ASSERT_EQ(tree.unreadable().size(), 1U);
  expectContains(tree.unreadable()[0].reason, "does not describe version 0 of the class 'TBranch'");
  expectRows(tree, "number", [](int entry) { return entry; });
}

TEST(TreeObjects, withoutMembersAreLeftOutByThemselves) {
  const auto file = openRootFile(io::fileSource(dataFile("root/ttree_objects.root")), {});
  const Source& tree = file->category("bare");
  expectRows(tree, "hits", [](int entry) { return json::array({{{"x", 0.0}, {"n", entry}}}); });
  ASSERT_EQ(tree.unreadable().size(), 1U);
  EXPECT_EQ(tree.unreadable()[0].name, "objects");
  expectContains(tree.unreadable()[0].reason, "objects that have no members");
}

TEST(TreeObjects, areReadWithoutMembersThatCannotBe) {
  const auto file = openRootFile(io::fileSource(dataFile("root/ttree_objects.root")), {});
  const Source& tree = file->category("clones");
  expectRows(tree, "bundle", bundleOf);
  expectRows(tree, "old", bundleOf); // in a TBranchObject
  expectRows(tree, "parts.n", [](int entry) { return entry; });
  std::vector<std::string> leftOut;
  for (const Unreadable& member : tree.unreadable()) {
    leftOut.push_back(member.name);
    EXPECT_EQ(member.type, "Bundle");
  }
  // If a TClonesArray is null in all entries, the class of its objects is unknown.
  EXPECT_EQ(leftOut,
            (std::vector<std::string>{"bundle.none", "bundle.other", "old.none", "old.other"}));
  expectContains(tree.unreadable()[1].reason, "TObject*");
}

TEST(TreeObjects, haveTheMembersOfTheirBases) {
  const auto file = openRootFile(io::fileSource(dataFile("root/ttree_objects.root")), {});
  // Split by one level: the base is one branch.
  expectRows(file->category("clones"), "shallow", [](int entry) {
    json track = trackOf(entry, entry % 3);
    track["n"] = entry;
    return track;
  });
}

TEST(TreeObjects, canBeArraysInLists) {
  const auto file = openRootFile(io::fileSource(dataFile("root/ttree_objects.root")), {});
  const Source& tree = file->category("arrays");
  EXPECT_TRUE(tree.unreadable().empty());
  expectRows(tree, "pairs", [](int entry) {
    return listOf(entry, [&](int k) { return json{entry, -k}; });
  });
  for (const char* const map : {"map", "splitMap"})
    expectRows(tree, map, [](int entry) {
      return listOf(entry, [&](int k) { return json{{"first", k}, {"second", json{entry, -k}}}; });
    });
  expectRows(tree, "nested", [](int entry) {
    return listOf(entry, [&](int k) {
      return listOf(k, [&](int m) { return json{0.5 * m, 0.5 * entry, 2.5}; });
    });
  });
  expectRows(tree, "points", [](int entry) {
    return listOf(entry, [&](int k) {
      return listOf(2, [&](int m) { return json{{"id", k}, {"x", 1.0 * m}}; });
    });
  });
}

TEST(TreeObjects, canHaveArraysThatMembersCountAndArraysOfVectors) {
  const auto file = openRootFile(io::fileSource(dataFile("root/ttree_counted.root")), {});
  const Source& tree = file->category("t");
  EXPECT_TRUE(tree.unreadable().empty());
  const auto pointsOf = [](int count, int id, double x) {
    return listOf(count, [&](int) { return json{{"id", id}, {"x", x}}; });
  };
  expectRows(
      tree, "album", [&](int entry) { // a vector stores the values of each of its members together
        return json{{"m", entry + 1},
                    {"series", listOf(entry % 4, [&](int k) { return seriesOf(entry, k); })},
                    {"points", {pointsOf(entry % 3, entry, 1.5), pointsOf(entry % 2, -entry, 2.5)}},
                    {"last", seriesOf(entry, 2)}};
      });
  for (const char* const table : {"series", "columns"})
    expectRows(tree, table, [](int entry) {
      return listOf(entry % 4, [&](int k) { return seriesOf(entry, k + 1); });
    });
}

TEST(TreeObjects, canHaveNeighboursThatWereNotFilled) {
  const auto file = openRootFile(io::fileSource(dataFile("root/ttree_objects.root")), {});
  const Source& tree = file->category("late");
  ASSERT_EQ(tree.entries(), static_cast<std::uint64_t>(entries));
  expectRows(tree, "x", [](int entry) { return entry; });
  ASSERT_EQ(tree.unreadable().size(), 2U);
  EXPECT_EQ(tree.unreadable()[0].name, "never");
  EXPECT_EQ(tree.unreadable()[0].reason, "it has only 0 of the 6 entries of its tree");
  EXPECT_EQ(tree.unreadable()[1].reason, "it has only 2 of the 6 entries of its tree");
}

TEST(TreeObjects, areReadBesideThoseThatCannotBe) {
  const auto file = openRootFile(io::fileSource(dataFile("root/ttree_unread.root")), {});
  const Source& tree = file->category("t");
  const std::string noValues = "ROOT has written the arrays in it without their values";
  const std::vector<std::vector<std::string>> expected{
      {"trail.cells._M_elems[2]", "array<short,2>", noValues},
      {"trail.points._M_elems[2]", "array<Point,2>", noValues},
      {"cells._M_elems[2]", "array<short,2>", noValues},
      {"hits", "vector<Hit*>",
       "a pointer to 'Hit' leads to an object of the class 'Track', which is not read"}};
  EXPECT_EQ(unreadIn(tree), expected);
  expectRows(tree, "number", [](int entry) { return entry; });
  expectRows(tree, "trail", [](int entry) {
    return json{{"number", entry}, {"length", 0.5 * entry}};
  });
  expectRows(tree, "named", [](int entry) {
    return json{{"fName", "name " + std::to_string(entry)}, {"fTitle", ""}};
  });
}

TEST(TreeObjects, areReadBesideThoseThatDoNotSayWhereTheyBegin) {
  const auto file = openRootFile(io::fileSource(dataFile("root/ttree_split.root")), {});
  const Source& tree = file->category("withoutOffsets");
  const std::string noBegins = "it does not say where its entries begin";
  EXPECT_EQ(unreadIn(tree),
            (std::vector<std::vector<std::string>>{{"series.values", "Series", noBegins},
                                                   {"waves.waves.samples", "Wave", noBegins}}));
  expectRows(tree, "number", [](int entry) { return entry; });
  expectRows(tree, "x",
             [](int entry) { return listOf(entry, [&](int k) { return 0.5 * entry + k; }); });
  expectRows(tree, "series", [](int entry) {
    const json series = seriesOf(entry, entry);
    return json{{"Length", {{"n", series["n"]}}}, {"m", series["m"]}, {"codes", series["codes"]}};
  });
  expectRows(tree, "waves", [](int entry) {
    return json{{"number", 10 * entry}, {"waves", listOf(entry, [&](int k) {
                                           return json{{"size", entry}, {"offset", k}};
                                         })}};
  });
}

TEST(TreeObjects, thatCannotBeReadSayWhyWhereTheyAreAskedFor) {
  const auto file = openRootFile(io::fileSource(dataFile("root/ttree_unread.root")), {});
  const Source& tree = file->category("t");
  const std::string_view why =
      "; the file has 'trail.cells._M_elems[2]', an array<short,2>, which "
      "is not read: ROOT has written the arrays in it without their values";
  for (const char* const name : {"trail.cells", "trail_cells", "trail.cells._M_elems"}) {
    test::expectError(ErrorKind::name, why, [&] { Batches(tree, {"number", name}); });
    test::expectError(ErrorKind::name, why, [&] { ColumnReader(tree, {name}); });
  }
}

TEST(TreeObjects, canBeCopiedByAVersionWithoutAMember) {
  const auto file = openRootFile(io::fileSource(dataFile("root/ttree_split.root")), {});
  const Source& tree = file->category("copied");
  const std::string noValues = "ROOT has written it without values";
  EXPECT_EQ(unreadIn(tree),
            (std::vector<std::vector<std::string>>{{"split.Stamp.day", "Stamp", noValues},
                                                   {"shots.day", "Stamp", noValues}}));
  const auto shotOf = [](int entry) { return json{{"number", entry}, {"charge", 0.5 * entry}}; };
  expectRows(tree, "whole", [&](int entry) {
    json shot = shotOf(entry);
    shot["day"] = 0; // missing in the version that wrote it
    return shot;
  });
  expectRows(tree, "split", [](int entry) {
    return json{{"Stamp", {{"number", entry}}}, {"charge", 0.5 * entry}};
  });
  expectRows(tree, "shots",
             [&](int entry) { return listOf(entry, [&](int) { return shotOf(entry); }); });
}

TEST(TreeObjects, ofClonesArraysAreFoundWhereTheFirstEntriesHaveNone) {
  const auto file = openRootFile(io::fileSource(dataFile("root/ttree_split.root")), {});
  const Source& tree = file->category("racks");
  EXPECT_TRUE(tree.unreadable().empty());
  expectRows(tree, "racks", [](int entry) {
    return listOf(entry % 3, [&](int k) {
      return json{{"decks", listOf((entry + k) % 3, [&](int m) {
                     return json{{"number", m},
                                 {"hits", {{{"x", 0.0}, {"n", 10 * entry + k}}}},
                                 {"weight", 0.0}};
                   })}};
    });
  });
}

TEST(TreeObjects, areReadOrRefusedInDamagedFiles) {
  const test::Warnings warnings;
  test::Random random(5);
  constexpr int trials = test::isSanitized ? 200 : 1000;
  for (const char* const name :
       {"root/ttree_objects.root", "root/ttree_branch_clones.root", "root/ttree_counted.root",
        "root/ttree_unread.root", "root/ttree_split.root", "root/ttree_classes.root"}) {
    const std::string whole = test::readFile(dataFile(name));
    int refused = 0;
    for (int trial = 0; trial < trials; ++trial)
      refused += test::survives(test::withOtherBytes(whole, random, 8)) ? 0 : 1;
    EXPECT_GT(refused, trials / 20) << name;
  }
}

} // namespace
} // namespace kaon::root
