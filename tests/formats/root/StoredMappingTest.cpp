#include <kaon/formats/root/ntuple/StoredMapping.h>

#include <kaon/formats/root/ntuple/FieldPlan.h>

#include "support/Errors.h"
#include "support/RandomEvents.h"
#include "support/Tables.h"

#include <gtest/gtest.h>

#include <vector>

// The tables that kaon makes from fields with its own description of the tables.

namespace kaon::root {
namespace {

using test::expectError;

/// Returns the fields and columns of a plan as a file describes them.
NTupleDescriptor descriptorOf(const FieldPlan& plan) {
  NTupleDescriptor descriptor;
  descriptor.fields = plan.fields;
  descriptor.columns = plan.columns;
  descriptor.topFields = plan.topFields;
  return descriptor;
}

TEST(StoredMapping, findsTheTablesInTheFields) {
  const SchemaDocument document = test::assortedDocument();
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
  const SchemaDocument document = test::assortedDocument();
  const NTupleDescriptor whole = descriptorOf(planFields(document.schema, document.absent, true));
  const auto expectRefused = [&](auto change, const char* what) {
    NTupleDescriptor changed = whole;
    change(changed);
    expectError(ErrorKind::type, what, [&] { (void)mapAsStored(document, changed); });
  };
  expectRefused([](NTupleDescriptor& d) { d.topFields.pop_back(); },
                "fields that kaon did not write");
  expectRefused([](NTupleDescriptor& d) { d.fields[0].name = "Others"; }, "the field 'Hits'");
  expectRefused([](NTupleDescriptor& d) { d.fields[0].role = FieldRole::record; },
                "the field 'Hits'");
  expectRefused([](NTupleDescriptor& d) { d.fields[0].columns.clear(); },
                "does not have the columns");
  expectRefused([](NTupleDescriptor& d) { d.columns[0].type = NTupleColumnType::Real32; },
                "the field 'Hits'");
  expectRefused(
      [](NTupleDescriptor& d) {
        d.columns[1].type = NTupleColumnType::Real32;
        d.columns[1].bits = 32;
      },
      "the field 'cell'");
}

} // namespace
} // namespace kaon::root
