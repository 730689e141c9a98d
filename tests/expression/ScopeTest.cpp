#include <kaon/detail/expression/Scope.h>

#include <kaon/detail/expression/Expression.h>

#include "support/Errors.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>

namespace kaon::expression {
namespace {

using kaon::test::expectError;

MemberDefinition member(const char* name, Scalar type, std::uint32_t offset = 0,
                        std::uint32_t extent = 1, const char* structure = "") {
  return {.name = name, .type = type, .extent = extent, .offset = offset, .structure = structure};
}

/// Returns tables like those of NanoAOD and EDM4hep: values, and collections with lists, arrays and
/// relations.
Schema schema() {
  Schema schema;
  const auto add = [&](const char* name, TableKind kind, const char* type, std::uint32_t parent,
                       std::uint32_t rowSize, std::vector<MemberDefinition> members) {
    return schema.add({.name = name,
                       .kind = kind,
                       .type = type,
                       .parent = parent,
                       .rowSize = rowSize,
                       .members = std::move(members)});
  };
  const std::uint32_t root = Table::none;
  add("MET_pt", TableKind::value, "float32", root, 4, {member("", Scalar::Float32)});
  add("MET_phi", TableKind::value, "float32", root, 4, {member("", Scalar::Float32)});
  add("Muon", TableKind::collection, "Muon", root, 8,
      {member("pt", Scalar::Float32), member("jet_index", Scalar::Int32, 4)});
  const std::uint32_t particles =
      add("MCParticles", TableKind::collection, "edm4hep::MCParticle", root, 28,
          {member("PDG", Scalar::Int32), member("momentum.x", Scalar::Float32, 4),
           member("momentum.y", Scalar::Float32, 8), member("momentum.z", Scalar::Float32, 12),
           member("mass", Scalar::Float32, 16), member("spin", Scalar::Float32, 20, 2)});
  add("MCParticles.weights", TableKind::vectorMember, "float64", particles, 8,
      {member("", Scalar::Float64)});
  add("MCParticles.parents", TableKind::manyRelation, "edm4hep::MCParticle", particles, 8,
      {member("index", Scalar::Int32), member("collection", Scalar::UInt32, 4)});
  add("Hits", TableKind::collection, "Hit", root, 28,
      {member("time.value", Scalar::Float32, 0, 1, "?"),
       member("time.has_value", Scalar::Bool, 4, 1, "?"),
       member("at.value.x", Scalar::Float32, 8, 1, "?"),
       member("at.value.z.value", Scalar::Float32, 12, 1, "?..?"),
       member("at.value.z.has_value", Scalar::Bool, 16, 1, "?..?"),
       member("at.has_value", Scalar::Bool, 17, 1, "?"),
       member("range.value", Scalar::Int16, 18, 2, "?.[2]"),
       member("range.has_value", Scalar::Bool, 22, 1, "?"), member("odd.value", Scalar::Bool, 23),
       member("odd.has_value", Scalar::Bool, 24),
       member("at.value.one", Scalar::Int8, 25, 1, "?..[1]"),
       member("single", Scalar::Int8, 26, 1, "[1]"), member("number", Scalar::Int8, 27)});
  const std::uint32_t names = add("names", TableKind::parameter, "string", root, 0, {});
  add("names.", TableKind::text, "", names, 1, {member("", Scalar::UInt8)});
  const std::uint32_t lists = add("charges", TableKind::parameter, "", root, 0, {});
  add("charges.", TableKind::vectorMember, "float32", lists, 4, {member("", Scalar::Float32)});
  const std::uint32_t title = add("title", TableKind::value, "", root, 0, {});
  add("title.", TableKind::vectorMember, "string", title, 1, {member("", Scalar::UInt8)});
  return schema;
}

std::string typeOf(const std::string& text) {
  const Schema tables = schema();
  return nameOf(Expression(text, SchemaScope(tables)).type());
}

TEST(SchemaScope, findsColumnsThatMayBeMissing) {
  const Schema tables = schema();
  const SchemaScope scope(tables);
  const NameMeaning time = scope.find("Hits.time"), at = scope.find("Hits_at");
  ASSERT_TRUE(std::holds_alternative<OptionalName>(time));
  EXPECT_EQ(std::get<ColumnName>(std::get<OptionalName>(time).value).name, "Hits.time.value");
  EXPECT_EQ(std::get<OptionalName>(time).present.at(0).name, "Hits.time.has_value");
  EXPECT_EQ(std::get<RecordName>(std::get<OptionalName>(at).value).name, "Hits.at.value");
  EXPECT_TRUE(std::holds_alternative<RecordName>(scope.find("Hits.odd"))); // a component of bools
  for (const std::string text : {"Hits.time", "Hits.at.x", "Hits.at.z", "Hits.range", "Hits_time"})
    EXPECT_TRUE(Expression(text, scope).mayBeMissing()) << text;
  EXPECT_EQ(typeOf("Hits.range"), "list of lists of int16");
  EXPECT_EQ(nameOf(Expression("Hits.range", scope).presence().type()), "list of lists of bool");
  EXPECT_EQ(nameOf(Expression("Hits.range", scope).presenceOfLists().type()), "list of bool");
  EXPECT_FALSE(Expression("Hits.range", scope).mayLackValues());
  EXPECT_TRUE(Expression("Hits.at.one", scope).mayLackLists());
  EXPECT_FALSE(Expression("Hits.at.x > 1", scope).mayBeMissing());
  EXPECT_EQ(nameOf(Expression("has(Hits.at)", scope).type()), "list of bool");
  EXPECT_EQ(Expression("Hits.at.z", scope).presence().inputs().size(), 2); // for both optionals
}

TEST(SchemaScope, findsColumnsWithTheirListsAndNames) {
  EXPECT_EQ(typeOf("MET_pt"), "float32");
  EXPECT_EQ(typeOf("Muon.pt"), "list of float32");
  EXPECT_EQ(typeOf("MCParticles.momentum.x"), "list of float32");
  EXPECT_EQ(typeOf("MCParticles.spin"), "list of lists of float32");
  EXPECT_EQ(typeOf("MCParticles.weights"), "list of lists of float64");
  EXPECT_EQ(typeOf("MCParticles.parents.index"), "list of lists of int32");
}

TEST(SchemaScope, tellsAnArrayOfOneFromANumber) {
  EXPECT_EQ(typeOf("Hits.single"), "list of lists of int8");
  EXPECT_EQ(typeOf("Hits.at.one"), "list of lists of int8");
  EXPECT_EQ(typeOf("Hits.number"), "list of int8"); // also for files without structures
}

/// Stored names mean the optional, too: no column returns the 0 that is stored for missing values.
TEST(SchemaScope, storedNamesMeanTheOptional) {
  const Schema tables = schema();
  const SchemaScope scope(tables);
  for (const std::string name : {"Hits.time.value", "Hits.at.value.x", "Hits.at.value.z.value",
                                 "Hits.range.value", "Hits_at.value.x"})
    EXPECT_TRUE(Expression("column('" + name + "')", scope).mayBeMissing()) << name;
  EXPECT_FALSE(Expression("column('Hits.time.has_value')", scope).mayBeMissing());
  EXPECT_EQ(Expression("column('Hits.at.value.z.value')", scope).presence().inputs().size(), 2);
}

TEST(SchemaScope, takesUnderscoresForDotsAndDotsForUnderscores) {
  const Schema tables = schema();
  const SchemaScope scope(tables);
  for (const char* text : {"Muon_pt", "Muon.pt"})
    EXPECT_EQ(Expression(text, scope).inputs()[0].name, "Muon.pt");
  EXPECT_EQ(Expression("Muon_jet_index", scope).inputs()[0].name, "Muon.jet_index");
  for (const char* text : {"MET_phi", "MET.phi"})
    EXPECT_EQ(Expression(text, scope).inputs()[0].name, "MET_phi");
  EXPECT_EQ(typeOf("MET.px"), "float64");
}

TEST(SchemaScope, hasObjectsWithKinematicsAndRelations) {
  EXPECT_EQ(typeOf("count(MCParticles)"), "int64");
  EXPECT_EQ(typeOf("count(names)"), "int64"); // counting is the only operation on these texts
  EXPECT_EQ(typeOf("MCParticles.pt"), "list of float64");
  EXPECT_EQ(typeOf("MCParticles.momentum.eta"), "list of float64");
  EXPECT_EQ(typeOf("sum(MCParticles).mass"), "float64");
  EXPECT_EQ(typeOf("MCParticles.parents.PDG"), "list of lists of int32");
  const Schema tables = schema();
  const auto relation = std::get<RelationName>(SchemaScope(tables).find("MCParticles.parents"));
  ASSERT_EQ(relation.targets.size(), 1);
  EXPECT_EQ(relation.targets[0].collection, "MCParticles");
  EXPECT_EQ(relation.targets[0].number, tables.find("MCParticles"));
}

TEST(SchemaScope, findsListsOfListsAndSingleTexts) {
  EXPECT_EQ(typeOf("charges"), "list of lists of float32");
  EXPECT_EQ(typeOf("sum(charges)"), "list of float32");
  EXPECT_EQ(typeOf("charges[0][1] > 2"), "bool");
  EXPECT_EQ(typeOf("title == 'odd'"), "bool");
  const Schema tables = schema();
  expectError(ErrorKind::name, "did you mean 'charges'?",
              [&] { const Expression e("sum(charge)", SchemaScope(tables)); });
}

TEST(SchemaScope, suggestsNames) {
  const Schema tables = schema();
  const SchemaScope scope(tables);
  expectError(ErrorKind::name, "did you mean 'momentum.x'?",
              [&] { const Expression e("MCParticles.momentumx", scope); });
  expectError(ErrorKind::name, "did you mean 'Muon'?",
              [&] { const Expression e("count(Muons)", scope); });
}

} // namespace
} // namespace kaon::expression
