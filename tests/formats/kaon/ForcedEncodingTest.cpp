#include <kaon/formats/kaon/FileReader.h>
#include <kaon/formats/kaon/FileWriter.h>

#include <kaon/batch/BatchBuilder.h>

#include "support/Contents.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

// Encodings that the user names.

namespace kaon::store {
namespace {

using test::Writing;

/// Hits whose values any encoding makes smaller, with lists.
BatchBuilder hits(Layout layout) {
  BatchBuilder builder;
  builder.add(test::collection(
      "Hits", {{"x", Scalar::Int32}, {"y", Scalar::Int32}, {"z", Scalar::Int32}}, layout));
  builder.add(test::values("Hits.times", TableKind::vectorMember, Scalar::Int32, 0));
  for (std::int32_t entry = 0; entry < 200; ++entry) {
    builder.setPresent(0);
    for (std::int32_t row = 0; row < entry % 2 * 40; ++row) {
      const std::int32_t x = row / 20 % 2 == 0 ? 0 : entry % 7;
      test::addRow(builder, 0, std::array{x, x, x});
      test::addRow(builder, 1, x);
      builder.endRow(1);
    }
    builder.endEntry();
  }
  return builder;
}

/// How a column is stored in a file of such hits. All that is read is what was written.
std::vector<std::string> storedAs(std::uint32_t column, const SinkOptions& options,
                                  Layout layout = Layout::split) {
  const BatchBuilder builder = hits(layout);
  test::Contents written;
  written.append(builder.batch(0));
  Writing writing(options);
  writing.writer.write("events", builder.batch(0));
  const auto file = writing.finished();
  EXPECT_EQ(test::contentsOf(file->category("events")), written);
  return file->category("events").usage(column).value().codecs;
}

enum Columns : std::uint32_t { presence, counts, x, y, z, timesCounts, times };
using Names = std::vector<std::string>;

SinkOptions forced(const std::string& name, Encoding encoding, Compression codec = zstd()) {
  return {codec, 64 * 1024, {{name, encoding}}};
}

TEST(ForcedEncoding, isThatOfItsColumn) {
  for (const Encoding encoding :
       {Encoding::raw, Encoding::packed, Encoding::parts, Encoding::bytePlanes, Encoding::bitPlanes,
        Encoding::dictionary, Encoding::runs, Encoding::frequent}) {
    const std::string name(codec::encodingName(encoding));
    const Names found = storedAs(x, forced("Hits.x", encoding));
    ASSERT_EQ(found.size(), 1U) << name;
    EXPECT_EQ(found[0].substr(0, name.size()), name);
    // Whatever the column's pages look like, the others go their own way.
    EXPECT_EQ(storedAs(y, forced("Hits.x", encoding)), storedAs(y, {zstd(), 64 * 1024}));
  }
  EXPECT_EQ(storedAs(x, forced("Hits.x", Encoding::compressed)), Names{"zstd"});
  EXPECT_EQ(storedAs(x, forced("Hits.x", Encoding::compressed, lzma())), Names{"lzma"});
}

TEST(ForcedEncoding, ofATableIsThatOfItsCounts) {
  for (const Encoding encoding : {Encoding::raw, Encoding::packed, Encoding::dictionary}) {
    const Names name{std::string(codec::encodingName(encoding))};
    EXPECT_EQ(storedAs(counts, forced("Hits", encoding)), name);
    EXPECT_EQ(storedAs(x, forced("Hits", encoding)), storedAs(x, {zstd(), 64 * 1024}));
  }
  // Bare values are called as their counts are.
  EXPECT_EQ(storedAs(timesCounts, forced("Hits.times", Encoding::raw)), Names{"raw"});
  EXPECT_EQ(storedAs(times, forced("Hits.times", Encoding::raw)), Names{"raw"});
}

TEST(ForcedEncoding, ofATableOfRowsIsThatOfItsRows) {
  const std::uint32_t rows = x;
  EXPECT_EQ(storedAs(rows, forced("Hits", Encoding::compressed), Layout::row), Names{"zstd"});
  const Names planes = storedAs(rows, forced("Hits", Encoding::bytePlanes), Layout::row);
  EXPECT_EQ(planes.at(0).substr(0, 10), "bytePlanes");
}

TEST(ForcedEncoding, givesWayWhereItDoesNotApply) {
  EXPECT_EQ(storedAs(x, forced("Hits", Encoding::packed), Layout::row), Names{"raw"}); // no numbers
  EXPECT_EQ(storedAs(x, forced("Hits.x", Encoding::constant)), Names{"raw"}); // they are not
}

} // namespace
} // namespace kaon::store
