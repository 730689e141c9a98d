#include <kaon/formats/root/RootFile.h>

#include <kaon/formats/root/ntuple/FieldPlan.h>
#include <kaon/formats/root/ntuple/Mapping.h>
#include <kaon/formats/root/ntuple/NTupleSource.h>

#include "support/DataFiles.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/RootNTuple.h"
#include "support/RowsAsJson.h"
#include "support/Tables.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

// The tables that kaon makes from the fields of an RNTuple.

namespace kaon::root {
namespace {

using test::expectError;
using test::ForgedNTuple;
using test::Json;

/// Returns "kind name: members" of each table.
std::vector<std::string> tablesOf(const Schema& schema) {
  constexpr std::string_view kinds[] = {"collection", "vector", "",      "",
                                        "parameter",  "text",   "value", "decoration"};
  std::vector<std::string> texts;
  for (const Table& table : schema.tables()) {
    std::ostringstream text;
    text << kinds[static_cast<std::size_t>(table.kind)] << ' ' << table.name << ':';
    for (const Member& member : table.members) {
      text << ' ' << member.name << (member.name.empty() ? "" : " ") << nameOf(member.type);
      if (member.extent > 1)
        text << member.extent;
    }
    texts.push_back(text.str());
  }
  return texts;
}

/// Returns the tables with this name, or below it.
std::vector<std::string> tablesBelow(const std::vector<std::string>& all, std::string_view name) {
  std::vector<std::string> found;
  for (const std::string& text : all) {
    const std::string_view rest = std::string_view(text).substr(text.find(' ') + 1);
    if (rest.starts_with(name) && (rest[name.size()] == ':' || rest[name.size()] == '.'))
      found.push_back(text);
  }
  return found;
}

TEST(NTupleMapping, makesTablesOfNumbersListsAndStrings) {
  const auto file = openRootFile(io::fileSource(test::dataFile("root/rntuple_extended.root")), {});
  EXPECT_EQ(tablesOf(file->category("ntpl").schema()),
            (std::vector<std::string>{"value i32: int32", "parameter v_f32: float32",
                                      "value dummy: int32", "value n_f32: uint32",
                                      "value late: float64", "parameter late_v: int32"}));
  const auto dirs = openRootFile(io::fileSource(test::dataFile("root/rntuple_dirs.root")), {});
  EXPECT_EQ(tablesOf(dirs->category("a/inside").schema()),
            (std::vector<std::string>{"value i32: int32", "value s:", "vector s.: uint8"}));
}

TEST(NTupleMapping, takesDescriptionsAndUnitsFromFields) {
  using enum Scalar;
  std::vector<TableDefinition> tables;
  tables.push_back(test::collection("Hits", {{"energy", Float32}, {"position", Float32, 3}}));
  tables[0].members[0].description = "deposited";
  tables[0].members[0].unit = "GeV";
  tables[0].members[1].unit = "mm";
  tables.push_back(test::values("Hits.samples", TableKind::vectorMember, Int16, 0));
  tables.push_back(test::values("time", TableKind::value, Float64));
  tables.push_back(test::parameter("weights", Float32));
  tables[2].members[0].unit = tables[3].members[0].unit = "ns";
  Schema schema;
  for (TableDefinition& table : tables) {
    table.description = "what " + table.name + " is";
    schema.add(table);
  }
  const FieldPlan plan = planFields(schema, {}, true);
  NTupleDescriptor descriptor;
  descriptor.fields = plan.fields;
  descriptor.columns = plan.columns;
  descriptor.topFields = plan.topFields;
  const Mapping mapping = mapFields(descriptor);
  ASSERT_EQ(mapping.schema.size(), tables.size());
  for (const TableDefinition& table : tables) {
    const TableDefinition read = mapping.schema.table(mapping.schema.find(table.name)).definition();
    EXPECT_EQ(read.description, table.description);
    for (std::size_t i = 0; i < table.members.size(); ++i) {
      EXPECT_EQ(read.members.at(i).description, table.members[i].description) << table.name;
      EXPECT_EQ(read.members.at(i).unit, table.members[i].unit) << table.name;
    }
  }
}

/// Returns the names of a field's children.
std::vector<std::string> childrenOf(const FieldPlan& plan, std::uint32_t field) {
  std::vector<std::string> names;
  for (const std::uint32_t child : plan.fields[field].children)
    names.push_back(plan.fields[child].name);
  return names;
}

TEST(NTupleMapping, writesThePartsOfPairsInOrder) {
  // Tables for `std::map<std::string, float>`: strings come after numbers.
  for (const auto& [first, second] : {std::pair{"_0", "_1"}, std::pair{"first", "second"}}) {
    const std::string map = "map", name = map + "." + first;
    Schema schema;
    schema.add(test::collection(map, {{second, Scalar::Float32}}));
    TableDefinition text = test::values(name, TableKind::vectorMember, Scalar::UInt8, 0);
    text.type = "string";
    schema.add(text);
    const FieldPlan plan = planFields(schema, {}, true);
    const std::uint32_t element = plan.fields[plan.topFields[0]].children[0];
    EXPECT_EQ(childrenOf(plan, element), (std::vector<std::string>{first, second}));
  }
}

TEST(NTupleMapping, makesTablesOfEveryType) {
  const auto path = test::sharedFile("root/rntuple_types_none.root");
  if (!path)
    GTEST_SKIP() << test::noSharedFiles;
  const auto file = openRootFile(io::fileSource(*path), {});
  const auto all = tablesOf(file->category("ntpl").schema());
  using Texts = std::vector<std::string>;
  EXPECT_EQ(tablesBelow(all, "en"), Texts{"value en: int32"});
  EXPECT_EQ(tablesBelow(all, "a_i16"), Texts{"value a_i16: int166"});
  EXPECT_EQ(tablesBelow(all, "bits13"), Texts{"value bits13: bool13"});
  EXPECT_EQ(tablesBelow(all, "a_vec"),
            (Texts{"value a_vec:", "vector a_vec.: x float32 y float32 z float32"}));
  EXPECT_EQ(tablesBelow(all, "a_s"),
            (Texts{"value a_s:", "vector a_s.:", "text a_s..text: uint8"}));
  EXPECT_EQ(tablesBelow(all, "vv_f32"), (Texts{"parameter vv_f32:", "vector vv_f32.: float32"}));
  EXPECT_EQ(tablesBelow(all, "v_s"), (Texts{"parameter v_s:", "text v_s.text: uint8"}));
  EXPECT_EQ(tablesBelow(all, "v_a"), Texts{"parameter v_a: float322"});
  EXPECT_EQ(tablesBelow(all, "hits"),
            Texts{"collection hits: id uint64 e float32 pos.x float32 pos.y float32 pos.z float32 "
                  "layer int16"});
  EXPECT_EQ(tablesBelow(all, "var"),
            (Texts{"value var: tag uint32", "vector var.0: int32", "vector var.1: float32",
                   "vector var.2:", "text var.2.text: uint8"}));
  EXPECT_EQ(tablesBelow(all, "opt"), Texts{"parameter opt: float32"});
  EXPECT_EQ(tablesBelow(all, "map"), (Texts{"collection map: _1 float32", "vector map._0: uint8"}));
}

TEST(NTupleMapping, givesCollectionsTheNamesOfProjectedFields) {
  const auto path =
      test::sharedFile("root/real/Run2012BC_DoubleMuParked_Muons_1000evts_rntuple_v1-0-0-0.root");
  if (!path)
    GTEST_SKIP() << test::noSharedFiles;
  const auto file = openRootFile(io::fileSource(*path), {});
  EXPECT_EQ(tablesOf(file->category("Events").schema()),
            (std::vector<std::string>{
                "collection Muon: pt float32 eta float32 phi float32 mass float32 charge int32",
                "value nMuon: uint32"}));
  const auto lists = openRootFile(io::fileSource(*path), {.group = false});
  const Source& events = lists->category("Events");
  EXPECT_EQ(tablesOf(events.schema()),
            (std::vector<std::string>{"parameter Muon_pt: float32", "parameter Muon_eta: float32",
                                      "parameter Muon_phi: float32", "parameter Muon_mass: float32",
                                      "parameter Muon_charge: int32", "value nMuon: uint32"}));
  const Source& grouped = file->category("Events");
  test::RowsAsJson rows(events), collections(grouped);
  for (const std::uint64_t entry : {0, 1, 999}) {
    Json pts = Json::array();
    for (const Json& muon : collections.entry(grouped.schema().tableNamed("Muon"), entry))
      pts.push_back(muon["pt"]);
    EXPECT_EQ(rows.entry(events.schema().tableNamed("Muon_pt"), entry), pts);
  }
}

/// The fields of a collection of two members, and projections as in NanoAOD of the length and of
/// some members.
NTupleDescriptor projected(const std::vector<std::string>& members) {
  using enum Scalar;
  Schema schema;
  schema.add(test::collection("_collection0", {{"Muon_pt", Float32}, {"Muon_charge", Int32}}));
  const FieldPlan plan = planFields(schema, {}, true);
  NTupleDescriptor descriptor;
  descriptor.fields = plan.fields;
  descriptor.columns = plan.columns;
  descriptor.topFields = plan.topFields;
  const std::uint32_t collection = plan.topFields[0];
  const auto add = [&](const NTupleField& like, const std::string& name, std::uint32_t source) {
    descriptor.fields.push_back(like);
    NTupleField& field = descriptor.fields.back();
    field.name = name;
    field.isProjected = true;
    field.source = source;
    return static_cast<std::uint32_t>(descriptor.fields.size() - 1);
  };
  NTupleField sizes;
  sizes.typeName = "ROOT::RNTupleCardinality<std::uint64_t>";
  sizes.columns = plan.fields[collection].columns;
  descriptor.topFields.push_back(add(sizes, "nMuon", collection));
  for (const std::uint32_t child : plan.fields[plan.fields[collection].children[0]].children)
    if (std::ranges::find(members, plan.fields[child].name) != members.end()) {
      const std::uint32_t list = add(plan.fields[collection], plan.fields[child].name, collection);
      const std::uint32_t value = add(plan.fields[child], "_0", child);
      descriptor.fields[list].children = {value};
      descriptor.topFields.push_back(list);
    }
  return descriptor;
}

TEST(NTupleMapping, readsProjectedFieldsAloneWithoutGroups) {
  using Texts = std::vector<std::string>;
  const NTupleDescriptor all = projected({"Muon_pt", "Muon_charge"}), some = projected({"Muon_pt"});
  EXPECT_EQ(tablesOf(mapFields(all).schema),
            (Texts{"collection Muon: pt float32 charge int32", "value nMuon: uint64"}));
  EXPECT_EQ(
      tablesOf(mapFields(all, false).schema),
      (Texts{"value nMuon: uint64", "parameter Muon_pt: float32", "parameter Muon_charge: int32"}));
  EXPECT_EQ(tablesOf(mapFields(some, false).schema), // no member is lost
            (Texts{"collection _collection0: Muon_pt float32 Muon_charge int32",
                   "value nMuon: uint64", "parameter Muon_pt: float32"}));
}

TEST(NTupleMapping, leavesOutFieldsThatCannotBeReadByThemselves) {
  ForgedNTuple forged(test::readFile(test::dataFile("root/rntuple_extended.root")), "ntpl");
  // The first column belongs to "i32": type and bits, then the number of the field.
  const std::string column{"\x13\0\x20\0\0\0\0\0", 8};
  const std::size_t at = forged.envelopes[0].find(column);
  ASSERT_NE(at, std::string::npos);
  forged.envelopes[0][at] = 0x60;
  const std::string bytes = forged.bytes();
  const auto file = openRootFile(io::memorySource("f.root", std::as_bytes(std::span(bytes))), {});
  const Source& source = file->category("ntpl");
  const auto unreadable = source.unreadable();
  ASSERT_EQ(unreadable.size(), 1U);
  EXPECT_EQ(unreadable[0].name, "i32");
  EXPECT_EQ(unreadable[0].type, "std::int32_t");
  EXPECT_EQ(unreadable[0].reason,
            "its column is of the type 96 with 32 bits, which kaon does not read as numbers");
  EXPECT_EQ(source.schema().find("i32"), Table::none);
  EXPECT_EQ(test::RowsAsJson(source).entry(source.schema().find("late"), 100), Json(50.0));
}

TEST(NTupleMapping, refusesNamesThatTablesCannotHave) {
  ForgedNTuple forged(test::readFile(test::dataFile("root/rntuple_extended.root")), "ntpl");
  const std::size_t at = forged.envelopes[0].find("v_f32");
  ASSERT_NE(at, std::string::npos);
  forged.envelopes[0][at + 1] = '.';
  const std::string bytes = forged.bytes();
  const auto file = openRootFile(io::memorySource("f.root", std::as_bytes(std::span(bytes))), {});
  const Source& source = file->category("ntpl");
  ASSERT_EQ(source.unreadable().size(), 1U);
  EXPECT_EQ(source.unreadable()[0].name, "v.f32");
}

TEST(RootFile, suggestsCategoriesAndFindsCycles) {
  const auto file = openRootFile(io::fileSource(test::dataFile("root/rntuple_dirs.root")), {});
  EXPECT_EQ(file->format(), "root");
  EXPECT_EQ(&file->category("ntpl"), &file->category("ntpl;1"));
  expectError(ErrorKind::name, "did you mean 'ntpl'", [&] { (void)file->category("ntpk"); });
  expectError(ErrorKind::name, "has no RNTuple or tree 'ntpl;7'",
              [&] { (void)file->category("ntpl;7"); });
}

} // namespace
} // namespace kaon::root
