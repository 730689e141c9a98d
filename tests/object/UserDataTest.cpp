#include "support/Errors.h"
#include "support/Files.h"
#include "support/Tables.h"
#include "support/Writing.h"

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>
#include <kaon/object/UserDataCollection.h>
#include <kaon/writing/BatchBuilder.h>

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using kaon::Category;
using kaon::ErrorKind;
using kaon::Frame;
using kaon::Layout;
using kaon::Reader;
using kaon::Scalar;
using kaon::TableKind;
using kaon::UserDataCollection;
using kaon::Writer;
using kaon::detail::BatchBuilder;
using kaon::test::expectError;
using kaon::test::TemporaryDirectory;

template <class T>
class UserData : public testing::Test {};
using Types =
    testing::Types<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                   std::uint32_t, std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(UserData, Types);

/// Returns values with different bytes.
template <class T>
std::vector<T> someValues() {
  std::vector<T> values;
  for (int i = 0; i < 100; ++i)
    values.push_back(static_cast<T>(static_cast<T>(i % 3) * static_cast<T>(41)));
  return values;
}

template <class T>
UserDataCollection<T> someCollection() {
  UserDataCollection<T> collection;
  for (const T value : someValues<T>())
    collection.push_back(value);
  return collection;
}

TYPED_TEST(UserData, holdsValuesLikeAVector) {
  auto values = someCollection<TypeParam>();
  EXPECT_EQ(values.size(), 100U);
  EXPECT_EQ(values[1], someValues<TypeParam>()[1]);
  values[1] = static_cast<TypeParam>(1);
  EXPECT_EQ(values.at(1), static_cast<TypeParam>(1));
  EXPECT_THROW((void)values.at(100), std::out_of_range);
  EXPECT_EQ(&values.span()[2], &values.span()[1] + 1);
  values.resize(2);
  values.resize(4);
  EXPECT_EQ(values.vec(), (std::vector<TypeParam>{0, 1, 0, 0}));
  values.clear();
  EXPECT_TRUE(values.empty());
  EXPECT_EQ(values.begin(), values.end());
}

TYPED_TEST(UserData, isReadAsItWasWritten) {
  const TemporaryDirectory directory;
  for (const Layout layout : {Layout::split, Layout::member, Layout::row}) {
    const std::string path = directory / "values.kaon", copy = directory / "copy.kaon";
    Writer writer(path, {.layout = layout});
    for (int i = 0; i < 3; ++i) {
      Frame frame;
      frame.put(someCollection<TypeParam>(), "Values");
      frame.put(UserDataCollection<TypeParam>(), "None");
      writer.write(frame, "events");
    }
    writer.finish();
    Writer copier(copy);
    for (const Frame& frame : Reader(path)["events"])
      copier.write(frame, "events");
    copier.finish();
    for (const std::string& file : {path, copy}) {
      for (const Frame& frame : Reader(file)["events"]) {
        const auto& values = frame.get<UserDataCollection<TypeParam>>("Values");
        EXPECT_EQ(values.vec(), someValues<TypeParam>());
        EXPECT_EQ(values[2], someValues<TypeParam>()[2]);
        EXPECT_EQ(values.span().data(), values.begin());
        EXPECT_THROW((void)values.at(100), std::out_of_range);
        EXPECT_TRUE(frame.get<UserDataCollection<TypeParam>>("None").vec().empty());
      }
    }
  }
}

TEST(UserDataCollection, isMadeOfAVector) {
  const std::vector<double> values{1, 2, 3};
  const UserDataCollection<double> collection(values);
  EXPECT_EQ(collection.vec(), values);
  std::ostringstream out;
  out << collection;
  kaon::test::expectContains(out.str(), "3");
}

TEST(UserDataCollection, isSwapped) {
  UserDataCollection<int> some(std::vector{1, 2}), none;
  swap(some, none);
  EXPECT_TRUE(some.empty());
  EXPECT_EQ(none.vec(), (std::vector{1, 2}));
}

TEST(UserDataCollection, isOfOneTypeOfValues) {
  Frame frame;
  frame.put(someCollection<float>(), "Values");
  EXPECT_EQ(frame.get<UserDataCollection<float>>("Values").getValueTypeName(), "float32");
  expectError(ErrorKind::type, "'Values' is a collection of float32, not of float64",
              [&] { (void)frame.get<UserDataCollection<double>>("Values"); });
}

/// Returns an event with a collection of type float32, with these members and three rows of
/// increasing bytes.
Frame eventOf(kaon::test::Writing& writing, const std::vector<kaon::test::Field>& fields,
              Layout layout) {
  BatchBuilder builder;
  const auto table = builder.add(kaon::test::table("Values", TableKind::collection, "float32",
                                                   fields, kaon::Table::none, layout));
  builder.setPresent(table);
  const std::size_t size = builder.schema().table(table).rowSize;
  std::byte* const rows = builder.append(table, 3);
  for (std::size_t i = 0; i < 3 * size; ++i)
    rows[i] = static_cast<std::byte>(i);
  builder.endEntry();
  writing.writer.write("events", builder.batch(0));
  return Category(writing.finished(), "events").at(0);
}

TEST(UserDataCollection, isReadFromAmongOtherMembers) {
  kaon::test::Writing writing;
  const Frame frame =
      eventOf(writing, {{"", Scalar::Float32}, {"more", Scalar::Int32}}, Layout::row);
  const auto& values = frame.get<UserDataCollection<float>>("Values");
  const std::uint32_t second = 0x0b0a0908;
  EXPECT_EQ(std::bit_cast<std::uint32_t>(values[1]), second);
  expectError(ErrorKind::type, "are not contiguous", [&] { (void)values.span(); });
}

TEST(UserDataCollection, hasTheTypeThatItSays) {
  kaon::test::Writing writing;
  const Frame frame = eventOf(writing, {{"", Scalar::Float32, 2}}, Layout::split);
  const auto& values = frame.get<UserDataCollection<float>>("Values");
  expectError(ErrorKind::type, "'Values' cannot be read: it was float32[2], is float32",
              [&] { (void)values[0]; });
}

} // namespace
