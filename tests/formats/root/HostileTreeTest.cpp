#include <kaon/formats/root/objects/ClassWriter.h>
#include <kaon/formats/root/tree/Basket.h>
#include <kaon/formats/root/tree/BasketEncoder.h>
#include <kaon/formats/root/tree/BranchTitle.h>
#include <kaon/formats/root/tree/TreeClasses.h>
#include <kaon/formats/root/tree/TreeDescription.h>
#include <kaon/formats/root/tree/TreeRecord.h>
#include <kaon/formats/root/tree/TreeSource.h>

#include "support/Errors.h"
#include "support/RootTree.h"
#include "support/WholeSource.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Small trees that state large sizes or contradict themselves.

namespace kaon::root {
namespace {

using test::expectError;
using test::keyBytesOf;
using test::putList;
using test::TreeFile;

TEST(HostileTree, hasNoMoreClustersThanBaskets) {
  constexpr std::uint32_t baskets = 100, ranges = 50, inRange = 200;
  WrittenTree written{"t", uncompressed(), 1000};
  written.schema.add({.name = "x",
                      .kind = TableKind::value,
                      .rowSize = 4,
                      .members = {{.name = "", .type = Scalar::Int32}}});
  written.plans = planBranches(written.schema, "f.root");
  WrittenBranch& branch = written.branches.emplace_back();
  branch.entries = written.entries = std::uint64_t{ranges} * inRange;
  for (std::uint32_t i = 0; i < baskets; ++i) {
    branch.bytes.push_back(100);
    branch.firstEntries.push_back(i * branch.entries / baskets);
    branch.positions.push_back(1'000 + i * 100);
  }
  for (std::uint32_t range = 1; range <= ranges; ++range) // clusters of one entry each
    written.clusters.push_back({std::uint64_t{range} * inRange - 1, 1});
  const TreeFile file(treeClasses(), [&](RootObjectWriter& writer) { putTree(writer, written); });
  const TreeDescription tree = file.tree();
  EXPECT_EQ(tree.entries(), branch.entries);
  EXPECT_LE(tree.clusters().size(), 2 * baskets + 16 + ranges);
  EXPECT_EQ(tree.clusters().front().size(), 1U); // the first clusters are kept
  EXPECT_EQ(tree.clusters().back().last, tree.entries());
}

/// Returns classes of trees and branches with few members.
std::vector<ClassInfo> fewMembers(std::vector<ElementInfo> ofBranch) {
  const ElementInfo branches{"fBranches", "", "TObjArray", "", object};
  ElementInfo named{"TNamed", "", "BASE", "", tNamed};
  named.isBase = true;
  ofBranch.insert(ofBranch.begin(), named);
  return {{"TTree", 20, 0, {branches}},
          {"TBranch", 13, 0, std::move(ofBranch)},
          {"TLeafI", 1, 0, {named}}};
}

TEST(HostileTree, hasNoBranchInItself) {
  const std::size_t keyBytes = keyBytesOf("TTree", "t");
  const auto classes = fewMembers({{"fBranches", "", "TObjArray", "", object}});
  const TreeFile file(classes, [&](RootObjectWriter& writer) {
    writer.frame(20, [&] {
      putList(writer, 1, [&] {
        const auto itself = static_cast<std::uint32_t>(keyBytes + writer.size() + 2);
        writer.pointTo("TBranch", [&] {
          writer.frame(13, [&] {
            writer.putNamed("b", "");
            putList(writer, 1, [&] { writer.pointAgain(itself); });
          });
        });
      });
    });
  });
  const TreeDescription tree = file.tree();
  ASSERT_EQ(tree.branches().size(), 1U);
  EXPECT_EQ(tree.branches()[0].name, "b");
  EXPECT_TRUE(tree.branches()[0].branches.empty());
}

TEST(HostileTree, hasNoListOfLeavesThatManyBranchesShare) {
  const auto classes = fewMembers({{"fLeaves", "", "TObjArray*", "", objectPointer}});
  const TreeFile file(classes, [&](RootObjectWriter& writer) {
    std::uint32_t leaves = 0;
    const auto putBranch = [&](const std::function<void()>& putLeaves) {
      writer.pointTo("TBranch", [&] {
        writer.frame(13, [&] {
          writer.putNamed("b", "");
          putLeaves();
        });
      });
    };
    const auto putLeaf = [&] {
      writer.pointTo("TLeafI", [&] { writer.frame(1, [&] { writer.putNamed("x", ""); }); });
    };
    writer.frame(20, [&] {
      putList(writer, 2, [&] {
        putBranch(
            [&] { leaves = writer.pointTo("TObjArray", [&] { putList(writer, 1, putLeaf); }); });
        putBranch([&] { writer.pointAgain(leaves); });
      });
    });
  });
  const TreeDescription tree = file.tree();
  ASSERT_EQ(tree.branches().size(), 2U);
  EXPECT_EQ(tree.branches()[0].leaves.size(), 1U);
  EXPECT_TRUE(tree.branches()[1].leaves.empty());
}

TEST(HostileTree, hasNoEntriesOfObjectsWithoutBaskets) {
  const auto plain = [](const char* name, std::int32_t type) {
    return ElementInfo{name, "", "", "", type};
  };
  const ElementInfo objects{"fBranches", "", "TObjArray", "", object};
  ElementInfo named{"TNamed", "", "BASE", "", tNamed};
  named.isBase = true;
  const ClassInfo tree{"TTree", 20, 0, {plain("fEntries", long64Number), objects}};
  const ClassInfo branch{"TBranchElement",
                         10,
                         0,
                         {named, plain("fEntryNumber", long64Number),
                          plain("fEntries", long64Number), plain("fClassName", tString),
                          plain("fClassVersion", shortNumber)}};
  const ClassInfo hit{
      "Hit", 1, 0, {plain("x", intNumber), {"next", "", "Other*", "", objectPointer}}};
  const ClassInfo other{"Other", 1, 0, {plain("y", intNumber)}};
  const TreeFile file(std::vector{tree, branch, hit, other}, [&](RootObjectWriter& writer) {
    writer.frame(20, [&] {
      writer.put(std::uint64_t{1});
      putList(writer, 1, [&] {
        writer.pointTo("TBranchElement", [&] {
          writer.frame(10, [&] {
            writer.putNamed("b", "");
            writer.put(std::uint64_t{1});
            writer.put(std::uint64_t{1});
            writer.putString("Hit");
            writer.put(std::uint16_t{1});
          });
        });
      });
    });
  });
  const auto source = file.source();
  EXPECT_EQ(source->entries(), 1U);
  expectError(ErrorKind::corrupt, "does not say where it is", [&] { test::readAll(*source); });
}

TEST(HostileTree, hasNoTitleThatIsSearchedForManyLeaves) {
  BranchDescription branch;
  branch.name = "b";
  branch.className = "TBranch";
  branch.leaves.resize(2);
  branch.leaves[0].name = "x";
  branch.leaves[1].name = "y";
  std::string title = "x: first; y: second ";
  branch.title = title;
  EXPECT_EQ(documentationOfLeaves(branch)[1].description, "second");
  branch.leaves.resize(10'000);
  title += std::string(100'000, '-');
  branch.title = title;
  EXPECT_EQ(documentationOfLeaves(branch)[1].description, "");
  EXPECT_EQ(documentationOf(branch).description, "");
}

TEST(HostileTree, hasNoEntriesWithoutBytesInBaskets) {
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  RecordKey key;
  key.className = "TBasket";
  key.name = "x";
  key.title = "t";
  key.isWide = true;
  key.keyBytes = static_cast<std::uint16_t>(keyBytesOfBasket(key.name, key.title));
  key.recordBytes = key.keyBytes;
  BigEndianWriter record;
  putKey(record, key);
  record.put(std::uint16_t{3});            // the version
  record.put(std::uint32_t{key.keyBytes}); // the size of ROOT's buffer
  record.put(std::int32_t{0});             // bytes of each entry
  record.put(most);                        // entries
  record.put(std::uint32_t{key.keyBytes}); // the end of their bytes
  record.put(std::uint8_t{0});
  Basket basket;
  expectError(ErrorKind::version, "f.root: ROOT has written it without values",
              [&] { basket.open(record.bytes(), false, 0, "f.root"); });
}

} // namespace
} // namespace kaon::root
