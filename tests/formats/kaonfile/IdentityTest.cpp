#include <kaon/formats/kaonfile/Appending.h>
#include <kaon/formats/kaonfile/ContentsReader.h>
#include <kaon/formats/kaonfile/Verify.h>

#include <kaon/batch/StoredClusters.h>
#include <kaon/writing/BatchBuilder.h>

#include "support/Errors.h"
#include "support/Everything.h"
#include "support/Forgery.h"
#include "support/Records.h"
#include "support/Tables.h"
#include "support/Warnings.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

// Bytes of another file or cluster must never be accepted in place of the right ones.

namespace kaon::kaonfile {
namespace {

using test::everythingIn;
using test::expectError;
using test::Forgery;

using Bytes = std::vector<std::byte>;

/// The description of so many columns exceeds the size of one read.
constexpr std::size_t many = 800;

/// Returns a file with three clusters and tags. Files with different seeds differ only in their
/// values and ids.
Bytes fileOf(unsigned seed, std::size_t members = 3) {
  test::Writing writing({.codec = uncompressed()});
  std::vector<test::Field> fields;
  for (std::size_t i = 0; i < members; ++i)
    fields.push_back({"m" + std::to_string(i), Scalar::Int32});
  detail::BatchBuilder builder;
  builder.add(test::collection("Hits", fields));
  TableDefinition number = test::values("number", TableKind::value, Scalar::Int32);
  number.use = TableUse::tag;
  builder.add(number);
  std::minstd_rand random(seed);
  for (std::uint64_t cluster = 0; cluster < 3; ++cluster) {
    for (int entry = 0; entry < 4; ++entry) {
      builder.setPresent(0);
      std::byte* row = builder.append(0, 8);
      for (std::size_t i = 0; i < 8 * members; ++i, row += sizeof(std::uint32_t)) {
        const auto value = static_cast<std::uint32_t>(random());
        std::memcpy(row, &value, sizeof value);
      }
      test::addRow(builder, 1, static_cast<std::int32_t>(0x10000 + random() % 0x10000));
      builder.endEntry();
    }
    writing.writer.write("events", builder.batch(4 * cluster));
    builder.clear();
  }
  writing.writer.finish();
  return {writing.bytes->data(), writing.bytes->data() + writing.bytes->size()};
}

/// Returns the file without seals, as earlier versions wrote it.
Bytes unsealed(const Bytes& file) {
  Forgery forgery(file);
  forgery.removeSeals();
  return {forgery.bytes().begin(), forgery.bytes().end()};
}

struct Case {
  std::string name;
  std::size_t members;
  bool isSealed;
};

class Identity : public testing::TestWithParam<Case> {
protected:
  static Bytes make(unsigned seed) {
    const Bytes file = fileOf(seed, GetParam().members);
    return GetParam().isSealed ? file : unsealed(file);
  }
  [[nodiscard]] test::Record record(RecordKind kind, std::size_t number = 0) const {
    return test::recordsOf(m_file, kind).at(number);
  }
  /// Whether a reader reads only blocks of the columns' description, and no header.
  static bool readsBlocks(RecordKind kind) {
    return kind == RecordKind::cluster && GetParam().isSealed && GetParam().members == many;
  }
  /// Copies bytes from another file or position into the file.
  void put(std::uint64_t at, const Bytes& from, std::uint64_t begin, std::uint64_t end) {
    std::copy(from.begin() + static_cast<std::ptrdiff_t>(begin),
              from.begin() + static_cast<std::ptrdiff_t>(end),
              m_file.begin() + static_cast<std::ptrdiff_t>(at));
  }
  /// Expects that reading from memory and from a remote source fails, and that verifying finds an
  /// error.
  void expectRefused(std::string_view part,
                     std::source_location where = std::source_location::current()) const {
    expectError(
        ErrorKind::corrupt, "", [&] { (void)everythingIn(m_file); }, where);
    const auto far = test::openRecorded(m_file);
    expectError(
        ErrorKind::corrupt, part, [&] { (void)everythingIn(*far.file); }, where);
    EXPECT_FALSE(verify(*test::sourceOfCopy(m_file), {}).findings.empty()) << where.line();
  }
  void expectNotCopied(std::size_t number,
                       std::source_location where = std::source_location::current()) const {
    const auto file = test::openBytes(m_file);
    const auto& stored = dynamic_cast<const StoredClusters&>(file->category("events"));
    expectError(
        ErrorKind::corrupt, "", [&] { (void)stored.storedCluster(number); }, where);
  }

