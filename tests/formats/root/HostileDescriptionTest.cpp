#include <kaon/formats/root/container/Blocks.h>
#include <kaon/formats/root/ntuple/Envelope.h>
#include <kaon/formats/root/ntuple/NTuple.h>
#include <kaon/formats/root/ntuple/NTupleCursor.h>
#include <kaon/formats/root/objects/Objects.h>
#include <kaon/formats/root/tree/Shapes.h>

#include "support/DataFiles.h"
#include "support/Errors.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

// Small files that claim much: what they can ask for is in proportion to them.

namespace kaon::root {
namespace {

using test::expectError;

constexpr std::uint64_t mebi = std::uint64_t{1} << 20;

TEST(HostileDescription, cannotBecomeMoreThanCodecsUsuallyMake) {
  EXPECT_TRUE(canBecome(100, mebi)); // a page of zeros
  EXPECT_FALSE(canBecome(30, mebi));
  EXPECT_TRUE(canBecome(mebi, 1024 * mebi));
  EXPECT_FALSE(canBecome(mebi / 2, 1024 * mebi));
  EXPECT_TRUE(canDescribe(58'276, 4'975'843)); // a tree of 10,000 branches, as ROOT wrote it
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

/// A class with members of these types.
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

/// The beginning of a TObjArray of so many objects.
void putList(BigEndianWriter& bytes, std::uint32_t count) {
  bytes.put(std::uint16_t{3}); // its version
  bytes.putZeros(10);          // TObject
  bytes.putString("");
  bytes.put(count);
  bytes.put(std::uint32_t{0});
}

TEST(HostileDescription, hasNoMoreObjectsThanBytes) {
  Classes classes;
  classes.addMissing(classOf("Empty", {}));
  constexpr std::uint32_t count = 60'000, keyBytes = 50;
  BigEndianWriter bytes;
  putList(bytes, count);
  const auto firstClass = static_cast<std::uint32_t>(bytes.size()) + 4 + keyBytes + 2;
  for (std::uint32_t i = 0; i < count; ++i) {
    bytes.put(std::uint32_t{0x4000'0000 + (i == 0 ? 12U : 6U)});
    bytes.put(i == 0 ? ~std::uint32_t{0} : 0x8000'0000U | firstClass);
    if (i == 0)
      bytes.putCString("Empty");
    bytes.put(std::uint16_t{1}); // its version, and nothing else
  }
  Objects objects(classes, {bytes.bytes(), "f.root"}, keyBytes);
  expectError(ErrorKind::corrupt, "more objects than there is room for",
              [&] { (void)objects.read("TObjArray"); });
}

TEST(HostileDescription, hasNoObjectsThatEndInTheNameOfTheirClass) {
  const Classes classes;
  BigEndianWriter bytes;
  putList(bytes, 1);
  bytes.put(std::uint32_t{0x4000'0000 + 4}); // as many as the mark of a new class has
  bytes.put(~std::uint32_t{0});
  bytes.putCString("TBasket");
  Objects objects(classes, {bytes.bytes(), "f.root"}, 50);
  expectError(ErrorKind::corrupt, "an object ends in the name of its class",
              [&] { (void)objects.read("TObjArray"); });
}

TEST(HostileDescription, hasNoObjectsThatGoOnBehindTheirEnds) {
  const Classes classes;
  BigEndianWriter bytes;
  putList(bytes, 1);
  bytes.put(std::uint32_t{0x4000'0000 + 4 + 7 + 2}); // mark, name, and a part of the object
  bytes.put(~std::uint32_t{0});
  bytes.putCString("TNamed");
  bytes.put(std::uint16_t{1});
  bytes.putZeros(10);
  bytes.putString("name");
  bytes.putString("title");
  Objects objects(classes, {bytes.bytes(), "f.root"}, 50);
  expectError(ErrorKind::corrupt, "an object has another length than it says",
              [&] { (void)objects.read("TObjArray"); });
}

TEST(HostileDescription, hasNoTypesOfAnyNumberOfParts) {
  Classes classes;
  classes.addMissing(classOf("Level0", {"TString", "TString"}));
  for (int level = 1; level < 11; ++level) { // twice as many in each
    const std::string inner = "Level" + std::to_string(level - 1);
    classes.addMissing(classOf("Level" + std::to_string(level), {inner, inner}));
  }
  Shapes few(classes, 1'000);
  EXPECT_EQ(few.ofWhole("Level3", 1, 0).shape.parts.size(), 2U);
  expectError(ErrorKind::version, "the types of the branches have more than 1000 parts",
              [&] { (void)few.ofWhole("Level10", 1, 0); });
  expectError(ErrorKind::version, "more than 1000 parts", // all together
              [&] { (void)few.ofWhole("Level3", 1, 0); });
}

TEST(HostileDescription, hasNoTypesInThemselves) {
  Classes classes;
  classes.addMissing(classOf("Node", {"Node"}));
  Shapes shapes(classes, 1'000);
  expectError(ErrorKind::version, "the type 'Node' lies in itself, or in too many others",
              [&] { (void)shapes.ofWhole("Node", 1, 0); });
}

/// An RNTuple with one field, an array that came later than all entries: nothing of it is stored.
NTuple withLateArray(const Container& container, std::uint64_t elements, std::uint64_t entries) {
  NTuple ntuple{container, "f.root:ntpl", {}, {}, {}};
  Descriptor& descriptor = ntuple.descriptor;
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
  column.type = ColumnType::Real32;
  column.bits = 32;
  column.field = 1;
  column.isDeferred = true;
  ntuple.mapping = mapFields(descriptor);
  ntuple.clusters.emplace_back().entries = entries;
  return ntuple;
}

TEST(HostileDescription, hasZerosOfAPageAtATime) {
  const Container container(io::fileSource(test::dataFile("root/rntuple_dirs.root")));
  constexpr std::uint64_t elements = 1 << 20;
  const NTuple ntuple = withLateArray(container, elements, 1'000'000);
  NTupleCursor cursor(ntuple);
  const PageRange range = cursor.pages(0, 7);
  EXPECT_EQ(range.lastEntry - range.firstEntry, 1U);
  Page page;
  cursor.read(0, range, 1, page);
  EXPECT_EQ(page.storage.size(), elements * sizeof(float));
}

} // namespace
} // namespace kaon::root
