#include <kaon/formats/root/ntuple/SchemaDocument.h>

#include <kaon/formats/root/ntuple/FieldPlan.h>
#include <kaon/formats/root/ntuple/StoredMapping.h>

#include "support/Errors.h"
#include "support/RandomEvents.h"
#include "support/Tables.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

// What kaon writes of tables beside their fields, and what it makes of both.

namespace kaon::root {
namespace {

using test::expectError;

SchemaDocument assorted() {
  SchemaDocument document;
  for (const TableDefinition& table : test::assortedTables(Layout::split))
    document.schema.add(table);
  document.absent = {0, 4};
  return document;
}

/// The fields and columns of a plan as a file says them.
Descriptor descriptorOf(const FieldPlan& plan) {
  Descriptor descriptor;
  descriptor.fields = plan.fields;
  descriptor.columns = plan.columns;
  descriptor.topFields = plan.topFields;
  return descriptor;
}

TEST(SchemaDocument, hasAllOfTheTables) {
  SchemaDocument document = assorted();
  TableDefinition rounded =
      test::collection("Rounded", {{"x", Scalar::Float32}, {"y", Scalar::Float64}});
  rounded.members[0].precision = mantissaBits(10);
  rounded.members[1].precision = stepsOf(-1, 1, 0.125);
  rounded.members[1].missing = ~std::uint64_t{0};
  document.schema.add(rounded);
  const SchemaDocument read = schemaDocumentFrom(toJson(document), "here");
  EXPECT_EQ(read.absent, document.absent);
  ASSERT_EQ(read.schema.size(), document.schema.size());
  for (std::uint32_t table = 0; table < read.schema.size(); ++table)
    EXPECT_EQ(read.schema.table(table).definition(), document.schema.table(table).definition());
}

TEST(SchemaDocument, isAnErrorWhereItIsDamaged) {
  const auto expectDamage = [](const std::string& json, const char* what) {
    expectError(ErrorKind::corrupt, what, [&] { (void)schemaDocumentFrom(json, "here"); });
  };
  expectDamage("{", "here");
  expectDamage(R"({"version":1})", "here: 'tables' is not what it should be");
  expectDamage(R"({"version":1,"tables":[{"name":"x","kind":99,"members":[]}]})",
               "here: 'kind' is not what it should be");
  expectDamage(R"({"version":1,"tables":[{"name":"x","kind":6,"row_size":99999999,"members":[]}]})",
               "here: 'row_size' is not what it should be");
  expectDamage(R"({"version":1,"tables":[{"name":"x","kind":1,"parent":7,"members":[]}]})",
               "; the file is damaged");
  expectDamage(
      R"({"version":1,"tables":[{"name":"x","kind":6,"row_size":1,"members":[{"name":"","type":7}]}]})",
      "; the file is damaged");
  expectError(ErrorKind::version, "here: is of a version that this kaon does not know",
              [] { (void)schemaDocumentFrom(R"({"version":2,"tables":[]})", "here"); });
}

TEST(StoredMapping, findsTheTablesInTheFields) {
  const SchemaDocument document = assorted();
  for (const bool isCompressed : {true, false}) {
    const FieldPlan plan = planFields(document.schema, document.absent, isCompressed);
    const Mapping mapping = mapAsStored(document, descriptorOf(plan));
    ASSERT_EQ(mapping.schema.size(), document.schema.size());
    for (std::uint32_t table = 0; table < mapping.schema.size(); ++table) {
      const Table info = mapping.schema.table(table);
      const TableRules& rules = mapping.rules[table];
      EXPECT_EQ(rules.rows.columns.size(), info.isCounted() ? 1U : 0U) << info.name;
      EXPECT_EQ(rules.presence.size(), table == 0 || table == 4 ? 1U : 0U) << info.name;
      for (const ValueRule& member : rules.members)
        EXPECT_EQ(member.columns.size(), 1U) << info.name;
    }
  }
}

TEST(StoredMapping, refusesFieldsThatAreOthers) {
  const SchemaDocument document = assorted();
  const Descriptor whole = descriptorOf(planFields(document.schema, document.absent, true));
  const auto expectRefused = [&](auto change, const char* what) {
    Descriptor changed = whole;
    change(changed);
    expectError(ErrorKind::type, what, [&] { (void)mapAsStored(document, changed); });
  };
  expectRefused([](Descriptor& d) { d.topFields.pop_back(); }, "fields that kaon did not write");
  expectRefused([](Descriptor& d) { d.fields[0].name = "Others"; }, "no field 'Hits'");
  expectRefused([](Descriptor& d) { d.fields[0].role = FieldRole::record; }, "no field 'Hits'");
  expectRefused([](Descriptor& d) { d.fields[0].columns.clear(); }, "does not have the columns");
  expectRefused([](Descriptor& d) { d.columns[0].type = ColumnType::Real32; }, "no field 'Hits'");
  expectRefused(
      [](Descriptor& d) {
        d.columns[1].type = ColumnType::Real32;
        d.columns[1].bits = 32;
      },
      "no field 'cell'");
}

} // namespace
} // namespace kaon::root