  Bytes m_file = make(1);
  const Bytes m_other = make(2);
};
INSTANTIATE_TEST_SUITE_P(File, Identity,
                         testing::Values(Case{"narrow", 3, true}, Case{"wide", many, true},
                                         Case{"narrowAndOld", 3, false},
                                         Case{"wideAndOld", many, false}),
                         [](const auto& each) { return each.param.name; });

TEST_P(Identity, isThatOfTheFileToBeginWith) {
  ASSERT_EQ(m_file.size(), m_other.size());
  EXPECT_NE(everythingIn(m_file), everythingIn(m_other));
  EXPECT_EQ(detail::loadAs<FileHeader>(m_file.data()).flags,
            GetParam().isSealed ? sealedBlocks : 0);
  EXPECT_EQ(record(RecordKind::cluster).header.metaSize > 16 * 1024, GetParam().members == many);
  EXPECT_TRUE(verify(*test::sourceOfCopy(m_file), {}).findings.empty());
}

TEST_P(Identity, ofAClusterOfAnotherFileIsRefused) {
  for (const RecordKind kind : {RecordKind::cluster, RecordKind::tags}) {
    m_file = make(1);
    const test::Record place = record(kind);
    const Bytes other = make(2);
    put(place.begin, other, place.begin, place.end);
    expectRefused(readsBlocks(kind) ? "or belongs to another cluster or file"
                                    : "it belongs to another file");
    if (kind == RecordKind::cluster)
      expectNotCopied(0);
  }
}

TEST_P(Identity, ofAnotherClusterOfTheFileIsRefused) {
  const Bytes original = m_file;
  const test::Record first = record(RecordKind::cluster, 0),
                     second = record(RecordKind::cluster, 1);
  ASSERT_EQ(first.end - first.begin, second.end - second.begin);
  put(second.begin, original, first.begin, first.end);
  expectRefused(readsBlocks(RecordKind::cluster) ? "or belongs to another cluster or file"
                                                 : "it has other entries than the index says");
  expectNotCopied(1);
}

// In a wide file without seals, only readers of the whole description notice this.
TEST_P(Identity, ofMetaBytesAndPagesOfAnotherFileUnderTheHeaderIsRefused) {
  for (const RecordKind kind : {RecordKind::cluster, RecordKind::tags}) {
    m_file = make(1);
    const test::Record place = record(kind);
    put(place.begin + sizeof(RecordHeader), m_other, place.begin + sizeof(RecordHeader), place.end);
    if (GetParam().isSealed || GetParam().members != many)
      expectRefused("does not match its checksum");
    EXPECT_FALSE(verify(*test::sourceOfCopy(m_file), {}).findings.empty());
    if (kind == RecordKind::cluster)
      expectNotCopied(0);
  }
}

// A damaged header does not reveal the exchange.
TEST_P(Identity, ofMetaBytesAndPagesUnderADamagedHeaderIsRefused) {
  if (!GetParam().isSealed)
    GTEST_SKIP() << "nothing else tells it";
  const Bytes original = m_file;
  const test::Record first = record(RecordKind::cluster, 0),
                     second = record(RecordKind::cluster, 1);
  for (const Bytes* from : {&m_other, &original}) {
    m_file = original;
    const std::uint64_t begin = from == &original ? first.begin : second.begin;
    put(second.begin + sizeof(RecordHeader), *from, begin + sizeof(RecordHeader),
        begin + first.end - first.begin);
    m_file[second.begin + offsetof(RecordHeader, checksum)] ^= std::byte{1};
    expectRefused("or belongs to another cluster or file");
  }
  m_file = original;
  m_file[second.begin + offsetof(RecordHeader, checksum)] ^= std::byte{1};
  EXPECT_EQ(everythingIn(m_file), everythingIn(original)); // readers do not need the header
}

TEST_P(Identity, ofASingleBlockIsThatOfItsClusterAndFile) {
  if (!GetParam().isSealed || GetParam().members != many)
    GTEST_SKIP() << "only some blocks are read where there are many";
  const Bytes original = m_file;
  const std::uint64_t first = record(RecordKind::cluster, 0).begin + sizeof(RecordHeader);
  const std::uint64_t second = record(RecordKind::cluster, 1).begin + sizeof(RecordHeader);
  const auto place = [&](std::uint64_t meta, std::uint32_t block) {
    return detail::loadAs<std::uint32_t>(original.data() + meta + blockPlace(block));
  };
  constexpr std::uint32_t block = 7;
  ASSERT_EQ(place(first, block), place(second, block));
  ASSERT_EQ(place(first, block + 1), place(second, block + 1));
  for (const Bytes* from : {&m_other, &original}) {
    m_file = original;
    put(second + place(second, block), *from,
        (from == &original ? first : second) + place(first, block),
        (from == &original ? first : second) + place(first, block + 1));
    expectRefused("or belongs to another cluster or file");
  }
}

TEST_P(Identity, ofAFileThatAnotherOneIsWrittenOverIsMissed) {
  for (const bool isFar : {false, true})
    for (const std::uint64_t read : {0, 1}) {
      Bytes bytes = m_file;
      const auto far = test::openRecorded(bytes);
      const auto near = test::openBytes(bytes);
      const Source& source = (isFar ? *far.file : *near).category("events");
      if (read > 0) {
        Batches some(source, {"Hits.m1"}, {0, 4});
        ASSERT_TRUE(some.next());
      }
      std::ranges::copy(m_other, bytes.begin());
      expectError(ErrorKind::corrupt, "another file was written over it after it was opened", [&] {
        Batches all(source, {"Hits.m1", "number"});
        while (all.next())
          ;
      });
    }
}

TEST_P(Identity, isGivenToClustersThatAreCopied) {
  const auto original = everythingIn(m_file);
  const auto file = test::openBytes(m_file);
  const Source& source = file->category("events");
  const auto& stored = dynamic_cast<const StoredClusters&>(source);
  for (const bool isOld : {false, true}) { // whether the target is unsealed
    test::Writing empty;
    (void)empty.finished();
    const Bytes start(empty.bytes->data(), empty.bytes->data() + empty.bytes->size());
    Buffer bytes;
    bytes.append(isOld ? unsealed(start) : start);
    const auto before = test::sourceOfCopy(bytes.bytes());
    FileWriter writer(io::memorySink("memory.kaon", bytes), before, readContents(*before));
    writer.append(writer.encode("events", Batch(source.schema(), 0, 0)));
    for (std::size_t number = 0; number < 3; ++number)
      writer.appendCopy("events", *stored.storedCluster(number));
    writer.finish();
    EXPECT_EQ(everythingIn(bytes.bytes()).categories, original.categories);
    EXPECT_TRUE(verify(*test::sourceOfCopy(bytes.bytes()), {}).findings.empty());
    const auto end = detail::loadAs<EndRecord>(bytes.data() + bytes.size() - sizeof(EndRecord));
    EXPECT_EQ(end.header.flags, isOld ? 0 : sealedBlocks);
  }
}

// Any part may come from another file with the same positions. Seals reveal it.
TEST_P(Identity, neverGivesDataOfAnotherFileWhicheverPieceIsOfIt) {
  if (!GetParam().isSealed || GetParam().members == many)
    GTEST_SKIP() << "it takes minutes, or is not so";
  const auto original = test::openBytes(m_file);
  const auto all = everythingIn(*original);
  const Bytes file = m_file;
  test::Warnings warnings;
  for (std::size_t begin = alignment; begin < file.size(); begin += 32)
    for (const std::size_t size : {32, 64, 128, 448, 1024}) {
      m_file = file;
      put(begin, m_other, begin, std::min(begin + size, file.size() - sizeof(FileHeader)));
      try {
        const auto mixed = test::openBytes(m_file);
        test::expectBeginningOf(*original, *mixed);
        if (mixed->isComplete()) {
          EXPECT_EQ(everythingIn(*mixed), all) << begin << " " << size;
        }
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::corrupt) << error.what();
      }
      (void)warnings.take();
    }
}

} // namespace
} // namespace kaon::kaonfile
