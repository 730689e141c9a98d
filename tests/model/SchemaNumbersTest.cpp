// Numbers of tables, members and columns cannot be mixed up.

#include <kaon/model/Table.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <type_traits>
#include <vector>

namespace kaon {
namespace {

template <class A, class B>
concept CanBeCompared = requires(A a, B b) { a == b; } || requires(A a, B b) { a != b; };
template <class A, class B>
concept CanBeOrdered = requires(A a, B b) { a < b; } || requires(A a, B b) { a >= b; };

TEST(SchemaNumbers, ofDifferentThingsDoNotConvert) {
  static_assert(!std::is_constructible_v<TableNumber, MemberNumber>);
  static_assert(!std::is_constructible_v<MemberNumber, ColumnNumber>);
  static_assert(!std::is_assignable_v<ColumnNumber&, TableNumber>);
  static_assert(!CanBeCompared<TableNumber, MemberNumber>);
  static_assert(!CanBeOrdered<ColumnNumber, TableNumber>);
  static_assert(!std::is_constructible_v<TableMember, MemberNumber, TableNumber>);
}

TEST(SchemaNumbers, convertFromAndToIntegers) {
  const TableNumber table = 3U;
  EXPECT_EQ(table, 3U);
  EXPECT_EQ(std::vector({10, 11, 12, 13})[table], 13);
  static_assert(CanBeCompared<TableNumber, TableNumber> && CanBeOrdered<TableNumber, TableNumber>);
  const std::vector<std::uint32_t> numbers{5, 3};
  EXPECT_EQ(std::ranges::find(numbers, table) - numbers.begin(), 1);
}

TEST(SchemaNumbers, inARangeAreVisitedInOrder) {
  std::vector<ColumnNumber> visited;
  for (const ColumnNumber column : ColumnRange{2, 5})
    visited.push_back(column);
  EXPECT_EQ(visited, (std::vector<ColumnNumber>{2, 3, 4}));
  EXPECT_TRUE(std::ranges::empty(ColumnRange{2, 2}));
}

} // namespace
} // namespace kaon
