#include <kaon/batch/HistogramSum.h>
#include <kaon/formats/root/RootFile.h>
#include <kaon/formats/root/RootFileWriter.h>
#include <kaon/formats/root/RootObjects.h>
#include <kaon/formats/root/objects/CopiedClasses.h>
#include <kaon/formats/root/objects/HistogramClasses.h>
#include <kaon/formats/root/objects/MemberReader.h>
#include <kaon/formats/root/objects/MemberWriter.h>

#include "support/DamagedRootFile.h"
#include "support/DataFiles.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/Random.h"
#include "support/Warnings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// Objects that are not trees: they are read as trees of members, written again, and added.

namespace kaon::root {
namespace {

std::unique_ptr<File> sample() {
  return openRootFile(io::fileSource(test::dataFile("root/histograms.root")), {});
}

const RootObjects& objectsOf(const File& file) {
  return dynamic_cast<const RootObjects&>(*file.objectStore());
}

std::string_view textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

const DescribedObject& rootOf(const ObjectTree& tree) {
  return tree.parts[std::get<ObjectPart>(tree.root.is).number];
}

std::vector<double> doublesOf(const ObjectTree& tree, std::string_view member) {
  const auto& numbers = std::get<ObjectNumbers>(rootOf(tree).find(member)->is);
  std::vector<double> values(numbers.size());
  std::memcpy(values.data(), numbers.bytes.data(), numbers.bytes.size());
  return values;
}

ObjectValue doubles(const std::vector<double>& values) {
  ObjectNumbers numbers{Scalar::Float64, std::vector<std::byte>(values.size() * sizeof(double))};
  std::memcpy(numbers.bytes.data(), values.data(), numbers.bytes.size());
  return {.is = std::move(numbers)};
}

/// A histogram of two bins.
ObjectTree twoBins() {
  ObjectTree tree;
  tree.root = {.is = ObjectPart{0}};
  tree.parts.resize(2);
  tree.parts[0] = {"TH1D",
                   {{"", "fName", {.is = "h"}},
                    {"", "fTitle", {.is = "a title"}},
                    {"", "fNcells", {.is = std::int64_t{4}}},
                    {"", "fXaxis", {.is = ObjectPart{1}}},
                    {"", "fArray", doubles({1, 2, 3, 4})}},
                   {}};
  tree.parts[1] = {
      "TAxis", {{"", "fNbins", {.is = std::int64_t{2}}}, {"", "fXmax", {.is = 2.0}}}, {}};
  return tree;
}

std::string fileWith(const ObjectTree& tree) {
  Buffer bytes;
  RootFileWriter writer(io::memorySink("f.root", bytes), {uncompressed(), 64});
  writer.addObject("folder/h", tree);
  writer.finish();
  return std::string(textOf(bytes.bytes()));
}

/// Opens a file of bytes that outlive it.
std::unique_ptr<File> opened(const std::string& bytes) {
  return openRootFile(io::memorySource("f.root", std::as_bytes(std::span(bytes))), {});
}
std::unique_ptr<File> opened(std::string&&) = delete;

TEST(Objects, areListedWithClassTitleAndSize) {
  const auto file = sample();
  const auto objects = objectsOf(*file).objects();
  const auto h2 = std::ranges::find(objects, "folder/inner/h2", &StoredObject::name);
  ASSERT_NE(h2, objects.end());
  EXPECT_EQ(h2->type, "TH2D");
  EXPECT_EQ(h2->title, "two axes");
  EXPECT_GT(h2->bytes, 100U);
  EXPECT_EQ(file->categories(), std::vector<std::string>{"tree"});
}

TEST(Objects, haveTheMembersOfTheirClassAndItsBases) {
  const auto file = sample();
  const ObjectTree tree = objectsOf(*file).read("versions;1");
  EXPECT_EQ(rootOf(tree).type, "TH1I");
  EXPECT_EQ(std::get<std::string>(rootOf(tree).find("fName")->is), "versions");
  EXPECT_EQ(std::get<double>(rootOf(tree).find("fEntries")->is), 1);
  const ObjectTree newest = objectsOf(*file).read("versions");
  EXPECT_EQ(std::get<double>(rootOf(newest).find("fEntries")->is), 2);
  test::expectError(ErrorKind::name, "versions", [&] { (void)objectsOf(*file).read("verions"); });
}

TEST(Objects, areWrittenAndReadAgain) {
  const std::string bytes = fileWith(twoBins());
  const auto file = opened(bytes);
  const ObjectTree tree = objectsOf(*file).read("folder/h");
  EXPECT_EQ(doublesOf(tree, "fArray"), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(std::get<std::string>(rootOf(tree).find("fTitle")->is), "a title");
  EXPECT_EQ(objectsOf(*file).objects().front().title, "a title");
}

TEST(Objects, ofClassesOrWithMembersThatAreUnknownAreRefused) {
  ObjectTree tree = twoBins();
  tree.parts[0].members.push_back({"", "fNothing", {}});
  test::expectError(ErrorKind::usage, "has no member 'fNothing'", [&] { (void)fileWith(tree); });
  tree = twoBins();
  tree.parts[0].type = "TUnknown";
  test::expectError(ErrorKind::usage, "'TUnknown' cannot be written",
                    [&] { (void)fileWith(tree); });
  tree = twoBins();
  tree.parts[0].members.back().value = {.is = std::int64_t{1}};
  test::expectError(ErrorKind::usage, "does not fit the member", [&] { (void)fileWith(tree); });
}

TEST(Objects, haveTheSameBytesInACopy) {
  const auto file = sample();
  Buffer bytes;
  RootFileWriter writer(io::memorySink("f.root", bytes), {zstd(1), 64});
  const ObjectStore& store = *file->objectStore();
  for (const StoredObject& object : store.objects())
    if (object.isNewest) {
      EXPECT_EQ(writer.copyObject(store, object, nullptr), "");
    }
  writer.finish();
  const std::string copied(textOf(bytes.bytes()));
  const auto copy = opened(copied);
  for (const ListedObject* const object : objectsOf(*copy).listed()) {
    const auto& originals = objectsOf(*file).listed();
    const auto original = std::ranges::find(originals, object->path, &ListedObject::path);
    Buffer storage, storageOfOriginal;
    const auto payload = objectsOf(*copy).container().payload(object->key, storage);
    const auto whole = objectsOf(*file).container().payload((*original)->key, storageOfOriginal);
    EXPECT_TRUE(std::ranges::equal(payload, whole)) << object->path;
    EXPECT_EQ(object->key.keyBytes, (*original)->key.keyBytes);
  }
}

TEST(Objects, areReadOrRefusedWhereTheirBytesAreOthers) {
  test::Warnings warnings;
  const auto file = sample();
  const RootObjects& objects = objectsOf(*file);
  test::Random random(5);
  std::size_t refused = 0;
  for (const ListedObject* const object : objects.listed()) {
    Buffer storage;
    const std::string whole(textOf(objects.container().payload(object->key, storage)));
    for (int i = 0; i < 500; ++i) {
      const std::string bytes = test::withOtherBytes(whole, random);
      MemberReader reader({&objects.classes()}, {std::as_bytes(std::span(bytes)), "f.root"},
                          object->key.keyBytes);
      try {
        (void)reader.read(object->key.className);
      } catch (const Error& error) {
        ++refused;
        EXPECT_TRUE(error.kind() == ErrorKind::corrupt || error.kind() == ErrorKind::version)
            << error.what();
      }
    }
  }
  EXPECT_GT(refused, 1000U);
}

TEST(Objects, areAddedOrRefusedWhereTheirBytesAreOthers) {
  const auto file = sample();
  const RootObjects& objects = objectsOf(*file);
  test::Random random(6);
  std::size_t added = 0;
  for (const ListedObject* const object : objects.listed()) {
    if (!detail::isAddable(object->key.className))
      continue;
    const std::string whole(textOf(objects.readWhole(*object).payload.bytes()));
    for (int i = 0; i < 200; ++i) {
      const std::string bytes = test::withOtherBytes(whole, random);
      ReadObject other;
      other.key = &object->key;
      other.payload.append(std::as_bytes(std::span(bytes)));
      try {
        MemberReader reader({&objects.classes()}, {other.payload.bytes(), "f.root"},
                            object->key.keyBytes);
        other.tree = reader.read(object->key.className);
        other.positions = reader.positions();
      } catch (const Error&) {
        continue;
      }
      detail::HistogramSum sum(objects.readWhole(*object).tree);
      const auto outcome = sum.add(std::move(other.tree));
      added += outcome == detail::HistogramSum::Outcome::added ? 1 : 0;
    }
  }
  EXPECT_GT(added, 100U);
}

TEST(Objects, areAddedToAFileWhoseOldBytesStay) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "f.root", old = fileWith(twoBins());
  test::writeFile(path, old);
  appendToRootFile(path, {})->finish(); // nothing to add
  EXPECT_EQ(test::readFile(path), old);
  appendToRootFile(path, {})->addObject("new", twoBins());
  EXPECT_EQ(test::readFile(path), old); // it was not finished
  for (int i = 0; i < 3; ++i) {
    const auto sink = appendToRootFile(path, {});
    sink->addObject("folder/new" + std::to_string(i), twoBins());
    sink->addObject("folder/h", twoBins());
    sink->finish();
  }
  const auto file = openRootFile(io::fileSource(path), {});
  std::vector<std::string> names;
  for (const StoredObject& object : file->objectStore()->objects()) {
    names.push_back(object.name);
    EXPECT_EQ(doublesOf(file->objectStore()->read(object.name), "fArray"),
              (std::vector<double>{1, 2, 3, 4}));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"folder/h", "folder/h;3", "folder/h;2", "folder/h;1",
                                             "folder/new0", "folder/new1", "folder/new2"}));
}

TEST(Objects, areAddedOrRefusedForAnyBytes) {
  test::Warnings warnings;
  const test::TemporaryDirectory directory;
  const std::string path = directory / "f.root", whole = fileWith(twoBins());
  test::Random random(8);
  std::size_t added = 0, refused = 0;
  for (int i = 0; i < 400; ++i) {
    test::writeFile(path, test::withOtherBytes(whole, random, 2));
    try {
      const auto sink = appendToRootFile(path, {});
      sink->addObject("folder/new", twoBins());
      sink->finish();
      const auto file = openRootFile(io::fileSource(path), {});
      EXPECT_EQ(doublesOf(file->objectStore()->read("folder/new"), "fArray"),
                (std::vector<double>{1, 2, 3, 4}));
      ++added;
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(added, 50U);
  EXPECT_GT(refused, 10U);
}

TEST(Objects, areReadOrRefusedInDamagedFiles) {
  test::Warnings warnings;
  const std::string whole = fileWith(twoBins());
  ASSERT_TRUE(test::survives(whole));
  EXPECT_GT(test::refusals(whole, 20'000, 7,
                           [](const std::string& bytes) { return test::survives(bytes); }),
            2'000U);
}

} // namespace
} // namespace kaon::root
