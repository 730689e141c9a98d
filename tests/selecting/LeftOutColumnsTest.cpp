#include <kaon/selecting/LeftOutColumns.h>

#include <kaon/writing/BatchBuilder.h>

#include "support/Contents.h"
#include "support/Tables.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

// Leaves out tables and members of a file; the others keep their values.

namespace kaon {
namespace {

using Integers = std::vector<std::int64_t>;

class LeftOut : public testing::TestWithParam<Layout> {
protected:
  void SetUp() override {
    detail::BatchBuilder builder;
    builder.add(test::values("run", TableKind::value, Scalar::Int64));
    builder.add(
        test::collection("Hits", {{"cell", Scalar::Int64}, {"time", Scalar::Int64}}, GetParam()));
    builder.add(test::relation("Hits.next", TableKind::manyRelation, 1));
    builder.add(test::values("x", TableKind::value, Scalar::Int64));
    for (std::int64_t entry = 0; entry < 3; ++entry) {
      test::addRow(builder, 0, 100 + entry);
      builder.setPresent(1);
      for (std::int64_t hit = 0; hit <= entry; ++hit) {
        test::addRow(builder, 1, std::array{10 * entry + hit, -hit});
        test::addRow(builder, 2, detail::Reference{0, 1});
        builder.endRow(2);
      }
      test::addRow(builder, 3, 7 * entry);
      builder.endEntry();
    }
    m_writing.writer.write("events", builder.batch(0));
    m_file = m_writing.finished();
  }
  [[nodiscard]] std::shared_ptr<const File> without(const std::string& name) const {
    detail::LeftOutColumns columns;
    EXPECT_TRUE(columns.add({"", m_file->category("events").name(), {name}}));
    return columns.removeFrom(m_file);
  }

  test::Writing m_writing;
  std::shared_ptr<const File> m_file;
};

TEST_P(LeftOut, tablesKeepOthersAsTheyAre) {
  const auto file = without("run");
  const Source& source = file->category("events");
  EXPECT_EQ(source.schema().find("run"), Table::none);
  EXPECT_EQ(test::valuesOf<std::int64_t>(source, "Hits.cell"), (Integers{0, 10, 11, 20, 21, 22}));
  EXPECT_EQ(test::valuesOf<std::int64_t>(source, "Hits.time"), (Integers{0, 0, -1, 0, -1, -2}));
  EXPECT_EQ(test::valuesOf<std::int64_t>(source, "x"), (Integers{0, 7, 14}));
}

TEST_P(LeftOut, tablesKeepOthersAsTargetsOfReferences) {
  const auto file = without("run");
  const Source& source = file->category("events");
  EXPECT_EQ(test::valuesOf<std::uint32_t>(source, "Hits.next.collection"),
            std::vector<std::uint32_t>(6, source.schema().find("Hits")));
}

TEST_P(LeftOut, collectionsKeepTheTablesBehindThem) {
  const auto file = without("Hits");
  const Source& source = file->category("events");
  EXPECT_EQ(source.schema().size(), 2U);
  EXPECT_EQ(test::valuesOf<std::int64_t>(source, "run"), (Integers{100, 101, 102}));
  EXPECT_EQ(test::valuesOf<std::int64_t>(source, "x"), (Integers{0, 7, 14}));
}

TEST_P(LeftOut, membersKeepTheOthers) {
  const auto file = without("Hits.cell");
  const Source& source = file->category("events");
  const bool hasRows = GetParam() == Layout::row; // which stay as a whole
  EXPECT_EQ(source.schema().table(1).members.size(), hasRows ? 2U : 1U);
  EXPECT_EQ(test::valuesOf<std::int64_t>(source, "Hits.time"), (Integers{0, 0, -1, 0, -1, -2}));
  EXPECT_EQ(test::valuesOf<std::int64_t>(source, "x"), (Integers{0, 7, 14}));
}

INSTANTIATE_TEST_SUITE_P(Layouts, LeftOut,
                         testing::Values(Layout::split, Layout::member, Layout::row));

} // namespace
} // namespace kaon
