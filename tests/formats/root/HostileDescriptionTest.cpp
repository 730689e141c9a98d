#include <kaon/formats/root/container/Blocks.h>
#include <kaon/formats/root/ntuple/Envelope.h>
#include <kaon/formats/root/ntuple/NTuple.h>
#include <kaon/formats/root/ntuple/NTupleCursor.h>
#include <kaon/formats/root/ntuple/PageList.h>
#include <kaon/formats/root/objects/ClassWriter.h>
#include <kaon/formats/root/objects/RootObjectReader.h>
#include <kaon/formats/root/tree/ShapeDecoder.h>
#include <kaon/formats/root/tree/Shapes.h>

#include "support/DataFiles.h"
#include "support/Errors.h"
#include "support/RootBytes.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

// Small files that state large sizes. Memory and time must stay in proportion to the file.

namespace kaon::root {
namespace {

using test::expectError;

constexpr std::uint64_t mebi = std::uint64_t{1} << 20;

TEST(HostileDescription, cannotBecomeMoreThanCodecsUsuallyMake) {
  EXPECT_TRUE(canBecome(100, mebi)); // a page of zeros
  EXPECT_FALSE(canBecome(30, mebi));
  EXPECT_TRUE(canBecome(mebi, 1024 * mebi));
  EXPECT_FALSE(canBecome(mebi / 2, 1024 * mebi));
  EXPECT_TRUE(canDescribe(58'276, 4'975'843)); // a tree of 10,000 branches that ROOT wrote
  EXPECT_TRUE(canDescribe(100, mebi));
  EXPECT_FALSE(canDescribe(1'000, 2 * mebi));
}

TEST(HostileDescription, isNotDecompressedWhereItClaimsTooMuch) {
  const std::string zeros(8 * mebi, '\0');
  Buffer blocks, room;
  ASSERT_TRUE(compressBlocks(zstd(), std::as_bytes(std::span(zeros)), blocks));
  ASSERT_LT(blocks.size(), zeros.size() / 1024);
  expectError(ErrorKind::corrupt, "claims a length that it cannot have", [&] {
    (void)openEnvelope(blocks.bytes(), EnvelopeType::header, zeros.size(), room, "f.root");
  });
  EXPECT_EQ(room.capacity(), 0U);
}

/// Returns a class with members of these types.
ClassInfo classOf(std::string name, const std::vector<std::string>& types) {
  ClassInfo info{std::move(name), 1, 0, {}};
  for (const std::string& type : types) {
    ElementInfo& element = info.elements.emplace_back();
    element.name = "m" + std::to_string(info.elements.size());
    element.typeName = type;
    element.type = objectAny;
  }
  return info;
}

/// Writes the beginning of a TObjArray with this number of objects.
void putList(BigEndianWriter& bytes, std::uint32_t count) {
  bytes.put(std::uint16_t{3}); // its version
  bytes.putZeros(10);          // TObject
  bytes.putString("");
  bytes.put(count);
  bytes.put(std::uint32_t{0});
}

TEST(HostileDescription, hasNoMoreObjectsThanBytes) {
  const Classes classes({classOf("Empty", {})});
  constexpr std::uint32_t count = 60'000, keyBytes = 50;
  BigEndianWriter bytes;
  putList(bytes, count);
  const auto firstClass = static_cast<std::uint32_t>(bytes.size()) + 4 + keyBytes + 2;
  for (std::uint32_t i = 0; i < count; ++i) {
    bytes.put(std::uint32_t{0x4000'0000 + (i == 0 ? 12U : 6U)});
    bytes.put(i == 0 ? ~std::uint32_t{0} : 0x8000'0000U | firstClass);
    if (i == 0)
      bytes.putCString("Empty");
    bytes.put(std::uint16_t{1}); // the version and nothing else
  }
  RootObjectReader objects({&classes}, {bytes.bytes(), "f.root"}, keyBytes);
  expectError(ErrorKind::corrupt, "more objects than there is room for",
              [&] { (void)objects.read("TObjArray"); });
}

TEST(HostileDescription, hasNoObjectsThatEndInTheNameOfTheirClass) {
  const Classes classes;
  BigEndianWriter bytes;
  putList(bytes, 1);
  bytes.put(std::uint32_t{0x4000'0000 + 4}); // the length equals the mark of a new class
  bytes.put(~std::uint32_t{0});
  bytes.putCString("TBasket");
  RootObjectReader objects({&classes}, {bytes.bytes(), "f.root"}, 50);
  expectError(ErrorKind::corrupt, "an object ends in the name of its class",
              [&] { (void)objects.read("TObjArray"); });
}

/// Writes an object behind a pointer, with this number of bytes after the name of its class.
void putObject(BigEndianWriter& bytes, const std::string& className, std::uint32_t objectBytes) {
  bytes.put(static_cast<std::uint32_t>(0x4000'0000 + 4 + className.size() + 1 + objectBytes));
  bytes.put(~std::uint32_t{0});
  bytes.putCString(className);
}

void putNamed(BigEndianWriter& bytes, const std::string& name) {
  bytes.put(std::uint16_t{1});
  bytes.putZeros(10);
  bytes.putString(name);
  bytes.putString("");
}

TEST(HostileDescription, hasNoObjectsThatGoOnBehindTheirEnds) {
  const Classes classes;
  BigEndianWriter bytes;
  putList(bytes, 1);
  putObject(bytes, "TNamed", 2); // less than the object has
  putNamed(bytes, "name");
  RootObjectReader objects({&classes}, {bytes.bytes(), "f.root"}, 50);
  const Object& list = objects.read("TObjArray");
  ASSERT_EQ(list.items.size(), 1U);
  EXPECT_NE(list.items[0]->failure.find("ends behind its last byte"), std::string::npos);
}

TEST(Objects, areSkippedIfTheyDoNotMatchTheDescriptionOfTheirClass) {
  // The code of this class writes other bytes than the file describes.
  const Classes classes({classOf("Odd", {"TObjArray"})});
  constexpr std::uint32_t keyBytes = 50, bytesOfNamed = 15;
  BigEndianWriter bytes;
  putList(bytes, 3);
  const std::size_t odd = bytes.size();
  putObject(bytes, "Odd", 4 + 2 + 4 + 4 + 7 + bytesOfNamed);
  bytes.put(std::uint32_t{0x4000'0000 + 2 + 4 + 4 + 7 + bytesOfNamed});
  bytes.put(std::uint16_t{1});
  const auto classInside = static_cast<std::uint32_t>(bytes.size()) + keyBytes + 2 + 4;
  putObject(bytes, "TNamed", bytesOfNamed); // its class name is used again by the next object
  putNamed(bytes, "a");
  bytes.put(static_cast<std::uint32_t>(0x4000'0000 + 4 + bytesOfNamed));
  bytes.put(0x8000'0000U | classInside);
  putNamed(bytes, "b");
  bytes.put(std::uint32_t{0x4000'0000 + 4}); // refers to an earlier object, after a length
  bytes.put(static_cast<std::uint32_t>(odd) + keyBytes + 2);
  RootObjectReader objects({&classes}, {bytes.bytes(), "f.root"}, keyBytes);
  const Object& list = objects.read("TObjArray");
  ASSERT_EQ(list.items.size(), 3U);
  EXPECT_NE(list.items[0]->failure, "");
  EXPECT_EQ(list.items[0]->info, nullptr);
  EXPECT_EQ(list.items[1]->failure, "");
  EXPECT_EQ(list.items[1]->name, "b");
  EXPECT_EQ(list.items[2], list.items[0]);
}

TEST(HostileDescription, hasNoTypesOfAnyNumberOfParts) {
  std::vector<ClassInfo> infos{classOf("Level0", {"TString", "TString"})};
  for (int level = 1; level < 11; ++level) { // each level doubles the number of parts
    const std::string inner = "Level" + std::to_string(level - 1);
    infos.push_back(classOf("Level" + std::to_string(level), {inner, inner}));
  }
  const Classes classes(std::move(infos));
  Shapes few(classes, 1'000);
  EXPECT_EQ(few.ofWhole("Level3", 1, 0).shape.parts.size(), 2U);
  expectError(ErrorKind::version, "the types of the branches have more than 1000 parts",
              [&] { (void)few.ofWhole("Level10", 1, 0); });
  expectError(ErrorKind::version, "more than 1000 parts", // all together
              [&] { (void)few.ofWhole("Level3", 1, 0); });
}

TEST(HostileDescription, hasNoTypesInThemselves) {
  const Classes classes({classOf("Node", {"Node"})});
  Shapes shapes(classes, 1'000);
  expectError(ErrorKind::version, "the type 'Node' contains itself, or is nested too deeply",
              [&] { (void)shapes.ofWhole("Node", 1, 0); });
}

/// Returns a version of a class with these members.
ClassInfo versionOf(std::string name, std::int32_t version, std::vector<ElementInfo> elements) {
  return {std::move(name), version, static_cast<std::uint32_t>(version), std::move(elements)};
}

/// Returns classes read from a file's description, including several versions of a class.
Classes described(std::span<const ClassInfo> classes) {
  RootObjectWriter writer(50);
  putClasses(writer, classes);
  return {writer.bytes(), 50, "f.root: classes"};
}

TEST(HostileDescription, hasNoVersionsOfClassesThatLackAnyNumberOfMembers) {
  std::vector<ClassInfo> versions;
  std::vector<ElementInfo> members;
  for (int i = 0; i < 300; ++i)
    members.push_back({"m" + std::to_string(i), "", "int", "", intNumber});
  for (int version = 1; version < 300; ++version) // without members
    versions.push_back(versionOf("Big", version, {}));
  versions.push_back(versionOf("Big", 300, members));
  const Classes classes = described(versions);
  Shapes shapes(classes, 10'000);
  ShapePart big = shapes.ofWholeObject("Big");
  EXPECT_EQ(big.shape.versions.size(), 299U);
  std::uint32_t outputs = 0;
  expectError(ErrorKind::version, "the types of the branches have more than 10000 parts",
              [&] { numberOutputs(big.shape, outputs, shapes.budget()); });
}

TEST(HostileDescription, hasNoVersionsThatCanOnlyStandForTheirOwnClass) {
  // Version 1 of Outer has an Inner where version 2 has an Other. Member `a` has different types in
  // Other and in version 1 of Inner.
  const ElementInfo inner{"m", "", "Inner", "", objectAny}, other{"m", "", "Other", "", objectAny};
  const std::vector<ClassInfo> all{
      versionOf("Point", 1, {{"x", "", "int", "", intNumber}}),
      versionOf("Inner", 1, {{"a", "", "Point*", "", objectPointer}}),
      versionOf("Inner", 2, {{"b", "", "int", "", intNumber}}),
      versionOf("Other", 1, {{"a", "", "int", "", intNumber}, {"b", "", "int", "", intNumber}}),
      versionOf("Outer", 1, {inner}),
      versionOf("Outer", 2, {other})};
  const Classes classes = described(all);
  Shapes shapes(classes, 1'000);
  ShapePart outer = shapes.ofWholeObject("Outer");
  std::uint32_t outputs = 0;
  numberOutputs(outer.shape, outputs, shapes.budget());
  ASSERT_EQ(outer.shape.versions.size(), 1U);
  EXPECT_TRUE(outer.shape.versions[0].parts[0].shape.versions.empty());
}

TEST(HostileDescription, hasNoVersionsOfAClassThatAreLookedAtOneByOne) {
  std::vector<ClassInfo> all;
  for (std::int32_t version = 1; version <= 100'000; ++version)
    all.push_back(versionOf("Hit", version, {}));
  const Classes classes = described(all);
  EXPECT_EQ(classes.versions("Hit").size(), all.size());
  for (const ClassInfo& info : all) {
    ASSERT_EQ(classes.find("Hit", info.version)->version, info.version);
    ASSERT_EQ(classes.find("Hit", 0, info.checksum)->version, info.version);
    ASSERT_EQ(classes.newest("Hit")->version, 100'000);
  }
  EXPECT_EQ(classes.find("Hit", 100'001), nullptr);
  EXPECT_EQ(classes.newest("Hi"), nullptr);
}

TEST(HostileDescription, hasNoMembersOfOneName) {
  const ElementInfo member{"m", "", "int", "", intNumber};
  const Classes classes = described(std::vector{versionOf("Twice", 1, {member, member})});
  Shapes shapes(classes, 1'000);
  expectError(ErrorKind::version, "the type 'Twice' has two members of one name",
              [&] { (void)shapes.ofWholeObject("Twice"); });
}

TEST(HostileDescription, hasNoNamesOfPartsOfAnyLength) {
  const Classes classes = described(
      std::vector{versionOf("Long", 1, {{std::string(100'000, 'x'), "", "int", "", intNumber}})});
  Shapes shapes(classes, 1'000);
  expectError(ErrorKind::version, "more than 1000 parts",
              [&] { (void)shapes.ofWholeObject("Long"); });
}

/// Returns a shape without parts.
Shape shapeOf(Shape::Kind kind) {
  Shape shape;
  shape.kind = kind;
  return shape;
}

TEST(HostileDescription, hasNoListsOfAnyLengthInMembersThatAreMissing) {
  ShapePart texts;
  texts.wrap = ShapePart::Wrap::absent;
  texts.shape = shapeOf(Shape::Kind::list);
  texts.shape.length = 1 << 18;
  texts.shape.parts.emplace_back().shape = shapeOf(Shape::Kind::text);
  ShapePart record;
  record.shape = shapeOf(Shape::Kind::record);
  record.shape.parts = {std::move(texts)};
  record.shape.parts.emplace_back().shape = shapeOf(Shape::Kind::text); // so that it has bytes
  std::uint32_t outputs = 0;
  PartBudget none(0);
  numberOutputs(record.shape, outputs, none);
  ShapeDecoder stream(record);
  const std::array<std::byte, 100> entries{}; // one byte per entry
  BigEndianReader reader(entries, "f.root");
  expectError(ErrorKind::corrupt, "missing values take too much memory", [&] {
    for (std::size_t end = 1; end <= entries.size(); ++end)
      stream.decode(reader, end, 1);
  });
}

TEST(HostileDescription, hasNoPageListsThatAreLargerThanTheFile) {
  const std::array<std::byte, 100> file{};
  const auto bytes = io::memorySource("f.root", file);
  NTupleDescriptor descriptor;
  descriptor.groups.assign(2, ClusterGroup{1, {100, {0, 60}}});
  expectError(ErrorKind::corrupt, "f.root:t: the page lists are larger than the file",
              [&] { (void)readClusters(*bytes, descriptor, "f.root:t"); });
}

TEST(HostileDescription, hasNoNamesOfFieldsThatAddUpToAnyLength) {
  NTupleDescriptor descriptor;
  constexpr std::uint32_t levels = 20;
  descriptor.fields.resize(levels);
  for (std::uint32_t i = 0; i < levels; ++i) {
    NTupleField& field = descriptor.fields[i];
    field.name = std::string(1'000, 'x');
    if (i + 1 < levels) {
      field.role = FieldRole::record;
      field.children = {i + 1};
    }
  }
  descriptor.fields.back().typeName = "float";
  descriptor.fields.back().columns = {0};
  descriptor.topFields = {0};
  descriptor.columns.push_back({.type = NTupleColumnType::Real32, .bits = 32, .field = levels - 1});
  const Mapping mapping = mapFields(descriptor);
  EXPECT_EQ(mapping.schema.size(), 0U);
  ASSERT_EQ(mapping.unreadable.size(), 1U);
  test::expectContains(mapping.unreadable[0].reason, "more than 16000 bytes together");
}

/// Returns an RNTuple with the sizes of lists, computed from their ends, like a projected field of
/// NanoAOD.
NTuple withSizes(const RootContainer& container, const test::RootKey& page,
                 std::uint32_t elements) {
  NTuple ntuple{container, "f.root:ntpl", {}, {}, {}};
  NTupleDescriptor& descriptor = ntuple.descriptor;
  NTupleField& field = descriptor.fields.emplace_back();
  field.name = "nMuon";
  field.typeName = "ROOT::RNTupleCardinality<std::uint32_t>";
  field.columns = {0};
  descriptor.topFields = {0};
  descriptor.columns.push_back({.type = NTupleColumnType::Index32, .bits = 32});
  ntuple.mapping = mapFields(descriptor);
  Cluster& cluster = ntuple.clusters.emplace_back();
  cluster.entries = elements;
  cluster.columns.push_back({.pages = 1, .elements = elements, .isThere = true});
  cluster.pages.push_back(
      {{page.position + test::bytesOf(page).size(), page.storedBytes}, 0, elements, false});
  return ntuple;
}

TEST(HostileDescription, hasNoListsThatEndBeforeTheyBegin) {
  for (const bool isSound : {true, false}) {
    const std::array<std::uint32_t, 3> ends{2, 5, isSound ? 5U : 4U};
    test::RootFileBytes file;
    const test::RootKey page =
        file.add("RBlob", "", {reinterpret_cast<const char*>(ends.data()), sizeof ends});
    const std::string bytes = file.finish({});
    const RootContainer container(io::memorySource("f.root", std::as_bytes(std::span(bytes))));
    const NTuple ntuple = withSizes(container, page, ends.size());
    NTupleCursor cursor(ntuple);
    detail::Page sizes;
    const auto read = [&] { cursor.read(0, cursor.pages(0, 0), ends.size(), sizes); };
    if (isSound)
      read();
    else
      expectError(ErrorKind::corrupt, "'nMuon' in entries 0 to 3: lists end before they begin",
                  read);
  }
}

/// Returns an RNTuple with one field, an array that was added after all entries, so that none of
/// its values are stored.
NTuple withLateArray(const RootContainer& container, std::uint64_t elements,
                     std::uint64_t entries) {
  NTuple ntuple{container, "f.root:ntpl", {}, {}, {}};
  NTupleDescriptor& descriptor = ntuple.descriptor;
  descriptor.fields.resize(2);
  descriptor.fields[0].name = "late";
  descriptor.fields[0].typeName = "std::array<float," + std::to_string(elements) + ">";
  descriptor.fields[0].arraySize = elements;
  descriptor.fields[0].children = {1};
  descriptor.fields[1].name = "_0";
  descriptor.fields[1].typeName = "float";
  descriptor.fields[1].columns = {0};
  descriptor.topFields = {0};
  StoredColumn& column = descriptor.columns.emplace_back();
  column.type = NTupleColumnType::Real32;
  column.bits = 32;
  column.field = 1;
  column.isDeferred = true;
  ntuple.mapping = mapFields(descriptor);
  ntuple.clusters.emplace_back().entries = entries;
  return ntuple;
}

TEST(HostileDescription, hasZerosOfAPageAtATime) {
  const RootContainer container(io::fileSource(test::dataFile("root/rntuple_dirs.root")));
  constexpr std::uint64_t elements = 1 << 20;
  const NTuple ntuple = withLateArray(container, elements, 1'000'000);
  NTupleCursor cursor(ntuple);
  const detail::PageRange range = cursor.pages(0, 7);
  EXPECT_EQ(range.lastEntry - range.firstEntry, 1U);
  detail::Page page;
  cursor.read(0, range, 1, page);
  EXPECT_EQ(page.storage.size(), elements * sizeof(float));
}

} // namespace
} // namespace kaon::root
