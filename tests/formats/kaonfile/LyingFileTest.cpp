#include <kaon/formats/kaonfile/FileReader.h>
#include <kaon/formats/kaonfile/FileWriter.h>

#include <kaon/batch/StoredClusters.h>
#include <kaon/formats/kaonfile/ContentsReader.h>
#include <kaon/formats/kaonfile/Verify.h>
#include <kaon/writing/BatchBuilder.h>

#include "support/Allocations.h"
#include "support/Errors.h"
#include "support/Everything.h"
#include "support/Forgery.h"
#include "support/RecordingSource.h"
#include "support/Records.h"
#include "support/Tables.h"
#include "support/Warnings.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Files with correct checksums and wrong contents.

namespace kaon::kaonfile {
namespace {

using test::everythingIn;
using test::expectContains;
using test::expectError;
using test::Forgery;

constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();

// The columns of honestFile().
enum Columns : std::uint32_t {
  hitsPresence,
  hitsCounts,
  hitsX,
  hitsGood,
  timesCounts,
  timesValue,
  otherIndex,
  otherCollection,
  titlePresence,
  titleCounts,
  textCounts,
  textValue,
  runValue
};

/// Returns two clusters of four entries with hits, a string and a value.
Buffer honestFile() {
  const auto bytes = std::make_shared<Buffer>();
  FileWriter writer(std::make_unique<test::MemorySink>(bytes), {uncompressed(), 64 * 1024});
  writer.addDocument("model:m", "{}");
  detail::BatchBuilder builder;
  builder.add(test::collection("Hits", {{"x", Scalar::Int32}, {"good", Scalar::Bool}}));
  builder.add(test::values("Hits.times", TableKind::vectorMember, Scalar::Float32, 0));
  builder.add(test::relation("Hits.other", TableKind::oneRelation, 0));
  builder.add(test::table("title", TableKind::parameter, "string", {}));
  builder.add(test::values("title.text", TableKind::text, Scalar::UInt8, 3));
  builder.add(test::values("run", TableKind::value, Scalar::Int32));
  const auto append = [&](std::uint32_t table, const auto& value, std::size_t offset = 0) {
    std::byte* const row = builder.append(table, 1);
    std::memset(row, 0, builder.schema().table(table).rowSize);
    std::memcpy(row + offset, &value, sizeof value);
    return row;
  };
  for (std::int32_t cluster = 0; cluster < 2; ++cluster) {
    for (std::int32_t entry = 0; entry < 4; ++entry) {
      append(5, 100 * cluster + entry);
      for (std::int32_t i = 0; entry != 2 && i <= entry; ++i) {
        builder.setPresent(0);
        append(0, i)[4] = static_cast<std::byte>(i % 2);
        append(1, static_cast<float>(i));
        builder.endRow(1);
        append(2, i - 1);
      }
      if (entry < 2) {
        builder.setPresent(3);
        builder.append(3, 1);
        append(4, static_cast<std::uint8_t>('a' + entry));
        builder.endRow(4);
      }
      builder.endEntry();
    }
    writer.write("events", builder.batch(static_cast<std::uint64_t>(4 * cluster)));
    builder.clear();
  }
  writer.finish();
  return std::move(*bytes);
}

class LyingFile : public testing::Test {
protected:
  /// Expects that reading the whole file throws an Error that names the file and contains `part`.
  /// Reading must not allocate excessive memory.
  void expectRefused(std::string_view part,
                     std::source_location where = std::source_location::current()) const {
    const test::Allocations allocations;
    const auto read = [&] {
      try {
        (void)everythingIn(m_file.bytes());
      } catch (const Error& error) {
        EXPECT_EQ(std::string_view(error.what()).find("memory.kaon"), 0U) << error.what();
        throw;
      }
    };
    expectError(ErrorKind::corrupt, part, read, where);
    EXPECT_LT(allocations.bytes(), std::size_t{200} << 20);
  }
  /// Expects that the file is refused after `edit` changed a page of the first cluster.
  template <class Edit>
  void expectPageRefused(std::uint32_t column, std::string_view part, Edit edit,
                         std::source_location where = std::source_location::current()) {
    const Buffer before = copy();
    m_file.editCluster(0, [&](Forgery::Cluster& cluster) { edit(cluster.page(column)); });
    expectRefused(part, where);
    m_file = Forgery(before.bytes());
  }
  template <class Edit>
  void expectClusterRefused(std::string_view part, Edit edit,
                            std::source_location where = std::source_location::current()) {
    const Buffer before = copy();
    m_file.editCluster(0, [&](Forgery::Cluster& cluster) { edit(cluster); });
    expectRefused(part, where);
    m_file = Forgery(before.bytes());
  }
  /// Expects that a changed index causes an Error, or that the records are read one after another,
  /// with a warning.
  template <class Edit>
  void expectIndexRefused(std::string_view part, Edit edit,
                          std::source_location where = std::source_location::current()) {
    const Buffer before = copy();
    const auto honest = everythingIn(before.bytes());
    m_file.editIndex(edit);
    test::Warnings warnings;
    try {
      EXPECT_EQ(everythingIn(m_file.bytes()), honest) << where.line();
      expectWarning(warnings.take(), part, where);
    } catch (const Error& error) {
      expectContains(error.what(), part, where);
    }
    m_file = Forgery(before.bytes());
  }
  /// Expects that the whole file is read although a position of its records is wrong.
  void expectWalked(std::string_view part,
                    std::source_location where = std::source_location::current()) const {
    test::Warnings warnings;
    EXPECT_EQ(everythingIn(m_file.bytes()), everythingIn(honestFile().bytes())) << where.line();
    expectWarning(warnings.take(), part, where);
  }
  static void expectWarning(const std::vector<std::string>& warnings, std::string_view part,
                            std::source_location where) {
    ASSERT_EQ(warnings.size(), 1U) << where.line();
    EXPECT_EQ(warnings[0].find("memory.kaon: "), 0U) << warnings[0];
    expectContains(warnings[0], part, where);
  }
  [[nodiscard]] Buffer copy() const {
    Buffer bytes;
    bytes.append(m_file.bytes());
    return bytes;
  }

