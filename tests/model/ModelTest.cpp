#include <kaon/model/Model.h>

#include "support/Errors.h"

#include <gtest/gtest.h>

#include <string>

namespace kaon {
namespace {

using test::expectError;

Model modelOf(const std::string& entries) {
  return Model::fromJson(R"({"name": "m", "schema_version": 3)" +
                             (entries.empty() ? "" : ", " + entries) + "}",
                         "events.kaon: model 'm'");
}

TEST(Model, mayBeEmpty) {
  const Model model = modelOf("");
  EXPECT_EQ(model.name, "m");
  EXPECT_EQ(model.schemaVersion, 3U);
  EXPECT_TRUE(model.datatypes.empty());
  EXPECT_EQ(model.whole(), std::vector{&model});
}

TEST(Model, hasMembersOfAllKinds) {
  const Model model = modelOf(R"("components": [{"name": "P", "members": [
      {"type": "float", "name": "x", "unit": "mm", "comment": "where"},
      {"type": "int32_t", "name": "n", "arraySize": 4, "default": "1, 2"},
      {"type": "P", "name": "m", "arraySize": [2, 3], "optional": true}]}])");
  const auto& members = model.components.at(0).members;
  EXPECT_EQ(members.at(0).unit, "mm");
  EXPECT_EQ(members.at(0).description, "where");
  EXPECT_EQ(members.at(0).extent(), 1U);
  EXPECT_EQ(members.at(1).shape, std::vector{4U});
  EXPECT_EQ(members.at(1).defaultValue, "1, 2");
  EXPECT_EQ(members.at(2).extent(), 6U);
  EXPECT_TRUE(members.at(2).isOptional);
}

TEST(Model, hasRelationsInterfacesLinksAndEnums) {
  const Model model = modelOf(R"(
      "enums": [{"name": "E", "underlying": "int8_t", "values": [{"name": "low", "value": -1}]}],
      "datatypes": [{"name": "A", "author": "me",
                     "oneToOneRelations": [{"type": "I", "name": "one"}],
                     "oneToManyRelations": [{"type": "A", "name": "many"}]}],
      "interfaces": [{"name": "I", "types": ["A"]}],
      "links": [{"name": "L", "from": "A", "to": "I"}])");
  EXPECT_EQ(model.enums.at(0).underlying, Scalar::Int8);
  EXPECT_EQ(model.enums.at(0).values.at(0).value, ~std::uint64_t{0});
  const auto& relations = model.datatypes.at(0).relations;
  EXPECT_FALSE(relations.at(0).many);
  EXPECT_TRUE(relations.at(1).many);
  EXPECT_EQ(model.interfaces.at(0).types, std::vector<std::string>{"A"});
  const Model::Datatype link = model.links.at(0).datatype();
  EXPECT_EQ(link.members.at(0).name, "weight");
  EXPECT_EQ(link.relations.at(1).type, "I");
}

TEST(Model, hasStorageMigrationsAndUpstreamModels) {
  const Model model = modelOf(R"(
      "storage": [{"datatype": "A", "layout": "row", "group": "g",
                   "precision": {"x": 10, "y": {"low": 0, "high": 1, "bits": 8}}}],
      "migrations": [{"type": "A", "fromVersion": 1, "toVersion": 2,
                      "renameMember": {"from": "old", "to": "new"}},
                     {"type": "A", "fromVersion": 2, "toVersion": 3,
                      "renameType": {"from": "Old"}}],
      "upstream": [{"name": "u", "schema_version": 1, "datatypes": [{"name": "U"}]}])");
  EXPECT_EQ(model.storage.at(0).layout, Layout::row);
  EXPECT_EQ(model.storage.at(0).precision.at(0).precision, mantissaBits(10));
  EXPECT_EQ(model.storage.at(0).precision.at(1).precision, detail::bitsIn(0, 1, 8));
  EXPECT_EQ(model.migrations.at(0).before + " " + model.migrations.at(0).after, "old new");
  EXPECT_EQ(model.migrations.at(1).before + model.migrations.at(1).after, "Old");
  ASSERT_EQ(model.whole().size(), 2U);
  EXPECT_EQ(model.whole().front()->datatypes.at(0).name, "U");
}

TEST(Model, ignoresUnknownEntries) {
  EXPECT_EQ(modelOf(R"("later": [1], "options": {"getSyntax": true})").name, "m");
}

TEST(Model, saysWhereItIsWrong) {
  const auto expectWrong = [](const std::string& entries, const std::string& what) {
    expectError(ErrorKind::corrupt, "events.kaon: model 'm': " + what,
                [&] { (void)modelOf(entries); });
  };
  expectWrong(R"("datatypes": 1)", "datatypes: expected a list");
  expectWrong(R"("datatypes": ["A"])", "datatypes[0]: expected entries by name");
  expectWrong(R"("datatypes": [{}, {}])", "datatypes[0]: the entry 'name' is missing");
  expectWrong(R"("datatypes": [{"name": ""}])", "datatypes[0]: the name is empty");
  expectWrong(R"("datatypes": [{"name": "A"}, {"name": "B", "members": [{"name": "x"}]}])",
              "datatypes[1].members[0]: the entry 'type' is missing");
  const auto member = [](const std::string& entry) {
    return R"("components": [{"name": "C", "members": [{"name": "x", "type": "int", )" + entry +
           "}]}]";
  };
  for (const std::string size : {"0", "-1", "1e9", "1.5", "\"2\"", "4294967296", "[2, 0]"})
    expectWrong(member("\"arraySize\": " + size), "components[0].members[0].arraySize");
  expectWrong(member("\"arraySize\": [100000, 100000]"),
              "components[0].members[0].arraySize: an array of more than 999999999 elements");
  for (const std::string depth : {"0", "-1", "9", "true", "[1]"})
    expectWrong(member("\"depth\": " + depth),
                "components[0].members[0].depth: expected a whole number from 1 to 8");
  expectWrong(member("\"optional\": 1"),
              "components[0].members[0].optional: expected true or false");
  expectWrong(member("\"unit\": null"), "components[0].members[0].unit: expected a text");
  expectWrong(R"("enums": [{"name": "E", "underlying": "integer"}])",
              "enums[0].underlying: 'integer' is not a builtin type");
  expectWrong(R"("storage": [{"datatype": "A", "layout": "rows"}])",
              "storage[0].layout: 'rows' is not a value of 'layout' (did you mean 'row'?)");
  expectWrong(R"("storage": [{"datatype": "A", "precision": {"x": 99}}])",
              "storage[0].precision.x: expected a whole number from 1 to 51");
  expectWrong(R"("upstream": [{"name": "u"}])",
              "upstream[0]: the entry 'schema_version' is missing");
  expectError(ErrorKind::corrupt, "here: is not JSON", [] { (void)Model::fromJson("{", "here"); });
  expectError(ErrorKind::corrupt, "here: expected entries by name",
              [] { (void)Model::fromJson("[]", "here"); });
}

} // namespace
} // namespace kaon
