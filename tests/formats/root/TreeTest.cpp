#include <kaon/formats/root/tree/TreeSource.h>

#include "support/DamagedRootFile.h"
#include "support/DataFiles.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/RecordingSource.h"
#include "support/RowsAsJson.h"
#include "support/Warnings.h"

#include <kaon/batch/Columns.h>
#include <kaon/detail/io/FetchedRanges.h>
#include <kaon/formats/root/RootFile.h>
#include <kaon/formats/root/RootFileWriter.h>
#include <kaon/reading/ColumnReader.h>

#include <gtest/gtest.h>
#include <oneapi/tbb/task_arena.h>

#include <cmath>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

namespace kaon::root {
namespace {

using nlohmann::json;
using test::dataFile;
using test::RowsAsJson;
using test::sharedFile;

json jsonIn(const std::string& path) { return json::parse(std::ifstream(path)); }

std::unique_ptr<File> opened(const std::string& path) {
  return openRootFile(io::fileSource(path), {});
}

/// Appends the values of nested arrays.
void flattenInto(const json& nested, json& flat) {
  for (const json& each : nested)
    if (each.is_array())
      flattenInto(each, flat);
    else
      flat.push_back(each);
}

bool isSameNumber(const json& expected, const json& value) {
  if (value.is_boolean())
    return expected == value;
  if (!value.is_number_float())
    return expected == value;
  const auto number = value.get<double>();
  if (expected == "NaN")
    return std::isnan(number);
  if (expected.is_string())
    return std::isinf(number) && (number > 0) == (expected == "Infinity");
  return expected.get<double>() == number || // the shortest decimal that gives the float
         static_cast<float>(expected.get<double>()) == static_cast<float>(number);
}

/// Compares values that ROOT read with those of tables, where nested arrays are flat and pairs are
/// records.
bool isSame(const json& expected, const json& value) {
  if (expected.is_object()) {
    bool isAll = value.is_object() && value.size() == expected.size();
    for (auto each = expected.begin(); isAll && each != expected.end(); ++each)
      isAll = value.contains(each.key()) && isSame(*each, value[each.key()]);
    return isAll;
  }
  if (!expected.is_array())
    return isSameNumber(expected, value);
  if (value.is_object())
    return expected.size() == 2 && isSame(expected[0], value["first"]) &&
           isSame(expected[1], value["second"]);
  if (!expected.empty() && expected[0].is_array() && !value.empty() && !value[0].is_array() &&
      !value[0].is_object()) {
    json flat = json::array();
    flattenInto(expected, flat);
    return isSame(flat, value);
  }
  bool isAll = value.size() == expected.size();
  for (std::size_t i = 0; isAll && i < expected.size(); ++i)
    isAll = isSame(expected[i], value[i]);
  return isAll;
}

/// Returns a branch's values in an entry; the branch "j_f32" may be the member "f32" of "j".
json valuesOf(RowsAsJson& rowsOf, const Schema& schema, const std::string& branch,
              std::uint64_t entry) {
  if (const std::uint32_t table = schema.find(branch); table != Table::none)
    return rowsOf.entry(table, entry);
  const std::size_t mark = branch.find('_');
  const json rows = rowsOf.entry(schema.tableNamed(branch.substr(0, mark)), entry);
  json column = json::array();
  for (const json& row : rows)
    column.push_back(row.is_object() ? row.at(branch.substr(mark + 1)) : row);
  return column;
}

void expectTree(const Source& tree, const json& expected) {
  ASSERT_EQ(tree.entries(), expected["entries"].get<std::uint64_t>());
  const Schema& schema = tree.schema();
  RowsAsJson rows(tree);
  for (const auto& [name, branch] : expected["branches"].items()) {
    const std::string plain = name.ends_with('.') ? name.substr(0, name.size() - 1) : name;
    for (std::uint64_t entry = 0; entry < tree.entries(); ++entry) {
      const json value = valuesOf(rows, schema, plain, entry);
      const json& wanted = branch["values"][entry];
      ASSERT_TRUE(isSame(wanted, value)) << tree.name() << ": '" << name << "', entry " << entry
                                         << ": " << wanted.dump() << " became " << value.dump();
    }
  }
}

void expectFile(const std::string& path, const std::string& expectedPath) {
  const auto file = opened(path);
  const json expected = jsonIn(expectedPath);
  for (const auto& [name, tree] : expected.items())
    if (tree.is_object() && tree.contains("branches"))
      expectTree(file->category(name), tree);
}

TEST(RootTree, equalsTheDataThatRootReads) {
  for (const char* const name :
       {"ttree_two_cycles", "ttree_dirs", "ttree_crashed_saveself", "ttree_offsetmap"})
    expectFile(dataFile(std::string("root/") + name + ".root"),
               dataFile(std::string("root/") + name + ".json"));
}

TEST(RootTree, hasValuesOfAllTypes) {
  if (!sharedFile("root/ttree_types.json"))
    GTEST_SKIP() << test::noSharedFiles;
  for (const char* const codec : {"none", "zlib", "lz4", "zstd", "lzma"})
    expectFile(*sharedFile(std::string("root/ttree_types_") + codec + ".root"),
               *sharedFile("root/ttree_types.json"));
}

TEST(RootTree, joinsBranchesWithOneCounter) {
  const auto file = opened(dataFile("root/ttree_uncompressed.root"));
  const Schema& schema = file->category("t").schema();
  std::vector<std::string> names;
  for (const Table& table : schema.tables())
    for (const Member& member : table.members)
      names.push_back(std::string(table.name) + ":" + std::string(member.name));
  EXPECT_EQ(names,
            (std::vector<std::string>{"run:", "x:", "a:", "nMuon:", "Muon:pt", "Muon:charge"}));
}

/// Returns all contents of a tree, read with or without a plan.
std::string textOf(const Source& tree, bool isPlanned) {
  RowsAsJson rows(tree);
  std::vector<std::uint32_t> columns(isPlanned ? tree.schema().columns().size() : 0);
  std::iota(columns.begin(), columns.end(), 0U);
  rows.window().fetch(columns, {});
  std::string text;
  for (std::uint64_t entry = 0; entry < tree.entries(); ++entry)
    for (std::uint32_t table = 0; table < tree.schema().size(); ++table)
      if (tree.schema().table(table).isRoot())
        text += rows.entry(table, entry).dump() + "\n";
  return text;
}

TEST(RootTree, readsTheSameFromAnySource) {
  for (const char* const name : {"root/ttree_offsetmap.root", "root/ttree_uncompressed.root"}) {
    const auto mapped = opened(dataFile(name));
    const auto file = openRootFile(io::fileSource(dataFile(name), MapUse::never), {});
    const std::string expected = textOf(mapped->category("t"), false);
    EXPECT_EQ(textOf(mapped->category("t"), true), expected);
    EXPECT_EQ(textOf(file->category("t"), false), expected);
    EXPECT_EQ(textOf(file->category("t"), true), expected);
  }
}

TEST(RootTree, isCalledByItsCycleWhereThereIsANewerOne) {
  const auto file = opened(dataFile("root/ttree_two_cycles.root"));
  EXPECT_EQ(file->category("t;1").name(), file->name() + ":t;1");
  EXPECT_EQ(file->category("t;2").name(), file->name() + ":t");
}

/// Returns a tree whose leaf "x" states that it has no values.
std::string withLeafOfNone() {
  std::string bytes = test::readFile(dataFile("root/ttree_uncompressed.root"));
  const std::string leaf("\1x\1x\0\0\0\1", 8); // name, title, number of values
  bytes.at(bytes.find(leaf) + leaf.size() - 1) = 0;
  return bytes;
}

/// Returns the file with empty baskets of "x".
std::string withoutValues(std::string bytes) {
  constexpr std::size_t objectBytesAt = 6, keyBytesAt = 14, classAt = 34; // in the record
  constexpr std::size_t entryBytesAt = 18, lastAt = 26;                   // after the class
  const std::string basket("\7TBasket\1x\1t");
  for (std::size_t at = bytes.find(basket); at != std::string::npos;
       at = bytes.find(basket, at + 1)) {
    const std::size_t begin = at - classAt;
    const std::string keyBytes = std::string(2, '\0') + bytes.substr(begin + keyBytesAt, 2);
    bytes.replace(begin, 4, keyBytes);
    bytes.replace(begin + objectBytesAt, 4, 4, '\0');
    bytes.replace(at + entryBytesAt, 4, 4, '\0');
    bytes.replace(at + lastAt, 4, keyBytes);
  }
  return bytes;
}

TEST(RootTree, leavesOutArraysOfNoElements) {
  const std::string bytes = withoutValues(withLeafOfNone());
  const auto file = openRootFile(io::memorySource("f.root", std::as_bytes(std::span(bytes))), {});
  const Source& tree = file->category("t");
  ASSERT_EQ(tree.unreadable().size(), 1U);
  EXPECT_EQ(tree.unreadable()[0].name, "x");
  EXPECT_EQ(tree.unreadable()[0].reason, "ROOT has written it without values");
  EXPECT_EQ(tree.schema().find("x"), Table::none);
}

TEST(RootTree, takesNoDamageForArraysOfNoElements) {
  std::string bytes = withLeafOfNone();
  constexpr std::size_t entriesAt = 22; // in the basket, after its class
  const std::string basket("\7TBasket\1x\1t");
  bytes.replace(bytes.find(basket) + entriesAt, 4, 4, '\0');
  const auto file = openRootFile(io::memorySource("f.root", std::as_bytes(std::span(bytes))), {});
  const Source& tree = file->category("t");
  EXPECT_TRUE(tree.unreadable().empty());
  test::expectError(ErrorKind::corrupt, "f.root:t: branch 'x', basket of entry 0: it ends at entry",
                    [&] { (void)textOf(tree, false); });
}

TEST(RootTree, readsNumbersOfLeavesThatClaimToHaveNone) { // as in old files
  const std::string bytes = withLeafOfNone();
  const auto file = openRootFile(io::memorySource("f.root", std::as_bytes(std::span(bytes))), {});
  const auto original = opened(dataFile("root/ttree_uncompressed.root"));
  EXPECT_EQ(textOf(file->category("t"), false), textOf(original->category("t"), false));
}

TEST(RootTree, keepsToItsMemoryBudget) {
  OpenOptions options;
  options.memoryBudget = 1;
  const auto file =
      openRootFile(io::fileSource(dataFile("root/ttree_two_cycles.root"), MapUse::never), options);
  expectTree(file->category("t"), jsonIn(dataFile("root/ttree_two_cycles.json"))["t;2"]);
}

TEST(RootTree, isDecompressedOnceByAnyNumberOfThreads) {
  Buffer bytes;
  RootFileWriter writer(io::memorySink("memory.root", bytes), {zstd(1), std::size_t{1} << 20},
                        CategoryForm::tree);
  std::vector<float> written(200'000); // one cluster of several pages
  std::iota(written.begin(), written.end(), 0.F);
  Columns columns(written.size());
  columns.add("x", written);
  writer.write("t", columns.batch());
  writer.finish();
  const auto logs = std::make_shared<test::RecordingSource::Logs>();
  const auto file = openRootFile(
      std::make_unique<test::RecordingSource>(io::memorySource("memory.root", bytes.bytes()), logs),
      {});
  const auto readBytes = [&](int threads) {
    logs->views.clear();
    std::vector<float> values(written.size());
    tbb::task_arena(threads).execute([&] {
      ColumnReader reader(file->category("t"), {"x"});
      reader.setValues("x", std::span(values));
      reader.read();
    });
    EXPECT_EQ(values, written);
    std::uint64_t sum = 0;
    for (const auto& ranges : logs->views.requests())
      sum += io::bytesIn(ranges);
    return sum;
  };
  const std::uint64_t once = readBytes(1);
  EXPECT_GT(once, 0U);
  EXPECT_LE(readBytes(4), once); // the first time read the description, too
}

/// Reads all columns of all trees of a file; returns the number of values.
std::uint64_t readAll(const RootContainer& container, std::vector<Unreadable>& unreadable) {
  std::uint64_t values = 0;
  for (const ListedObject& object : container.objects()) {
    if (object.key.className != "TTree")
      continue;
    const TreeSource tree(container, object, SchemaDocument());
    unreadable.insert(unreadable.end(), tree.unreadable().begin(), tree.unreadable().end());
    detail::Window window(tree);
    const auto columns = tree.schema().columns();
    for (std::uint32_t column = 0; column < columns.size(); ++column)
      for (std::uint64_t entry = 0; entry < tree.entries();) {
        values += window.page(column, entry).values;
        entry = window.pages(columns[column].table, entry).lastEntry;
      }
  }
  return values;
}

TEST(RootTree, readsOrRefusesTheBranchesOfExperiments) {
  for (const char* const name :
       {"root/real/nanoAOD_2015_CMS_Open_Data_ttbar.root", "root/real/uproot-HZZ.root",
        "root/real/uproot-HZZ-objects.root", "root/real/uproot-issue-951.root",
        "root/real/uproot-issue513.root", "root/real/uproot-issue-172.root",
        "root/real/uproot-double32-float16.root", "root/real/uproot-sample-5.23.02-zlib.root",
        "root/real/uproot-small-evnt-tree-nosplit.root",
        "root/real/uproot-small-evnt-tree-fullsplit.root", "podio/edm4hep_50.ttree.root"}) {
    const auto path = sharedFile(name);
    if (!path)
      GTEST_SKIP() << test::noSharedFiles;
    std::vector<Unreadable> unreadable;
    EXPECT_GT(readAll(RootContainer(io::fileSource(*path)), unreadable), 100U) << name;
    for (const Unreadable& branch : unreadable)
      EXPECT_FALSE(branch.reason.empty()) << branch.name;
  }
}

TEST(RootTree, survivesDamage) {
  const test::Warnings warnings; // of cut files
  constexpr std::size_t trials = 2000;
  const auto survives = [](const std::string& bytes) { return test::survives(bytes); };
  EXPECT_GT(
      test::refusals(test::readFile(dataFile("root/ttree_uncompressed.root")), trials, 1, survives),
      trials / 100);
}

} // namespace
} // namespace kaon::root
