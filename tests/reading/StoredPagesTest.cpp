#include <kaon/reading/StoredPages.h>
#include <kaon/writing/BatchBuilder.h>

#include <kaon/base/Hash.h>
#include <kaon/codec/BlockCompression.h>
#include <kaon/codec/Encoding.h>
#include <kaon/formats/memory/MemoryFile.h>
#include <kaon/writing/BatchWriter.h>

#include "support/Errors.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace kaon {
namespace {

using test::expectError;

/// Writes entries; entry i has i % 3 hits. Their x is the entry, y half of it, and id a constant.
/// The first cluster lacks the table "late".
std::shared_ptr<Buffer> hits() {
  SinkOptions options{zstd(3), 1024};
  options.encodings["Hits.x"] = codec::Encoding::raw;
  options.encodings["Hits.y"] = codec::Encoding::compressed;
  options.encodings["Hits"] = codec::Encoding::raw;
  test::Writing writing(options);
  detail::BatchBuilder builder;
  builder.add(test::collection(
      "Hits", {{"x", Scalar::Int32}, {"y", Scalar::Float64}, {"id", Scalar::UInt16}}));
  struct Hit {
    std::int32_t x;
    double y;
    std::uint16_t id;
  };
  for (std::int32_t entry = 0; entry < 2'000; ++entry) {
    if (entry == 1'000) {
      TableDefinition late = test::values("late", TableKind::value, Scalar::Int16);
      late.members[0].missing = 77;
      builder.add(late);
    }
    builder.setPresent(0);
    for (std::int32_t i = 0; i < entry % 3; ++i)
      test::addRow(builder, 0, Hit{entry, entry / 2., 9});
    if (entry >= 1'000)
      test::addRow(builder, 1, static_cast<std::int16_t>(entry));
    builder.endEntry();
    if (builder.entries() == 1'000) {
      writing.writer.write("events", builder.batch(0));
      builder.clear();
    }
  }
  writing.writer.finish();
  return writing.bytes;
}

/// Decodes a page as docs/format.md describes the encodings 0, 1 and 3.
std::vector<std::byte> decoded(const StoredPage& page, std::uint32_t elementSize) {
  std::vector<std::byte> values(page.values * elementSize);
  switch (static_cast<int>(page.encoding)) {
  case 0:
    EXPECT_EQ(page.bytes.size(), values.size());
    std::memcpy(values.data(), page.bytes.data(), values.size());
    break;
  case 1:
    EXPECT_EQ(page.bytes.size(), page.element.size);
    for (std::size_t at = 0; at < values.size(); at += page.element.size)
      std::memcpy(values.data() + at, page.bytes.data(), page.element.size);
    break;
  case 3:
    EXPECT_EQ(page.bytes[0], std::byte{2}) << "Zstandard";
    EXPECT_TRUE(codec::decompress(Codec::zstd, page.bytes.subspan(1), values));
    break;
  default:
    ADD_FAILURE() << "encoding " << codec::encodingName(page.encoding);
  }
  return values;
}

TEST(StoredPages, canBeDecodedByTheirDescription) {
  const auto bytes = hits();
  const auto file = test::openBytes(bytes->bytes());
  const Source& source = file->category("events");
  std::map<std::string, std::vector<std::byte>> columns;
  std::map<std::string, std::uint64_t> next; // next expected entry, by column
  std::size_t compressed = 0;
  StoredPages pages(source, {"Hits"});
  for (const StoredPage& page : pages) {
    const Column column = pages.schema().columns()[page.column];
    const std::string name = column.role == ColumnRole::member
                                 ? pages.schema().nameOfMember(column.table, column.member)
                                 : std::string(roleName(column.role));
    EXPECT_EQ(next[name], page.entries.first);
    next[name] = page.entries.last;
    if (name == "presence") { // not stored in any cluster, because all entries have hits
      EXPECT_TRUE(page.isMissing);
      EXPECT_EQ(page.missing, 1U);
      continue;
    }
    EXPECT_EQ(page.checksum, static_cast<std::uint32_t>(checksum(page.bytes)));
    compressed += page.encoding == codec::Encoding::compressed ? 1 : 0;
    const auto values = decoded(page, column.elementSize);
    columns[name].insert(columns[name].end(), values.begin(), values.end());
  }
  for (const auto& [name, entry] : next)
    EXPECT_EQ(entry, 2'000U) << name;
  EXPECT_GT(compressed, 1U);
  const auto expect = [&]<class T>(const std::string& name, const std::vector<T>& values) {
    ASSERT_EQ(columns[name].size(), values.size() * sizeof(T)) << name;
    EXPECT_EQ(std::memcmp(columns[name].data(), values.data(), columns[name].size()), 0) << name;
  };
  expect("Hits.x", test::valuesOf<std::int32_t>(source, "Hits.x"));
  expect("Hits.y", test::valuesOf<double>(source, "Hits.y"));
  expect("Hits.id", test::valuesOf<std::uint16_t>(source, "Hits.id"));
  std::vector<std::uint32_t> counts(2'000);
  for (std::uint32_t entry = 0; entry < 2'000; ++entry)
    counts[entry] = entry % 3;
  expect("counts", counts);
}

TEST(StoredPages, tellWhichPagesAreMissing) {
  const auto bytes = hits();
  const auto file = test::openBytes(bytes->bytes());
  std::vector<EntryRange> missing;
  std::uint64_t values = 0;
  for (const StoredPage& page : StoredPages(file->category("events"), {"late"}))
    if (page.isMissing) {
      EXPECT_EQ(page.missing, 77U);
      EXPECT_TRUE(page.bytes.empty());
      missing.push_back(page.entries);
    } else {
      values += page.values;
    }
  EXPECT_EQ(missing, (std::vector<EntryRange>{{0, 1'000}}));
  EXPECT_EQ(values, 1'000U);
}

TEST(StoredPages, areThoseWithSelectedEntries) {
  const auto bytes = hits();
  const auto file = test::openBytes(bytes->bytes());
  const std::vector<EntryRange> wanted = {{3, 4}, {1'500, 1'501}};
  std::size_t pages = 0, all = 0;
  for (const StoredPage& page :
       StoredPages(file->category("events"), {"Hits.x"}, EntrySelection(wanted))) {
    ++pages;
    EXPECT_TRUE((page.entries.first <= 3 && page.entries.last > 3) ||
                (page.entries.first <= 1'500 && page.entries.last > 1'500));
  }
  for ([[maybe_unused]] const StoredPage& page : StoredPages(file->category("events"), {"Hits.x"}))
    ++all;
  EXPECT_EQ(pages, 2U * 3); // for presence, counts and values in two clusters
  EXPECT_GT(all, pages);
}

TEST(StoredPages, sayThatTheyWereMovedAway) {
  const auto bytes = hits();
  const auto file = test::openBytes(bytes->bytes());
  StoredPages pages(file->category("events"), {"Hits.x"});
  ASSERT_TRUE(pages.next());
  StoredPages moved = std::move(pages);
  expectError(ErrorKind::usage, "these pages were moved away", [&] { (void)pages.next(); });
  EXPECT_TRUE(moved.next());
}

TEST(StoredPages, areCheckedAgainstTheirChecksums) {
  const auto bytes = hits();
  std::uint64_t position = 0;
  {
    const auto file = test::openBytes(bytes->bytes());
    StoredPages pages(file->category("events"), {"Hits.x"});
    while (pages.next())
      if (pages.page().bytes.size() > 100)
        position = static_cast<std::uint64_t>(pages.page().bytes.data() - bytes->data());
  }
  bytes->data()[position + 50] ^= std::byte{1};
  const auto file = test::openBytes(bytes->bytes());
  expectError(ErrorKind::corrupt, "does not match its checksum", [&] {
    for ([[maybe_unused]] const StoredPage& page :
         StoredPages(file->category("events"), {"Hits.x"})) {
    }
  });
}

TEST(StoredPages, areNotThereInMemory) {
  const auto file = memory::MemoryFile::make("tables");
  BatchWriter writer(file->sink(), {});
  writer.write("events", test::entriesOf<std::int32_t>(
                             test::values("run", TableKind::value, Scalar::Int32), {1, 2})
                             .batch(0));
  writer.finish();
  StoredPages pages(file->category("events"), {"run"});
  expectError(ErrorKind::usage, "can only be read decoded", [&] { (void)pages.next(); });
}

} // namespace
} // namespace kaon
