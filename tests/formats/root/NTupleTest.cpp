#include <kaon/formats/root/RootFile.h>

#include <kaon/formats/root/ntuple/NTupleSource.h>

#include "support/DataFiles.h"
#include "support/Errors.h"
#include "support/RootBytes.h"
#include "support/RowsAsJson.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::root {
namespace {

using test::expectError;
using test::Json;

Json jsonIn(const std::string& path) { return Json::parse(std::ifstream(path)); }

/// Appends all values of nested arrays, one after another.
void flatten(const Json& json, Json& out) {
  if (!json.is_array())
    return out.push_back(json);
  for (const Json& each : json)
    flatten(each, out);
}

bool agree(const Json& expected, const Json& actual);

bool agreeInOrder(const Json& expected, const Json& actual) {
  if (expected.size() != actual.size())
    return false;
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!agree(expected[i], actual[i]))
      return false;
  return true;
}

/// Compares lists whose order ROOT's reader may have changed.
bool agreeInAnyOrder(const Json& expected, Json actual) {
  if (expected.size() != actual.size())
    return false;
  for (const Json& each : expected) {
    const auto found =
        std::ranges::find_if(actual, [&](const Json& candidate) { return agree(each, candidate); });
    if (found == actual.end())
      return false;
    actual.erase(found);
  }
  return true;
}

/// Compares records that the expected values have as lists: tuples with the members "_0", "_1",
/// ..., and variants with "tag".
bool agreeAsRecord(const Json& expected, const Json& actual) {
  if (actual.contains("tag"))
    return expected.size() == 2 && actual["tag"] == expected[0].get<int>() + 1 &&
           agreeInOrder(Json::array({expected[1]}), actual[std::to_string(expected[0].get<int>())]);
  if (expected.size() != actual.size())
    return false;
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!agree(expected[i], actual["_" + std::to_string(i)]))
      return false;
  return true;
}

/// Compares values, allowing for kaon's form of optionals, tuples and variants.
bool agree(const Json& expected, const Json& actual) {
  if (expected.is_null())
    return actual == Json::array();
  if (expected.is_object() && actual.is_object()) {
    for (const auto& [name, value] : expected.items())
      if (!actual.contains(name) || !agree(value, actual[name]))
        return false;
    return expected.size() == actual.size();
  }
  if (expected.is_array() && actual.is_object())
    return agreeAsRecord(expected, actual);
  if (actual.is_array() && !expected.is_array()) // optional
    return actual.size() == 1 && agree(expected, actual[0]);
  if (actual.is_array()) {
    if (agreeInOrder(expected, actual))
      return true;
    Json flat = Json::array();
    flatten(expected, flat);
    return agreeInOrder(flat, actual); // nested arrays
  }
  if (actual.is_number_float() && expected.is_number()) // shortest decimals of a float or double
    return actual.get<double>() == expected.get<double>() ||
           actual.get<float>() == expected.get<float>();
  if (actual.is_boolean() && expected.is_number())
    return actual.get<bool>() == (expected.get<int>() != 0);
  return expected == actual;
}

/// Expects all fields of a file with their values.
void expectContents(const Source& source, const Json& expected) {
  ASSERT_EQ(source.entries(), expected["entries"].get<std::uint64_t>());
  std::vector<EntryRange> clusters;
  for (const Json& each : expected["clusters"])
    clusters.push_back({each[0], each[0].get<std::uint64_t>() + each[1].get<std::uint64_t>()});
  EXPECT_EQ(source.clusters(), clusters);
  test::RowsAsJson rows(source);
  for (const auto& [name, field] : expected["fields"].items()) {
    const std::uint32_t table = source.schema().find(name);
    ASSERT_NE(table, Table::none) << name;
    const Json& values = field["values"];
    for (std::uint64_t entry = 0; entry < source.entries(); ++entry) {
      const Json actual = rows.entry(table, entry);
      const bool isSorted = field["type"].get<std::string>().starts_with("std::unordered");
      ASSERT_TRUE(isSorted ? agreeInAnyOrder(values[entry], actual) : agree(values[entry], actual))
          << name << ", entry " << entry << ": expected " << values[entry] << ", got " << actual;
    }
  }
  EXPECT_TRUE(source.unreadable().empty());
}

TEST(NTuple, hasTheValuesThatRootReads) {
  const auto file = openRootFile(io::fileSource(test::dataFile("root/rntuple_dirs.root")), {});
  const Json expected = jsonIn(test::dataFile("root/rntuple_dirs.json"));
  EXPECT_EQ(file->categories(), (std::vector<std::string>{"ntpl", "a/inside"}));
  expectContents(file->category("ntpl"), expected["ntpl"]);
  expectContents(file->category("a/inside;1"), expected["a/inside"]);
}

TEST(NTuple, hasFieldsThatCameLate) {
  const std::string path = test::dataFile("root/rntuple_extended.root");
  for (const bool verify : {true, false})
    for (const std::size_t budget : {std::size_t{0}, std::size_t{1'000}, std::size_t{1} << 20})
      for (const bool isMapped : {true, false})
        expectContents(
            openRootFile(isMapped ? io::fileSource(path) : io::fileSource(path, MapUse::never),
                         {.memoryBudget = budget, .verify = verify})
                ->category("ntpl"),
            jsonIn(test::dataFile("root/rntuple_extended.json")));
}

/// A larger file with its expected contents.
class SharedNTuple : public ::testing::TestWithParam<std::string_view> {};

TEST_P(SharedNTuple, hasTheValuesThatRootReads) {
  const std::string name(GetParam());
  const auto path = test::sharedFile("root/" + name + ".root");
  const auto expected = test::sharedFile("root/" + name.substr(0, name.rfind('_')) + ".json");
  if (!path || !expected)
    GTEST_SKIP() << test::noSharedFiles;
  for (const bool isMapped : {true, false})
    expectContents(
        openRootFile(isMapped ? io::fileSource(*path) : io::fileSource(*path, MapUse::never), {})
            ->category("ntpl"),
        jsonIn(*expected));
}

INSTANTIATE_TEST_SUITE_P(Files, SharedNTuple,
                         ::testing::Values("rntuple_types_none", "rntuple_types_zlib",
                                           "rntuple_types_lz4", "rntuple_types_zstd",
                                           "rntuple_types_lzma", "rntuple_encodings_none",
                                           "rntuple_encodings_zstd"),
                         [](const auto& each) { return std::string(each.param); });

TEST(NTuple, isNamedIfItIsFromBeforeVersionOne) {
  test::RootFileBytes bytes;
  const std::string text =
      bytes.finish({bytes.add("ROOT::Experimental::RNTuple", "ntpl", std::string(70, '\1'))});
  const auto file = openRootFile(io::memorySource("f.root", std::as_bytes(std::span(text))), {});
  EXPECT_EQ(file->categories(), std::vector<std::string>{"ntpl"});
  test::expectError(ErrorKind::version, "'ntpl' is an RNTuple from before version 1.0",
                    [&] { (void)file->category("ntpl"); });
}

} // namespace
} // namespace kaon::root
