#include <kaon/formats/kaonfile/GatheredMembers.h>

#include <kaon/writing/BatchBuilder.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

namespace kaon::kaonfile {
namespace {

struct Row {
  float a;
  std::int16_t b;
  std::int16_t c;
  float rounded;
  std::int32_t last;
};

/// Returns one entry with a parameter that has these rows.
detail::BatchBuilder builderOf(const std::vector<Row>& rows) {
  detail::BatchBuilder builder;
  TableDefinition table{.name = "rows", .kind = TableKind::parameter, .rowSize = sizeof(Row)};
  table.members = {{.name = "a", .type = Scalar::Float32, .offset = offsetof(Row, a)},
                   {.name = "b", .type = Scalar::Int16, .offset = offsetof(Row, b)},
                   {.name = "c", .type = Scalar::Int16, .offset = offsetof(Row, c)},
                   {.name = "rounded",
                    .type = Scalar::Float32,
                    .offset = offsetof(Row, rounded),
                    .precision = mantissaBits(8)},
                   {.name = "last", .type = Scalar::Int32, .offset = offsetof(Row, last)}};
  const std::uint32_t number = builder.add(table);
  std::memcpy(builder.append(number, rows.size()), rows.data(), rows.size() * sizeof(Row));
  builder.setPresent(number);
  builder.endEntry();
  return builder;
}

std::vector<Row> makeRows(std::size_t count) {
  std::vector<Row> rows(count);
  for (std::size_t i = 0; i < count; ++i)
    rows[i] = {static_cast<float>(i), static_cast<std::int16_t>(i % 1000),
               static_cast<std::int16_t>(i % 7), 1, static_cast<std::int32_t>(3 * i)};
  return rows;
}

template <class T>
std::vector<T> listOf(std::optional<std::span<const std::byte>> bytes) {
  std::vector<T> values(bytes ? bytes->size() / sizeof(T) : 0);
  if (!values.empty())
    std::memcpy(values.data(), bytes->data(), bytes->size());
  return values;
}

TEST(GatheredMembers, areArraysOfMembersInRows) {
  const auto rows = makeRows(1000);
  const detail::BatchBuilder builder = builderOf(rows);
  const Batch batch = builder.batch(0);
  GatheredMembers members;
  const auto a = listOf<float>(members.values(batch, 0, 0));
  const auto b = listOf<std::int16_t>(members.values(batch, 0, 1));
  const auto c = listOf<std::int16_t>(members.values(batch, 0, 2));
  ASSERT_EQ(a.size(), rows.size());
  ASSERT_EQ(b.size(), rows.size());
  ASSERT_EQ(c.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(a[i], rows[i].a);
    EXPECT_EQ(b[i], rows[i].b);
    EXPECT_EQ(c[i], rows[i].c);
  }
}

TEST(GatheredMembers, areAlignedAfterMembersOfAnySize) {
  const detail::BatchBuilder builder = builderOf(makeRows(3));
  const Batch batch = builder.batch(0);
  GatheredMembers members;
  for (const std::uint32_t member : {0U, 1U, 2U}) {
    const auto values = members.values(batch, 0, member);
    ASSERT_TRUE(values);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values->data()) % Buffer::alignment, 0U) << member;
  }
}

TEST(GatheredMembers, leaveOutRoundedAndSingleMembers) {
  const detail::BatchBuilder builder = builderOf(makeRows(10));
  const Batch batch = builder.batch(0);
  GatheredMembers members;
  EXPECT_FALSE(members.values(batch, 0, 3));
  EXPECT_FALSE(members.values(batch, 0, 4));
}

TEST(GatheredMembers, takeLittleMemory) {
  const detail::BatchBuilder builder =
      builderOf(makeRows(1'000'000)); // a has 4 MB, b and c have 2 MB each
  const Batch batch = builder.batch(0);
  GatheredMembers members;
  EXPECT_FALSE(members.values(batch, 0, 0));
  EXPECT_TRUE(members.values(batch, 0, 1));
}

TEST(GatheredMembers, areThoseOfTheNextBatchOnceTheyWereCleared) {
  GatheredMembers members;
  for (const std::size_t count : {10, 20}) {
    const detail::BatchBuilder builder = builderOf(makeRows(count));
    EXPECT_EQ(listOf<float>(members.values(builder.batch(0), 0, 0)).size(), count);
    members.clear();
  }
}

} // namespace
} // namespace kaon::kaonfile
