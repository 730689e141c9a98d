#include <kaon/formats/root/container/RootContainer.h>
#include <kaon/formats/root/container/RootFileHeader.h>

#include "support/DataFiles.h"
#include "support/Errors.h"
#include "support/RecordingSource.h"
#include "support/RootBytes.h"
#include "support/Warnings.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kaon::root {
namespace {

using test::expectError;
using test::RootFileBytes;
using test::RootKey;

RootContainer opened(std::string_view bytes) {
  return RootContainer(io::memorySource("f.root", std::as_bytes(std::span(bytes))));
}

/// Returns path and cycle of all objects.
std::vector<std::string> namesIn(const RootContainer& container) {
  std::vector<std::string> names;
  for (const ListedObject& object : container.objects())
    names.push_back(object.path + ";" + std::to_string(object.key.cycle));
  return names;
}

std::string payloadOf(const RootContainer& container, std::size_t object) {
  Buffer storage;
  const auto bytes = container.payload(container.objects()[object].key, storage);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(RootContainer, isReadWithShortAndWithLongPositions) {
  for (const bool isWide : {false, true}) {
    RootFileBytes file(isWide);
    const RootKey first = file.add("TTree", "first", "one");
    const RootKey second = file.add("TH1F", "second", "two");
    const RootKey inner = file.add("TTree", std::string(300, 'n'), "three");
    const RootKey folder = file.addFolder("a", {file.addFolder("b", {inner})});
    const std::string bytes = file.finish({first, folder, second});
    const RootContainer container = opened(bytes);
    EXPECT_TRUE(container.isComplete());
    EXPECT_EQ(
        namesIn(container),
        (std::vector<std::string>{"first;1", "second;1", "a/b/" + std::string(300, 'n') + ";1"}));
    EXPECT_EQ(payloadOf(container, 0), "one");
    EXPECT_EQ(payloadOf(container, 2), "three");
    EXPECT_FALSE(container.streamerInfos().has_value());
  }
}

TEST(RootContainer, canHaveANegativeVersion) {
  // uproot 4.1 to 5.3 wrote this version when updating files.
  RootFileBytes file;
  std::string bytes = file.finish({file.add("TTree", "t", "one")});
  bytes.replace(4, 4, test::bigEndian(std::int32_t{62'206 - 1'000'000}));
  EXPECT_TRUE(isRootFile(std::as_bytes(std::span(bytes))));
  EXPECT_EQ(readFileHeader(std::as_bytes(std::span(bytes)), "f.root").version, 62'206);
  EXPECT_EQ(payloadOf(opened(bytes), 0), "one");
}

TEST(RootContainer, putsTheNewestCycleFirst) {
  RootFileBytes file;
  std::vector<RootKey> keys;
  for (const std::uint16_t cycle : std::array<std::uint16_t, 3>{3, 9, 1})
    keys.push_back(file.add("TTree", "t", "", 0, cycle));
  keys.insert(keys.begin() + 1, file.add("TTree", "u", ""));
  const std::string bytes = file.finish(keys);
  EXPECT_EQ(namesIn(opened(bytes)), (std::vector<std::string>{"t;9", "t;3", "t;1", "u;1"}));
}

TEST(RootContainer, refusesFoldersInACircle) {
  RootFileBytes file;
  const RootKey root{"TDirectory", "again", RootFileBytes::begin, 100, 72, 72};
  const std::string bytes = file.finish({file.addFolder("outer", {root})});
  expectError(ErrorKind::corrupt, "lies in itself", [&] { (void)opened(bytes); });
}

TEST(RootContainer, refusesTooManyLevels) {
  RootFileBytes file;
  RootKey folder = file.addFolder("innermost", {});
  for (int i = 0; i < 70; ++i)
    folder = file.addFolder("f", {folder});
  const std::string bytes = file.finish({folder});
  expectError(ErrorKind::corrupt, "levels", [&] { (void)opened(bytes); });
}

TEST(RootContainer, refusesFoldersThatShareTheirKeys) {
  RootFileBytes file;
  const RootKey tree = file.add("TTree", "t", "");
  const auto [keys, keysBytes] = file.addKeys(std::vector<RootKey>(1'000, tree));
  std::vector<RootKey> folders;
  for (int i = 0; i < 10; ++i)
    folders.push_back(
        file.add("TDirectory", "f" + std::to_string(i), file.folder(keys, keysBytes)));
  const std::string bytes = file.finish(folders);
  expectError(ErrorKind::corrupt, "the keys of its folders are larger than the file",
              [&] { (void)opened(bytes); });
}

TEST(RootContainer, refusesPathsOfAnyLength) {
  RootFileBytes file;
  RootKey folder = file.addFolder(std::string(3'000, 'f'), {});
  folder = file.addFolder(std::string(3'000, 'g'), {folder});
  const std::string bytes = file.finish({folder});
  expectError(ErrorKind::corrupt, "has more than 4096 bytes", [&] { (void)opened(bytes); });
}

TEST(RootContainer, findsRecordsWhereNoFolderWasWritten) {
  RootFileBytes file;
  file.add("TTree", "t", "old", 0, 1);
  file.add("TBasket", "x", "basket");
  file.add("TTree", "t", "new", 0, 2);
  const std::string bytes = file.abandon();
  test::Warnings warnings;
  const RootContainer container = opened(bytes);
  EXPECT_FALSE(container.isComplete());
  EXPECT_EQ(warnings.take(),
            std::vector<std::string>{"f.root: was not finished; only its readable part is read"});
  EXPECT_EQ(namesIn(container), (std::vector<std::string>{"t;2", "t;1"}));
  EXPECT_EQ(payloadOf(container, 0), "new");
}

TEST(RootContainer, reportsTheContentsOfACutFile) {
  RootFileBytes file;
  const RootKey tree = file.add("TTree", "t", std::string(500, 'x'));
  const std::string bytes = file.finish({tree});
  test::Warnings warnings;
  (void)opened(bytes.substr(0, bytes.size() - 1));
  EXPECT_EQ(warnings.take(),
            std::vector<std::string>{"f.root: is cut; only its readable part is read"});
  (void)opened(bytes.substr(0, 400));
  EXPECT_EQ(warnings.take(),
            std::vector<std::string>{"f.root: is cut; nothing in it can be found"});
}

TEST(RootContainer, readsTheRestOfACutFile) {
  RootFileBytes file;
  const RootKey tree = file.add("TTree", "t", "whole");
  const std::string bytes = file.finish({tree});
  test::Warnings warnings;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::string cut = bytes.substr(0, size);
    try {
      const RootContainer container = opened(cut);
      EXPECT_FALSE(container.isComplete());
      for (std::size_t i = 0; i < container.objects().size(); ++i)
        EXPECT_EQ(payloadOf(container, i), "whole");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::corrupt) << error.what();
    }
  }
}

TEST(RootContainer, refusesPayloadsThatClaimTooMuch) {
  RootFileBytes file;
  const RootKey tree = file.add("TTree", "t", "ZL", 2'000'000'000);
  const std::string bytes = file.finish({tree});
  const RootContainer container = opened(bytes);
  expectError(ErrorKind::corrupt, "more than it can", [&] { (void)payloadOf(container, 0); });
}

TEST(RootContainer, opensWithFewRequests) {
  RootFileBytes file;
  std::vector<RootKey> keys;
  for (int i = 0; i < 100; ++i)
    keys.push_back(file.add("TTree", "t" + std::to_string(i), std::string(2'000, 'x')));
  std::vector<RootKey> folders;
  for (int i = 0; i < 10; ++i)
    folders.push_back(file.addFolder("f" + std::to_string(i), {keys[i]}));
  const std::string bytes = file.finish(folders);
  const auto logs = std::make_shared<test::RecordingSource::Logs>();
  const RootContainer container(std::make_unique<test::RecordingSource>(
      io::memorySource("f.root", std::as_bytes(std::span(bytes))), logs));
  EXPECT_EQ(container.objects().size(), 10U);
  EXPECT_EQ(logs->views.requests().size(), 4U); // the first bytes; keys, folders, their keys
}

TEST(RootContainer, readsFilesOfRoot) {
  const RootContainer dirs(io::fileSource(test::dataFile("root/rntuple_dirs.root")));
  EXPECT_EQ(namesIn(dirs), (std::vector<std::string>{"ntpl;1", "a/inside;1"}));
  EXPECT_EQ(dirs.objects()[0].key.className, "ROOT::RNTuple");
  ASSERT_TRUE(dirs.streamerInfos().has_value());
  Buffer storage;
  EXPECT_EQ(dirs.payload(*dirs.streamerInfos(), storage).size(), dirs.streamerInfos()->objectBytes);
  const RootContainer cycles(io::fileSource(test::dataFile("root/ttree_two_cycles.root")));
  EXPECT_EQ(namesIn(cycles), (std::vector<std::string>{"t;2", "t;1"}));
}

TEST(RootContainer, recoversAFileOfRootWhoseWriterDied) {
  test::Warnings warnings;
  const RootContainer container(io::fileSource(test::dataFile("root/ttree_crashed_autosave.root")));
  EXPECT_EQ(warnings.take().size(), 1U);
  EXPECT_EQ(namesIn(container), (std::vector<std::string>{"t;2"}));
  EXPECT_EQ(container.objects()[0].key.position, 15'202U);
}

} // namespace
} // namespace kaon::root
