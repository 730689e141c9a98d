#include <kaon/formats/kaonfile/FileReader.h>
#include <kaon/formats/kaonfile/FileWriter.h>

#include <kaon/writing/BatchBuilder.h>

#include "support/Contents.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

// Encodings that the user requests.

namespace kaon::kaonfile {
namespace {

using test::Writing;

/// Returns hits with lists, whose values any encoding can shrink.
detail::BatchBuilder hits(Layout layout) {
  detail::BatchBuilder builder;
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

using Form = std::pair<Encoding, Codec>;

/// Returns the forms of a column in a file of these hits. Expects to read the written values.
std::vector<Form> storedAs(std::uint32_t column, const SinkOptions& options,
                           Layout layout = Layout::split) {
  const detail::BatchBuilder builder = hits(layout);
  test::Contents written;
  written.append(builder.batch(0));
  Writing writing(options);
  writing.writer.write("events", builder.batch(0));
  const auto file = writing.finished();
  EXPECT_EQ(test::contentsOf(file->category("events")), written);
  std::vector<Form> forms;
  for (const StoredForm& form :
       file->category("events").usage(column).value_or(ColumnUsage{}).forms)
    forms.emplace_back(form.encoding, form.codec);
  return forms;
}

enum Columns : std::uint32_t { presence, counts, x, y, z, timesCounts, times };
using Forms = std::vector<Form>;
const Form raw{Encoding::raw, Codec::none};

SinkOptions forced(const std::string& name, Encoding encoding, Compression codec = zstd()) {
  return {codec, 64 * 1024, {{name, encoding}}};
}

TEST(ForcedEncoding, isThatOfItsColumn) {
  for (const Encoding encoding :
       {Encoding::raw, Encoding::packed, Encoding::parts, Encoding::bytePlanes, Encoding::bitPlanes,
        Encoding::dictionary, Encoding::runs, Encoding::frequent}) {
    const Forms forms = storedAs(x, forced("Hits.x", encoding));
    ASSERT_EQ(forms.size(), 1U) << codec::encodingName(encoding);
    EXPECT_EQ(forms[0].first, encoding);
    EXPECT_EQ(forms[0].second, codec::isNamedWithCodec(encoding) ? Codec::zstd : Codec::none);
    // The encoding of one column does not affect the others.
    EXPECT_EQ(storedAs(y, forced("Hits.x", encoding)), storedAs(y, {zstd(), 64 * 1024}));
  }
  EXPECT_EQ(storedAs(x, forced("Hits.x", Encoding::compressed)),
            (Forms{{Encoding::compressed, Codec::zstd}}));
  EXPECT_EQ(storedAs(x, forced("Hits.x", Encoding::compressed, lzma())),
            (Forms{{Encoding::compressed, Codec::lzma}}));
}

TEST(ForcedEncoding, ofATableIsThatOfItsCounts) {
  for (const Encoding encoding : {Encoding::raw, Encoding::packed, Encoding::dictionary}) {
    EXPECT_EQ(storedAs(counts, forced("Hits", encoding)), (Forms{{encoding, Codec::none}}));
    EXPECT_EQ(storedAs(x, forced("Hits", encoding)), storedAs(x, {zstd(), 64 * 1024}));
  }
  // The values of a list have the same name as their counts.
  EXPECT_EQ(storedAs(timesCounts, forced("Hits.times", Encoding::raw)), Forms{raw});
  EXPECT_EQ(storedAs(times, forced("Hits.times", Encoding::raw)), Forms{raw});
}

TEST(ForcedEncoding, ofATableOfRowsIsThatOfItsRows) {
  const std::uint32_t rows = x;
  EXPECT_EQ(storedAs(rows, forced("Hits", Encoding::compressed), Layout::row),
            (Forms{{Encoding::compressed, Codec::zstd}}));
  EXPECT_EQ(storedAs(rows, forced("Hits", Encoding::bytePlanes), Layout::row),
            (Forms{{Encoding::bytePlanes, Codec::zstd}}));
}

TEST(ForcedEncoding, givesWayWhereItDoesNotApply) {
  EXPECT_EQ(storedAs(x, forced("Hits", Encoding::packed), Layout::row), Forms{raw}); // not numbers
  EXPECT_EQ(storedAs(x, forced("Hits.x", Encoding::constant)), Forms{raw});          // not constant
}

} // namespace
} // namespace kaon::kaonfile