  Forgery m_file{honestFile().bytes()};
};

TEST_F(LyingFile, isReadAsLongAsItIsHonest) {
  const auto honest = everythingIn(m_file.bytes());
  EXPECT_EQ(honest.categories.at("events").entries, 8U);
  m_file.editHeader([](FileHeader&) {});
  m_file.editEnd([](EndRecord&) {});
  m_file.editCluster(1, [](Forgery::Cluster&) {});
  m_file.editIndex([](Forgery::Index&) {});
  EXPECT_EQ(everythingIn(m_file.bytes()), honest);
}

TEST_F(LyingFile, ofAnotherVersionIsNotRead) {
  m_file.editHeader([](FileHeader& header) { header.version = formatVersion + 7; });
  expectError(ErrorKind::version,
              "memory.kaon: is of format version " + std::to_string(formatVersion + 7),
              [&] { (void)everythingIn(m_file.bytes()); });
}

TEST_F(LyingFile, withUnknownFlagsIsNotRead) {
  m_file.editHeader([](FileHeader& header) { header.flags = 4; });
  expectError(ErrorKind::version, "with flags 4", [&] { (void)everythingIn(m_file.bytes()); });
}

TEST_F(LyingFile, ofAnotherIdIsRefused) {
  m_file.editHeader([](FileHeader& header) { ++header.fileId; });
  test::Warnings warnings;
  EXPECT_TRUE(everythingIn(m_file.bytes()).categories.empty()); // no record has the file's id
  EXPECT_EQ(warnings.take().size(), 1U);
  m_file.editEnd([](EndRecord& end) { ++end.fileId; });
  EXPECT_TRUE(everythingIn(m_file.bytes()).categories.empty());
  EXPECT_EQ(warnings.take().size(), 1U);
}

TEST_F(LyingFile, whoseIndexIsElsewhereIsReadByItsRecords) {
  const std::pair<std::uint64_t, std::string_view> positions[] = {
      {0, "no record of a kaon file"}, {64, "the record is not the expected one"},
      {1, "no record of a kaon file"}, {m_file.bytes().size() - 10, "ends at byte"},
      {huge, "ends at byte"},          {huge - 63, "ends at byte"}};
  for (const auto& [position, part] : positions) {
    m_file.editEnd([&](EndRecord& end) { end.indexPosition = position; });
    expectWalked(part);
  }
}

// The size of the index contradicts its position or the size of the file.
TEST_F(LyingFile, whoseIndexHasAnotherSizeIsReadByItsRecords) {
  const std::uint64_t file = m_file.bytes().size();
  for (const std::uint64_t position : {std::uint64_t{0}, file - 64, file - 128, huge - 64})
    for (const std::uint64_t size :
         {std::uint64_t{0}, file - 64, file - 10, file, huge - 64, huge}) {
      m_file.editEnd([&](EndRecord& end) {
        end.indexPosition = position;
        end.indexSize = size;
      });
      expectWalked("");
    }
}

TEST_F(LyingFile, whoseIndexEndsTooEarlyIsReadByItsRecordsWhereverThatIs) {
  std::size_t whole = 0;
  m_file.editIndexBytes([&](std::vector<std::byte>& bytes) { whole = bytes.size(); });
  for (std::size_t size = whole; size-- > 0;) {
    m_file.editIndexBytes([&](std::vector<std::byte>& bytes) { bytes.resize(size); });
    expectWalked("memory.kaon: index: ");
  }
}

// Any number in the index may be a length or a count.
TEST_F(LyingFile, whoseIndexHasAHugeNumberAnywhereIsReadableOrRefused) {
  const Buffer honest = copy();
  std::size_t whole = 0;
  m_file.editIndexBytes([&](std::vector<std::byte>& bytes) { whole = bytes.size(); });
  for (std::size_t i = 0; i + 4 <= whole; ++i)
    for (const std::uint32_t number : {0xffffffffU, 0x7fffffffU, 0x10000U}) {
      m_file = Forgery(honest.bytes());
      m_file.editIndexBytes([&](std::vector<std::byte>& bytes) {
        std::memcpy(bytes.data() + i, &number, sizeof number);
      });
      const test::Allocations allocations;
      try {
        (void)everythingIn(m_file.bytes());
      } catch (const Error&) {
      }
      EXPECT_LT(allocations.bytes(), std::size_t{200} << 20) << "byte " << i;
    }
}

TEST_F(LyingFile, whoseTablesDoNotFitIsRefused) {
  const auto table = [](std::size_t number, const std::function<void(TableDefinition&)>& edit) {
    return [number, edit](Forgery::Index& index) { edit(index.categories[0].tables[number]); };
  };
  expectIndexRefused("'Hits.times' lies under a table that cannot have it",
                     table(1, [](TableDefinition& t) { t.parent = 3; }));
  expectIndexRefused("'Hits.times' lies under a table that cannot have it",
                     table(1, [](TableDefinition& t) { t.parent = 1; }));
  expectIndexRefused("'Hits.times' lies under a table that cannot have it",
                     table(1, [](TableDefinition& t) { t.parent = Table::none; }));
  expectIndexRefused("'title.text' lies under a table that cannot have it",
                     table(4, [](TableDefinition& t) { t.parent = 0; }));
  expectIndexRefused("two tables are called 'Hits'",
                     table(5, [](TableDefinition& t) { t.name = "Hits"; }));
  expectIndexRefused("'Hits.x' is of an unknown type", table(0, [](TableDefinition& t) {
                       t.members[0].type = static_cast<Scalar>(99);
                     }));
  expectIndexRefused("'Hits.x' lies outside its row",
                     table(0, [](TableDefinition& t) { t.rowSize = 3; }));
  expectIndexRefused("does not have the members of one",
                     table(2, [](TableDefinition& t) { t.members.pop_back(); }));
  expectIndexRefused("is of an unknown kind or layout",
                     table(0, [](TableDefinition& t) { t.kind = static_cast<TableKind>(200); }));
}

TEST_F(LyingFile, whoseClustersDoNotFollowEachOtherIsRefused) {
  const auto cluster = [](const std::function<void(IndexCluster&)>& edit) {
    return [edit](Forgery::Index& index) { edit(index.categories[0].clusters[1]); };
  };
  expectIndexRefused("its clusters are out of order", cluster([](auto& c) { c.firstEntry = 3; }));
  expectIndexRefused("its clusters are out of order", cluster([](auto& c) { c.firstEntry = 5; }));
  expectIndexRefused("its clusters are out of order", cluster([](auto& c) { c.entries = 0; }));
  expectIndexRefused("its clusters are out of order", cluster([](auto& c) { c.position += 8; }));
  expectIndexRefused("it has other entries than the index says",
                     cluster([](auto& c) { c.entries = 5; }));
  expectIndexRefused("it lies outside the file", cluster([](auto& c) { c.position = 1U << 20; }));
  expectIndexRefused("it lies outside the file", cluster([](auto& c) { c.metaSize = huge; }));
  expectIndexRefused("it lies outside the file", cluster([](auto& c) { c.pagesSize = huge; }));
  expectIndexRefused("it has other entries than the index says",
                     cluster([](auto& c) { c.position = 64; }));
  expectIndexRefused("the file is damaged", cluster([](auto& c) { c.blocks = 1U << 20; }));
  expectIndexRefused("its clusters are out of order", [](Forgery::Index& index) {
    std::swap(index.categories[0].clusters[0], index.categories[0].clusters[1]);
  });
  expectIndexRefused("it has other entries than the index says", [](Forgery::Index& index) {
    auto& clusters = index.categories[0].clusters;
    clusters[1].position = clusters[0].position;
  });
}

/// Returns three clusters with a key that is also a tag. The tags are stored together.
Buffer taggedFile() {
  test::Writing writing;
  TableDefinition number = test::values("number", TableKind::value, Scalar::Int32);
  number.use = TableUse::tag | TableUse::key;
  for (std::int32_t cluster = 0; cluster < 3; ++cluster)
    writing.writer.write("events", test::entriesOf<std::int32_t>(number, {cluster, 0}).batch(0));
  writing.writer.finish();
  return std::move(*writing.bytes);
}

TEST_F(LyingFile, whoseTagsDoNotFitIsRefused) {
  m_file = Forgery(taggedFile().bytes());
  const auto tags = [](const std::function<void(IndexCluster&)>& edit) {
    return [edit](Forgery::Index& index) { edit(index.categories[0].tags.at(0)); };
  };
  expectIndexRefused("its tags are out of order", tags([](auto& t) { t.entries = 0; }));
  expectIndexRefused("its tags are out of order", tags([](auto& t) { t.entries = 7; }));
  expectIndexRefused("its tags are out of order", tags([](auto& t) { t.firstEntry = 1; }));
  expectIndexRefused("its tags are out of order", tags([](auto& t) { t.firstEntry = huge; }));
  expectIndexRefused("its tags are out of order", tags([](auto& t) { ++t.position; }));
  expectIndexRefused("its tags are out of order", [](Forgery::Index& index) {
    index.categories[0].tags.push_back(index.categories[0].tags[0]);
  });
  expectIndexRefused("it has other entries than the index says",
                     tags([](auto& t) { t.entries = 5; }));
  expectIndexRefused("it has other entries than the index says", [](Forgery::Index& index) {
    index.categories[0].tags[0].position = index.categories[0].clusters[0].position;
  });
  expectIndexRefused("it is of another kind or category", [](Forgery::Index& index) {
    index.categories[0].tags[0] = index.categories[0].clusters[0];
  });
}

TEST_F(LyingFile, whoseKeysDoNotFitIsRefused) {
  m_file = Forgery(taggedFile().bytes());
  for (const std::uint32_t keys : {0U, 2U, 0xffffffffU})
    expectIndexRefused("its keys are not those of its tables",
                       [keys](Forgery::Index& index) { index.categories[0].keys = keys; });
  expectIndexRefused("a part of it lies outside",
                     [](Forgery::Index& index) { index.categories[0].keyBounds.clear(); });
}

// In a file without an end, all records are read. Here, each record contains all later ones.
TEST_F(LyingFile, whoseRecordsOverlapIsReadOnce) {
  Buffer bytes;
  bytes.append(m_file.bytes().first(
      static_cast<std::size_t>(test::recordsOf(m_file.bytes(), RecordKind::index).front().begin)));
  constexpr std::size_t records = 1000;
  for (std::size_t i = 0; i < records; ++i) {
    RecordHeader header;
    header.kind = RecordKind::document;
    header.fileId = detail::loadAs<FileHeader>(bytes.data()).fileId;
    header.metaSize = (records - 1 - i) * sizeof header;
    header.checksum = checksum(bytesBefore(header, offsetof(RecordHeader, checksum)));
    bytes.append(std::as_bytes(std::span(&header, 1)));
  }
  const auto logs = std::make_shared<test::RecordingSource::Logs>();
  const FileContents found =
      readContents(test::RecordingSource(io::memorySource("memory.kaon", bytes.bytes()), logs));
  EXPECT_EQ(found.entriesText(), "8 of 'events'");
  std::uint64_t read = 0;
  for (const auto& request : logs->views.requests())
    for (const io::ByteRange& range : request)
      read += range.count;
  EXPECT_LT(read, 10 * bytes.size());
}

/// Changes the number of blocks and the position of the first block.
TEST_F(LyingFile, whoseBlocksLieElsewhereIsRefused) {
  const Buffer honest = copy();
  for (const std::size_t place : {0, 1})
    for (const std::uint32_t number : {1U, 8U, 1000U, 0x7fffffffU, 0xffffffffU}) {
      m_file = Forgery(honest.bytes());
      m_file.editMeta(RecordKind::cluster, 0, [&](std::span<std::byte> meta) {
        std::memcpy(meta.data() + blockPlace(static_cast<std::uint32_t>(place)), &number,
                    sizeof number);
      });
      expectRefused("the file is damaged");
    }
}

// Copying a cluster seals each of its blocks anew.
TEST_F(LyingFile, whoseClustersSayOtherNumbersOfBlocksIsNotCopied) {
  const Buffer honest = copy();
  for (const std::uint32_t blocks : {0U, 2U, 1000U, 0xffffffffU}) {
    m_file = Forgery(honest.bytes());
    m_file.editMeta(RecordKind::cluster, 0, [&](std::span<std::byte> meta) {
      std::memcpy(meta.data(), &blocks, sizeof blocks);
    });
    const auto file = test::openBytes(m_file.bytes());
    const auto& stored = dynamic_cast<const StoredClusters&>(file->category("events"));
    expectError(ErrorKind::corrupt, "it has other columns than the index says",
                [&] { (void)stored.storedCluster(0); });
  }
}

TEST_F(LyingFile, whoseBlockIsOfOtherColumnsIsRefused) {
  m_file.editBlock(0, 0, [](std::vector<std::byte>& block) { block[0] = std::byte{16}; });
  expectRefused("it describes other columns than expected");
}

// The index does not state the number of columns of a cluster.
TEST_F(LyingFile, whoseClustersHaveMoreColumnsThanTheirCategoryIsRefused) {
  m_file.editBlock(0, 0, [](std::vector<std::byte>& block) {
    block[5] |= std::byte{0x80}; // column 15 of 13
    block.insert(block.end(), {std::byte{2}, std::byte{0}, std::byte{0}});
  });
  const auto file = test::openBytes(m_file.bytes());
  const Source& source = file->category("events");
  const auto& stored = dynamic_cast<const StoredClusters&>(source);
  const std::string wrong = "it has a column that its category does not have";
  expectError(ErrorKind::corrupt, wrong, [&] { (void)file->overheads(); });
  expectError(ErrorKind::corrupt, wrong, [&] { (void)stored.isLarge(0); });
  expectError(ErrorKind::corrupt, wrong, [&] { (void)stored.codecOfCluster(0); });
  expectError(ErrorKind::corrupt, wrong,
              [&] { (void)stored.storedCluster(0, Batch(source.schema(), 0, 4), {}); });
  const Verification found = verify(*test::sourceOfCopy(m_file.bytes()), {});
  ASSERT_EQ(found.findings.size(), 1U);
  expectContains(found.findings[0].what, wrong);
}

// Any byte of the block may be a length or a count.
TEST_F(LyingFile, whoseBlockHasAnyOtherByteIsReadableOrRefused) {
  const Buffer honest = copy();
  std::size_t size = 0;
  m_file.editBlock(0, 0, [&](std::vector<std::byte>& block) { size = block.size(); });
  for (std::size_t i = 0; i < size; ++i)
    for (const int value : {0, 1, 3, 127, 128, 255}) {
      m_file = Forgery(honest.bytes());
      m_file.editBlock(
          0, 0, [&](std::vector<std::byte>& block) { block[i] = static_cast<std::byte>(value); });
      const test::Allocations allocations;
      try {
        (void)everythingIn(m_file.bytes());
      } catch (const Error&) {
      }
      EXPECT_LT(allocations.bytes(), std::size_t{200} << 20) << "byte " << i;
    }
}

TEST_F(LyingFile, whoseBlockEndsTooEarlyIsRefusedWhereverThatIs) {
  const Buffer honest = copy();
  std::size_t size = 0;
  m_file.editBlock(0, 0, [&](std::vector<std::byte>& block) { size = block.size(); });
  while (size-- > 0) {
    m_file = Forgery(honest.bytes());
    m_file.editBlock(0, 0, [&](std::vector<std::byte>& block) { block.resize(size); });
    expectRefused("the file is damaged");
  }
}

TEST_F(LyingFile, whosePageBoundariesDoNotFitIsRefused) {
  const auto ends = [](std::vector<std::uint32_t> others) {
    return [others](Forgery::Cluster& c) { c.columns.at(hitsPresence).ends = others; };
  };
  expectClusterRefused("its page boundaries are missing", ends({}));
  expectClusterRefused("its page boundaries are out of order", ends({3}));
  expectClusterRefused("its page boundaries are out of order", ends({5}));
  expectClusterRefused("its page boundaries are out of order", ends({0}));
}

TEST_F(LyingFile, thatLacksAColumnIsRefused) {
  for (const std::uint32_t column : {hitsCounts, hitsX, timesValue, textCounts})
    expectClusterRefused("lacks the column", [&](auto& c) { c.columns.erase(column); });
}

// Otherwise the column would read as zeros, like one of a table that was added later.
TEST_F(LyingFile, thatLacksPagesOfAColumnIsRefused) {
  for (const std::uint32_t column : {hitsX, timesValue})
    expectClusterRefused(" but 0 are stored", [&](auto& c) {
      c.columns.at(column).pages.clear();
      c.columns.at(column).bounds.clear();
    });
}

TEST_F(LyingFile, whoseNamesAreNoTextIsReadByItsRecords) {
  const auto rename = [](const std::string& name) {
    return [name](Forgery::Index& index) { index.categories[0].name = name; };
  };
  expectIndexRefused("the name of a category is empty or not UTF-8", rename(""));
  expectIndexRefused("the name of a category is empty or not UTF-8", rename("\xff"));
  expectIndexRefused("the name of a document is not UTF-8",
                     [](Forgery::Index& index) { index.documents["\xc3"] = {}; });
}

TEST_F(LyingFile, whosePrecisionMakesNoSenseIsRead) {
  m_file.editIndex([](Forgery::Index& index) {
    index.categories[0].tables[0].members[0].precision = {static_cast<Precision::Kind>(77), 200, 0,
                                                          -1};
  });
  EXPECT_EQ(everythingIn(m_file.bytes()), everythingIn(honestFile().bytes()));
  const auto file = openFile(io::memorySource("lying.kaon", m_file.bytes()));
  const Table table = file->category("events").schema().table(0);
  EXPECT_EQ(table.members[0].precision, Precision()) << "copies of the schema can be written";
}

TEST_F(LyingFile, withoutAnyColumnOfATableReadsItAsYoungerThanTheCluster) {
  m_file.editCluster(0, [](auto& c) { c.columns.erase(runValue); });
  const auto found = everythingIn(m_file.bytes()).categories.at("events");
  std::vector<std::int32_t> runs(8);
  std::ranges::copy(found.tables.at({"run", "int32"}).values[0],
                    std::as_writable_bytes(std::span(runs)).begin());
  EXPECT_EQ(runs, (std::vector{0, 0, 0, 0, 100, 101, 102, 103}));
}

TEST_F(LyingFile, whosePagesLieOutsideIsRefused) {
  for (const std::uint64_t number : {huge / 2, huge - 3, std::uint64_t{1} << 40}) {
    expectPageRefused(hitsX, "a page lies outside of it",
                      [&](PageEntry& page) { page.position = number; });
    expectPageRefused(hitsX, "a page lies outside of it",
                      [&](PageEntry& page) { page.size = number; });
  }
}

TEST_F(LyingFile, whoseShortPagesAreTooLongIsRefused) {
  for (const std::size_t size : {17, 1000})
    expectClusterRefused("the file is damaged", [&](auto& c) {
      c.page(runValue).isShort = true;
      c.page(runValue).size = std::min(size, shortPage);
      c.page(runValue).encoding = Encoding::raw;
      c.page(runValue).values = static_cast<std::uint32_t>(size);
    });
}

TEST_F(LyingFile, whosePagesHoldWrongNumbersOfValuesIsRefused) {
  for (const std::uint32_t column : {hitsX, hitsGood, timesValue, otherIndex, textValue, runValue,
                                     hitsPresence, hitsCounts, timesCounts, textCounts}) {
    // A raw page has a fixed number of values, but a constant page may have any number.
    const bool ofBytes = column == hitsGood || column == hitsPresence || column == textValue;
    for (const std::uint32_t values : {0, 1, 3, 5, 1000})
      expectPageRefused(column, "the file is damaged", [&](PageEntry& page) {
        page.encoding = Encoding::constant;
        page.size = ofBytes ? 1 : 4;
        page.values = values;
      });
    expectPageRefused(column, "the file is damaged", [](PageEntry& page) { ++page.values; });
    expectPageRefused(column, "the file is damaged", [](PageEntry& page) { --page.values; });
  }
}

TEST_F(LyingFile, whosePagesClaimMoreThanIsThereIsRefused) {
  for (const std::uint32_t values : {0xffffffffU, 0x7fffffffU, 0x40000001U})
    for (const std::uint32_t column : {hitsX, hitsCounts, timesCounts, hitsPresence})
      for (const Encoding encoding : {Encoding::raw, Encoding::constant})
        expectPageRefused(column, " stored; the file is damaged", [&](PageEntry& page) {
          page.values = values;
          page.encoding = encoding;
        });
}

TEST_F(LyingFile, whosePagesClaimMoreThanTheyCanHoldIsRefused) {
  constexpr std::uint32_t entries = 0xfffffff0U;
  m_file.editCluster(0, [&](Forgery::Cluster& c) {
    c.header.entries = entries;
    for (auto& [column, described] : c.columns)
      for (std::uint32_t& end : described.ends)
        end = entries;
    PageEntry& page = c.page(runValue);
    page.encoding = Encoding::constant;
    page.size = sizeof(std::int32_t);
    page.values = entries;
  });
  m_file.editIndex([&](Forgery::Index& index) {
    auto& clusters = index.categories[0].clusters;
    clusters[0].entries = entries;
    clusters.pop_back();
  });
  const auto file = test::openBytes(m_file.bytes());
  const test::Allocations allocations;
  expectError(ErrorKind::corrupt, "claims to hold more than it can",
              [&] { Batches(file->category("events"), {"run"}).next(); });
  EXPECT_LT(allocations.bytes(), std::size_t{10} << 20);
}

TEST_F(LyingFile, whosePagesAreOfAnUnknownKindIsRefused) {
  for (const int number : {10, 11, 255})
    expectPageRefused(hitsX, "does not decode",
                      [&](PageEntry& page) { page.encoding = static_cast<Encoding>(number); });
  // The bytes are not valid in these encodings.
  for (const Encoding encoding : {Encoding::compressed, Encoding::bytePlanes, Encoding::bitPlanes,
                                  Encoding::dictionary, Encoding::runs})
    expectPageRefused(hitsX, "does not decode", [&](PageEntry& page) { page.encoding = encoding; });
}

TEST_F(LyingFile, whoseCountsDoNotAddUpIsRefused) {
  const auto setCount = [&](std::uint32_t column, std::size_t i, std::uint32_t count) {
    m_file.editCluster(0, [&](Forgery::Cluster& c) {
      std::memcpy(c.stored(c.page(column)).data() + i * sizeof count, &count, sizeof count);
    });
  };
  const Buffer honest = copy();
  for (const std::uint32_t column : {hitsCounts, timesCounts})
    for (const std::uint32_t count : {2U, 100U, 0x7fffffffU, 0xffffffffU}) {
      setCount(column, 0, count);
      expectRefused("the file is damaged");
      m_file = Forgery(honest.bytes());
    }
  // The sum in 32 bits is the same as before.
  for (const std::size_t i : {0, 1}) {
    std::uint32_t before = 0;
    m_file.editCluster(0, [&](Forgery::Cluster& c) {
      std::memcpy(&before, c.stored(c.page(hitsCounts)).data() + i * sizeof before, sizeof before);
    });
    setCount(hitsCounts, i, before + 0x80000000U);
  }
  expectRefused("has counts that add up to 4294967303");
}

TEST_F(LyingFile, withAnInvalidBoolIsRefused) {
  for (const int value : {2, 128, 255}) {
    m_file.editCluster(0, [&](Forgery::Cluster& c) {
      c.stored(c.page(hitsGood))[1] = static_cast<std::byte>(value);
    });
    expectRefused("'Hits.good' holds a bool that is neither 0 nor 1");
  }
}

TEST_F(LyingFile, withAnInvalidBoolInRowsIsRefused) {
  const auto bytes = std::make_shared<Buffer>();
  FileWriter writer(std::make_unique<test::MemorySink>(bytes), {uncompressed(), 64 * 1024});
  detail::BatchBuilder builder;
  builder.add(
      test::collection("Hits", {{"x", Scalar::Int32}, {"good", Scalar::Bool, 2}}, Layout::row));
  builder.setPresent(0);
  std::memset(builder.append(0, 2), 1, 16);
  builder.endEntry();
  writer.write("events", builder.batch(0));
  writer.finish();
  for (const std::size_t offset : {4, 5, 3, 6}) {
    m_file = Forgery(bytes->bytes());
    m_file.editCluster(0, [&](Forgery::Cluster& c) { c.stored(c.page(2))[offset] = std::byte{2}; });
    if (offset == 4 || offset == 5)
      expectRefused("'Hits.good' holds a bool that is neither 0 nor 1");
    else
      EXPECT_NO_THROW((void)everythingIn(m_file.bytes()));
  }
}

// A cluster without pages of a table is valid if the table was added later. Files may therefore
// state any number of entries at no cost.
TEST_F(LyingFile, withBillionsOfEntriesTakesNoMemory) {
  constexpr std::uint32_t entries = 0xfffffff0U;
  m_file.editCluster(0, [&](Forgery::Cluster& c) {
    c.header.entries = entries;
    c.columns.clear();
  });
  m_file.editIndex([&](Forgery::Index& index) {
    auto& clusters = index.categories[0].clusters;
    clusters[0].entries = entries;
    clusters.pop_back();
  });
  const auto file = test::openBytes(m_file.bytes());
  const Source& source = file->category("events");
  EXPECT_EQ(source.entries(), entries);
  const test::Allocations allocations;
  for (const std::uint64_t entry : {std::uint64_t{0}, std::uint64_t{entries} / 2}) {
    Batches batches(source, test::tableNames(source.schema()), {entry, huge});
    ASSERT_TRUE(batches.next());
    EXPECT_EQ(batches.batch().offsets("Hits").back(), 0U);
  }
  EXPECT_LT(allocations.bytes(), std::size_t{10} << 20);
}

TEST(Plausibility, boundsDecodedBytesByStoredOnes) {
  constexpr std::uint64_t mebi = std::uint64_t{1} << 20;
  EXPECT_TRUE(isPlausible(0, 64 * mebi));
  EXPECT_FALSE(isPlausible(0, 65 * mebi));
  EXPECT_TRUE(isPlausible(mebi, 4096 * mebi));
  EXPECT_FALSE(isPlausible(mebi, 4097 * mebi));
  EXPECT_FALSE(isPlausible(mebi, huge));
}

} // namespace
} // namespace kaon::kaonfile
