#include <kaon/model/SchemaDocument.h>

#include "support/Errors.h"
#include "support/RandomEvents.h"
#include "support/Tables.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

// The description of a category's tables in files of formats other than .kaon.

namespace kaon {
namespace {

using test::expectError;

TEST(SchemaDocument, hasAllOfTheTables) {
  SchemaDocument document = test::assortedDocument();
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
  expectDamage(R"({"version":1})", "here: 'tables' has an invalid value");
  expectDamage(R"({"version":1,"tables":[{"name":"x","kind":99,"members":[]}]})",
               "here: 'kind' has an invalid value");
  expectDamage(R"({"version":1,"tables":[{"name":"x","kind":6,"row_size":99999999,"members":[]}]})",
               "here: 'row_size' has an invalid value");
  expectDamage(R"({"version":1,"tables":[{"name":"x","kind":1,"parent":7,"members":[]}]})",
               "; the file is damaged");
  expectDamage(
      R"({"version":1,"tables":[{"name":"x","kind":6,"row_size":1,"members":[{"name":"","type":7}]}]})",
      "; the file is damaged");
  expectError(ErrorKind::version, "here: is of a version that this kaon does not know",
              [] { (void)schemaDocumentFrom(R"({"version":2,"tables":[]})", "here"); });
}

} // namespace
} // namespace kaon
