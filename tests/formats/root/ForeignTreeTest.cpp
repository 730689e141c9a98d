#include <kaon/formats/root/objects/TypeName.h>
#include <kaon/formats/root/tree/BranchUnits.h>
#include <kaon/formats/root/tree/ShapeDecoder.h>
#include <kaon/formats/root/tree/TableBuilder.h>
#include <kaon/formats/root/tree/TreeClasses.h>
#include <kaon/formats/root/tree/TreeRecord.h>

#include "support/DamagedRootFile.h"
#include "support/Errors.h"
#include "support/RootTree.h"
#include "support/RowsAsJson.h"
#include "support/Sanitizers.h"
#include "support/Warnings.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Trees that other programs and old versions of ROOT wrote.

namespace kaon::root {
namespace {

using test::keyBytesOf;
using test::putList;
using test::TreeFile;

using Put = std::function<void()>;

ElementInfo elementOf(std::string_view name, std::int32_t type, std::string_view typeName = {},
                      std::string_view counter = {}) {
  ElementInfo element;
  element.name = name;
  element.type = type;
  element.typeName = typeName;
  element.counter = counter;
  element.isBase = typeName == "BASE";
  return element;
}

/// Returns a tree with one value in each entry.
WrittenTree treeOfNumbers() {
  WrittenTree tree{"t", uncompressed(), 1000};
  tree.schema.add({.name = "x",
                   .kind = TableKind::value,
                   .rowSize = 4,
                   .members = {{.name = "", .type = Scalar::Int32}}});
  tree.plans = planBranches(tree.schema, "f.root");
  tree.branches.resize(1);
  tree.branches[0].entries = tree.entries = 3;
  return tree;
}

TEST(ForeignTree, needsNoDescriptionsOfUsualClasses) {
  const WrittenTree written = treeOfNumbers();
  const TreeFile file({}, [&](RootObjectWriter& writer) { putTree(writer, written); });
  const TreeDescription tree = file.tree();
  EXPECT_EQ(tree.entries(), 3U);
  ASSERT_EQ(tree.branches().size(), 1U);
  EXPECT_EQ(tree.branches()[0].name, "x");
  EXPECT_EQ(tree.branches()[0].leaves.at(0).className, "TLeafI");
}

/// Returns the classes of trees with the members that these tests write.
std::vector<ClassInfo> fewClasses() {
  const ElementInfo named = elementOf("TNamed", tNamed, "BASE");
  return {{"TTree",
           20,
           0,
           {elementOf("fEntries", long64Number), elementOf("fBranches", object, "TObjArray"),
            elementOf("fUserInfo", objectPointer, "TList*")}},
          {"TBranch",
           13,
           0,
           {named, elementOf("fWriteBasket", intNumber), elementOf("fMaxBaskets", counterNumber),
            elementOf("fEntryNumber", long64Number), elementOf("fEntries", long64Number),
            elementOf("fLeaves", object, "TObjArray"), elementOf("fBaskets", object, "TObjArray"),
            elementOf("fBasketBytes", countedArray + intNumber, "int*", "fMaxBaskets"),
            elementOf("fBasketEntry", countedArray + long64Number, "Long64_t*", "fMaxBaskets"),
            elementOf("fBasketSeek", countedArray + long64Number, "Long64_t*", "fMaxBaskets")}},
          {"TLeafI", 1, 0, {named, elementOf("fLen", intNumber)}},
          {"TLeafC", 1, 0, {named, elementOf("fLen", intNumber)}}};
}

/// A basket in the record of its tree.
struct EmbeddedValues {
  std::vector<std::uint32_t> ends; ///< of entries; empty if entries have four bytes
  std::string data;
  std::uint32_t entries;
};

void putEmbedded(RootObjectWriter& writer, const EmbeddedValues& values) {
  constexpr std::uint16_t keyBytes = 60;
  writer.pointTo("TBasket", [&] {
    const std::size_t begin = writer.size();
    writer.put(std::uint32_t{0});
    writer.put(std::uint16_t{4}); // the version of the key
    writer.putZeros(8);
    writer.put(keyBytes);
    writer.putZeros(2 + 8);
    for (const char* const text : {"TBasket", "x", "t"})
      writer.putString(text);
    const bool isFixed = values.ends.empty();
    writer.put(std::uint16_t{3});
    writer.put(std::uint32_t{32000});
    writer.put(isFixed ? 4U : 1000U);
    writer.put(values.entries);
    writer.put(static_cast<std::uint32_t>(keyBytes + values.data.size()));
    writer.put(static_cast<std::uint8_t>(isFixed ? 12 : 11));
    if (!isFixed) {
      writer.put(static_cast<std::uint32_t>(values.ends.size()));
      writer.put(std::uint32_t{keyBytes});
      for (std::size_t i = 0; i + 1 < values.ends.size(); ++i)
        writer.put(keyBytes + values.ends[i]);
    }
    writer.putZeros(keyBytes);
    writer.putBytes(std::as_bytes(std::span(values.data)));
    EXPECT_GT(writer.size(), begin);
  });
}

/// Writes a branch whose only basket is in the tree's record. The array of positions still has the
/// position of an earlier basket, which is beyond the end of the file.
void putBranchWithin(RootObjectWriter& writer, const std::string& name, std::string_view leaf,
                     const EmbeddedValues& values) {
  constexpr std::uint64_t stale = 3'670'392;
  writer.pointTo("TBranch", [&] {
    writer.frame(13, [&] {
      writer.putNamed(name, "");
      writer.put(std::uint32_t{0}); // written baskets
      writer.put(std::uint32_t{1});
      writer.put(std::uint64_t{values.entries});
      writer.put(std::uint64_t{values.entries});
      putList(writer, 1, [&] {
        writer.pointTo(leaf, [&] {
          writer.frame(1, [&] {
            writer.putNamed(name, name);
            writer.put(std::uint32_t{1});
          });
        });
      });
      putList(writer, 1, [&] { putEmbedded(writer, values); });
      writer.put(std::uint8_t{1});
      writer.put(std::uint32_t{0}); // bytes
      writer.put(std::uint8_t{1});
      writer.put(std::uint64_t{0}); // the first entry
      writer.put(std::uint8_t{1});
      writer.put(stale);
    });
  });
}

TreeFile treeWithBaskets() {
  return {fewClasses(), [&](RootObjectWriter& writer) {
            writer.frame(20, [&] {
              writer.put(std::uint64_t{3});
              putList(writer, 2, [&] {
                using namespace std::string_literals;
                putBranchWithin(writer, "x", "TLeafI", {{}, "\0\0\0\7\0\0\0\x8\0\0\0\x9"s, 3});
                putBranchWithin(writer, "s", "TLeafC", {{2, 3, 6}, "\1a\0\2bc"s, 3});
              });
              writer.putNull();
            });
          }};
}

TEST(ForeignTree, hasBasketsInItsRecordDespiteStalePositions) {
  const TreeFile file = treeWithBaskets();
  const auto source = file.source();
  EXPECT_TRUE(source->unreadable().empty());
  test::RowsAsJson rows(*source);
  test::Json numbers, texts;
  for (std::uint64_t entry = 0; entry < 3; ++entry) {
    numbers.push_back(rows.entry(source->schema().tableNamed("x"), entry));
    texts.push_back(rows.entry(source->schema().tableNamed("s"), entry));
  }
  EXPECT_EQ(numbers, test::Json({7, 8, 9}));
  EXPECT_EQ(texts.dump(), R"(["a","","bc"])");
}

TEST(ForeignTree, canHaveOtherBasketsOnDisk) {
  BigEndianWriter sizes, firsts, positions;
  for (const std::uint32_t size : {500U, 0U})
    sizes.put(size);
  for (const std::uint64_t first : {0ULL, 10ULL})
    firsts.put(first);
  for (const std::uint64_t position : {1'000ULL, 9'000'000ULL}) // the second is stale
    positions.put(position);
  const std::string bytes(100, '\0');
  BasketPositions places(2, sizes.bytes(), firsts.bytes(), positions.bytes(), 15);
  for (const std::size_t index : {0U, 1U})
    places.embed({index, std::as_bytes(std::span(bytes))});
  EXPECT_TRUE(places.embedded(0).empty());
  EXPECT_EQ(places.position(0), 1'000U);
  EXPECT_EQ(places.bytes(0), 500U);
  EXPECT_EQ(places.embedded(1).size(), bytes.size());
  EXPECT_EQ(places.position(1), 0U);
  EXPECT_EQ(places.bytes(1), 0U);
  EXPECT_EQ(places.storedBytes(), 500U);
}

TreeFile treeWithObjectsOfUsers() {
  std::vector<ClassInfo> classes = fewClasses();
  classes.push_back({"TClonesArray", 4, 0, {elementOf("TObjArray", baseClass, "BASE")}});
  return {classes, [&](RootObjectWriter& writer) {
            writer.frame(20, [&] {
              writer.put(std::uint64_t{1});
              putList(writer, 1, [&] {
                putBranchWithin(writer, "x", "TLeafI", {{}, std::string(4, '\1'), 1});
              });
              writer.pointTo("TList", [&] {
                writer.frame(5, [&] {
                  writer.putObject();
                  writer.putString("");
                  writer.put(std::uint32_t{1});
                  // The code of this class writes other bytes than the file describes.
                  writer.pointTo("TClonesArray",
                                 [&] { writer.frame(4, [&] { writer.putZeros(40); }); });
                  writer.putString("");
                });
              });
            });
          }};
}

TEST(ForeignTree, canHaveAnyObjectsOfUsers) {
  const TreeFile file = treeWithObjectsOfUsers();
  ASSERT_EQ(file.tree().branches().size(), 1U);
  EXPECT_EQ(file.source()->schema().size(), 1U);
}

TEST(ForeignTree, leavesOutBranchesThatDoNotMatchTheirDescription) {
  std::vector<ClassInfo> classes = fewClasses();
  const TreeFile file(classes, [&](RootObjectWriter& writer) {
    writer.frame(20, [&] {
      writer.put(std::uint64_t{1});
      putList(writer, 2, [&] {
        writer.pointTo("TBranch", [&] {
          writer.frame(13, [&] {
            writer.putNamed("odd", "");
            writer.putZeros(3);
          });
        });
        putBranchWithin(writer, "x", "TLeafI", {{}, std::string(4, '\1'), 1});
      });
      writer.putNull();
    });
  });
  const auto source = file.source();
  ASSERT_EQ(source->schema().size(), 1U);
  EXPECT_EQ(source->schema().table(0).name, "x");
  ASSERT_EQ(source->unreadable().size(), 1U);
  EXPECT_EQ(source->unreadable()[0].name, "odd");
  EXPECT_NE(source->unreadable()[0].reason, "");
}

/// Writes the beginning of TBranch up to version 9: its numbers of entries and bytes.
void putOldSizes(RootObjectWriter& writer, double entries) {
  for (const double number : {entries, 40.0, 40.0})
    writer.put(number);
}

/// Files describe positions of eight bytes. They have four, or eight if the byte before them is 2.
TreeFile treeOfRoot4(bool isWide) {
  std::vector<ClassInfo> classes = fewClasses();
  classes[1].version = 9;
  return {classes, [&](RootObjectWriter& writer) {
            writer.frame(20, [&] {
              writer.put(std::uint64_t{10});
              putList(writer, 1, [&] {
                writer.pointTo("TBranch", [&] {
                  writer.frame(9, [&] {
                    writer.putNamed("x", "x/I");
                    writer.frame(1, [&] { writer.putZeros(4); }); // TAttFill
                    for (const std::uint32_t number : {1U, 32'000U, 0U, 2U, 10U, 0U, 3U, 0U})
                      writer.put(number);
                    putOldSizes(writer, 10);
                    for (int list = 0; list < 3; ++list)
                      putList(writer, 0, [] {});
                    for (const std::vector<std::uint32_t>& numbers :
                         {std::vector<std::uint32_t>{100, 120, 0}, {0, 6, 10}}) {
                      writer.put(std::uint8_t{1});
                      for (const std::uint32_t number : numbers)
                        writer.put(number);
                    }
                    writer.put(static_cast<std::uint8_t>(isWide ? 2 : 1));
                    for (const std::uint32_t position : {500U, 700U, 0U}) {
                      if (isWide)
                        writer.put(std::uint32_t{1});
                      writer.put(position);
                    }
                    writer.putString("");
                  });
                });
              });
              writer.putNull();
            });
          }};
}

TEST(ForeignTree, isReadAsRoot4WritesIt) {
  for (const bool isWide : {false, true}) {
    const TreeFile file = treeOfRoot4(isWide);
    const TreeDescription tree = file.tree();
    ASSERT_EQ(tree.branches().size(), 1U);
    EXPECT_EQ(tree.branches()[0].failure, "");
    const BasketPositions& places = tree.branches()[0].baskets;
    ASSERT_EQ(places.size(), 2U);
    EXPECT_EQ(places.entries(), 10U);
    EXPECT_EQ(places.firstEntry(1), 6U);
    EXPECT_EQ(places.bytes(1), 120U);
    EXPECT_EQ(places.position(1), (isWide ? std::uint64_t{1} << 32 : 0) + 700U);
  }
}

/// Writes a TObjArray like ROOT 3: without a size and without its base class TObject.
void putOldList(RootObjectWriter& writer, std::uint32_t count, const Put& putObjects) {
  writer.put(std::uint16_t{2});
  writer.putString("");
  writer.put(count);
  writer.put(std::uint32_t{0});
  putObjects();
}

void putOldNamed(RootObjectWriter& writer, std::string_view name) {
  writer.put(std::uint16_t{1});
  writer.putObject();
  writer.putString(name);
  writer.putString("");
}

TreeFile treeOfRoot3() {
  const auto putBranch = [](RootObjectWriter& writer) {
    putOldNamed(writer, "x");
    for (const std::uint32_t number : {1U, 8'000U, 0U, 4U, 2U, 10U})
      writer.put(number);
    putOldSizes(writer, 10);
    writer.put(std::uint32_t{0});
    putOldList(writer, 0, [] {});
    putOldList(writer, 1, [&] {
      writer.pointTo("TLeafF", [&] {
        writer.frame(1, [&] {
          writer.frame(1, [&] {
            putOldNamed(writer, "x");
            for (const std::uint32_t number : {3U, 4U, 0U})
              writer.put(number);
            writer.putZeros(2); // not counted, not unsigned
            writer.putNull();
          });
          writer.putZeros(8);
        });
      });
    });
    putOldList(writer, 2, [&] {
      writer.putNull();
      writer.putNull();
    });
    for (const std::vector<std::uint32_t>& numbers :
         {std::vector<std::uint32_t>{0, 6, 10, 0}, {100, 120, 0, 0}, {500, 700, 0, 0}}) {
      writer.put(static_cast<std::uint32_t>(numbers.size()));
      for (const std::uint32_t number : numbers)
        writer.put(number);
    }
    writer.putString("");
  };
  return {{}, [&](RootObjectWriter& writer) {
            writer.frame(4, [&] {
              putOldNamed(writer, "t");
              for (const std::size_t bytes : {6U, 4U, 8U}) { // TAttLine, TAttFill, TAttMarker
                writer.put(std::uint16_t{1});
                writer.putZeros(bytes);
              }
              for (const std::uint32_t number : {25U, 1'000'000'000U, 0U})
                writer.put(number);
              putOldSizes(writer, 10);
              writer.put(std::uint32_t{100'000'000});
              writer.put(std::uint32_t{1'000'000});
              putOldList(writer, 1, [&] {
                writer.pointTo("TBranch", [&] { writer.frame(5, [&] { putBranch(writer); }); });
              });
              putOldList(writer, 0, [] {});
              writer.put(std::uint32_t{0}); // no index
              writer.put(std::uint32_t{0});
              writer.put(std::uint16_t{3}); // a list without objects
              writer.putString("");
              writer.put(std::uint32_t{0});
            });
          }};
}

TEST(ForeignTree, isReadAsRoot3WritesIt) {
  const TreeFile file = treeOfRoot3();
  const TreeDescription tree = file.tree();
  EXPECT_EQ(tree.entries(), 10U);
  ASSERT_EQ(tree.branches().size(), 1U);
  const BranchDescription& branch = tree.branches()[0];
  EXPECT_EQ(branch.name, "x");
  EXPECT_EQ(branch.entries, 10U);
  ASSERT_EQ(branch.leaves.size(), 1U);
  EXPECT_EQ(branch.leaves[0].length, 3U);
  ASSERT_EQ(branch.baskets.size(), 2U);
  EXPECT_EQ(branch.baskets.firstEntry(1), 6U);
  EXPECT_EQ(branch.baskets.bytes(1), 120U);
  EXPECT_EQ(branch.baskets.position(1), 700U);
}

TEST(ForeignTree, isReadOrRefusedWhereBytesAreOthers) {
  const test::Warnings warnings;
  test::Random random(7);
  constexpr int trials = test::isSanitized ? 200 : 1000;
  for (const std::string& whole :
       {treeWithBaskets().bytes(), treeWithObjectsOfUsers().bytes(), treeOfRoot4(false).bytes(),
        treeOfRoot4(true).bytes(), treeOfRoot3().bytes()}) {
    int refused = 0;
    for (int trial = 0; trial < trials; ++trial)
      refused += test::survives(test::withOtherBytes(whole, random)) ? 0 : 1;
    EXPECT_GT(refused, 0);
  }
}

/// Returns the paths of the members that a table of these values gets.
std::vector<std::string> pathsOf(std::vector<NamedValues> values, TreeTables& tables) {
  const Schema stored;
  TableBuilder(tables, stored).addRoot("t", "Derived", std::nullopt, values);
  std::vector<std::string> paths;
  for (const Member& member : tables.schema.table(0).members)
    paths.emplace_back(member.name);
  return paths;
}

Unit unitOfShape(ShapePart part, PartBudget& budget) {
  static const BranchDescription branch;
  Unit unit;
  unit.branch = &branch;
  unit.part = std::move(part);
  std::uint32_t outputs = 0;
  numberOutputs(unit.part.shape, outputs, budget);
  return unit;
}

TEST(ForeignTree, namesMembersOfBasesThatOthersHideAfterTheBase) {
  const Classes classes(
      {{"Base", 1, 0, {elementOf("x", intNumber), elementOf("y", intNumber)}},
       {"Derived", 1, 0, {elementOf("Base", baseClass, "BASE"), elementOf("x", intNumber)}}});
  Shapes shapes(classes, 1'000);
  TreeTables tables;
  tables.units.push_back(unitOfShape(shapes.ofWholeObject("Derived"), shapes.budget()));
  const Shape& shape = tables.units[0].part.shape;
  EXPECT_EQ(pathsOf({{"", 0, &shape}}, tables), (std::vector<std::string>{"Base.x", "y", "x"}));
  // The outputs of these members.
  EXPECT_EQ(tables.origins[0].output, shape.parts[0].shape.parts[0].shape.output);
  EXPECT_EQ(tables.origins[2].output, shape.parts[1].shape.output);
}

TEST(ForeignTree, hasObjectsWithoutTheMembersThatCannotBeRead) {
  // TH1, for example, has a list of functions, whose classes kaon does not know.
  const Classes classes(
      {{"Histogram",
        1,
        0,
        {elementOf("name", tString, "const TString"),
         elementOf("functions", objectPointerNeverNull, "TList*"),
         elementOf("unknown", objectAny, "Other"), elementOf("x", intNumber, "const int")}}});
  Shapes shapes(classes, 1'000);
  ShapePart part = shapes.ofWholeObject("Histogram");
  EXPECT_EQ(shapes.leftOut().size(), 2U);
  std::uint32_t outputs = 0;
  numberOutputs(part.shape, outputs, shapes.budget());
  ASSERT_EQ(outputs, 3U); // the text has two
  RootObjectWriter writer(0);
  writer.frame(1, [&] {
    writer.putString("h");
    writer.frame(5, [&] { writer.putZeros(20); });
    writer.frame(1, [&] { writer.put(std::uint32_t{1}); });
    writer.put(std::uint32_t{7});
  });
  ShapeDecoder stream(part);
  BigEndianReader reader(writer.bytes(), "f.root");
  stream.decode(reader, writer.size(), 1);
  EXPECT_EQ(test::textOf(stream.values(1)), "h");
  EXPECT_EQ(detail::loadAs<std::int32_t>(stream.values(2).data()), 7);
}

/// Returns the values of an output, decoded from one entry.
template <class T>
std::vector<T> valuesIn(const ShapePart& part, const RootObjectWriter& writer,
                        std::uint32_t output) {
  ShapeDecoder stream(part);
  BigEndianReader reader(writer.bytes(), "f.root");
  stream.decode(reader, writer.size(), 1);
  const auto bytes = stream.values(output);
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TEST(ForeignTree, hasTrianglesOfSymmetricMatrices) {
  const Classes classes(
      {{"TMatrixTBase<double>", 5, 0, {elementOf("fNrows", intNumber)}},
       {"TMatrixTSym<double>",
        2,
        0,
        {elementOf("TMatrixTBase<double>", baseClass, "BASE"),
         elementOf("fElements", countedArray + doubleNumber, "double*", "fNelems")}},
       {"Hit", 1, 0, {elementOf("covariance", objectAny, "TMatrixTSym<double>")}}});
  Shapes shapes(classes, 1'000);
  ShapePart part = shapes.ofWholeObject("Hit");
  EXPECT_TRUE(shapes.leftOut().empty());
  std::uint32_t outputs = 0;
  numberOutputs(part.shape, outputs, shapes.budget());
  ASSERT_EQ(outputs, 3U); // rows, counts, elements
  RootObjectWriter writer(0);
  writer.frame(1, [&] {
    writer.frame(5, [&] { writer.put(std::uint32_t{2}); });
    for (const double element : {1.0, 2.0, 3.0})
      writer.put(element);
  });
  EXPECT_EQ(valuesIn<std::int32_t>(part, writer, 0), std::vector<std::int32_t>{2});
  EXPECT_EQ(valuesIn<double>(part, writer, 2), (std::vector<double>{1, 2, 3}));
}

TEST(ForeignTree, canCountLeavesInTheSameBranch) {
  BranchDescription branch;
  branch.leaves.resize(2);
  branch.leaves[0].name = "n";
  branch.leaves[0].className = "TLeafI";
  branch.leaves[1].name = "x";
  branch.leaves[1].className = "TLeafF";
  branch.leaves[1].counter = "n";
  const std::optional<Unit> unit = unitOfVariableLeaves(branch);
  ASSERT_TRUE(unit.has_value());
  RootObjectWriter writer(0);
  writer.put(std::uint32_t{2});
  writer.put(1.5F);
  writer.put(2.5F);
  EXPECT_EQ(valuesIn<std::uint32_t>(unit->part, writer, 1), (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(valuesIn<float>(unit->part, writer, 2), (std::vector<float>{1.5F, 2.5F}));
  branch.leaves[1].counter = "other";
  test::expectError(ErrorKind::version, "no leaf before 'x' counts its values",
                    [&] { (void)unitOfVariableLeaves(branch); });
}

/// Returns the structure of the member that a leaf with this title becomes.
std::string structureOfLeaf(std::string_view title, std::uint32_t length) {
  BranchDescription branch;
  branch.leaves.resize(1);
  branch.leaves[0] = {
      .name = "x", .title = title, .className = "TLeafF16", .length = length, .counter = "n"};
  TreeTables tables;
  tables.units.push_back(unitsOfLeaves(branch).at(0));
  const Schema stored;
  TableBuilder(tables, stored)
      .addRoot("t", "", std::nullopt, {{"at.x", 0, &tables.units[0].part.shape}});
  return std::string(tables.schema.table(0).members[0].structure);
}

TEST(ForeignTree, keepsShapesInTitlesOfLeaves) {
  EXPECT_EQ(structureOfLeaf("x[2][3]", 6), ".[2][3]");
  EXPECT_EQ(structureOfLeaf("x[n][2][1][3][0,10,5]/f", 6), "");
  EXPECT_EQ(structureOfLeaf("x[n][2][1][3]", 6), ".[2][1][3]");
  for (const std::string_view title : {"x", "x[", "x[6]", "x[n][6]", "x[2][4]", "x[2][0][3]",
                                       "x[m][2][3]", "x[2]y[3]", "x[99999999999][6]"})
    EXPECT_EQ(structureOfLeaf(title, 6), "") << title;
}

TEST(ForeignTree, keepsShapesOfMembers) {
  ElementInfo grid = elementOf("grid", fixedArray + intNumber, "int");
  grid.length = 6;
  grid.dimensions = "[2][3]";
  ElementInfo row = elementOf("row", fixedArray + intNumber, "int");
  row.length = 6;
  const Classes classes(
      {{"Hit",
        1,
        0,
        {grid, row, elementOf("nested", objectAny, "pair<int,array<array<float,3>,2>>")}}});
  Shapes shapes(classes, 1'000);
  TreeTables tables;
  tables.units.push_back(unitOfShape(shapes.ofWholeObject("Hit"), shapes.budget()));
  const Schema stored;
  TableBuilder(tables, stored)
      .addRoot("t", "", std::nullopt, {{"at", 0, &tables.units[0].part.shape}});
  std::vector<std::string> structures;
  for (const Member& member : tables.schema.table(0).members)
    structures.emplace_back(member.structure);
  EXPECT_EQ(structures, (std::vector<std::string>{".[2][3]", "", "", "..[2][3]"}));
}

TEST(ForeignTree, namesTypesWithoutConst) {
  EXPECT_EQ(normalTypeName("const std::string"), "string");
  EXPECT_EQ(normalTypeName("std::vector<const Part *>"), "vector<Part*>");
  EXPECT_EQ(normalTypeName("constant x"), "constant x");
}

TEST(ForeignTree, hasNoMemberInsideAnother) {
  TreeTables tables;
  PartBudget budget(100);
  ShapePart part;
  part.shape.kind = Shape::Kind::bits;
  for (int unit = 0; unit < 4; ++unit)
    tables.units.push_back(unitOfShape(part, budget));
  std::vector<NamedValues> values;
  for (const auto& [path, owner] :
       {std::pair{"o.fBits", "TObject"}, std::pair{"o.n", "Trigger"},
        std::pair{"o.fBits.fUniqueID", "TObject"}, std::pair{"o.fBits.fNbits", "TBits"}}) {
    const auto unit = static_cast<std::uint32_t>(values.size());
    values.push_back({path, unit, &tables.units[unit].part.shape, {}, owner});
  }
  EXPECT_EQ(
      pathsOf(values, tables),
      (std::vector<std::string>{"o.TObject.fBits", "o.n", "o.fBits.fUniqueID", "o.fBits.fNbits"}));
  EXPECT_TRUE(tables.unreadable.empty());
}

} // namespace
} // namespace kaon::root
