#include <kaon/detail/model/PodioDefinition.h>

#include <kaon/model/MemberLine.h>

#include "support/Errors.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kaon {
namespace {

using test::expectError;

std::string line(std::string_view text) { return memberOfLine(text, "f.root").text(); }

TEST(MemberLine, hasAllPartsOfAMember) {
  EXPECT_EQ(line("std::int32_t PDG"), R"({"type":"std::int32_t","name":"PDG"})");
  EXPECT_EQ(line("float charge[e] // of the particle"),
            R"({"type":"float","name":"charge","unit":"e","comment":"of the particle"})");
  EXPECT_EQ(line("std::int32_t helicity{9} [1/mm] // 2: none"),
            R"({"type":"std::int32_t","name":"helicity","default":"9","unit":"1/mm",)"
            R"("comment":"2: none"})");
  EXPECT_EQ(line("unsigned long n{}"), R"({"type":"unsigned long","name":"n"})");
}

TEST(MemberLine, hasTheSizesOfArrays) {
  EXPECT_EQ(line("std::array<float, 6> values"),
            R"({"type":"float","name":"values","arraySize":6})");
  EXPECT_EQ(line("std::array<std::array<toy::Point,3>, 2> p{{{1, 2}}}"),
            R"({"type":"toy::Point","name":"p","arraySize":[2,3],"default":"{{1, 2}}"})");
}

TEST(MemberLine, needsATypeAndAName) {
  for (const std::string_view text : {"", "// nothing", "x", "[mm]", "std::array<float, 3>"})
    expectError(ErrorKind::corrupt, "f.root: ", [&] { (void)line(text); });
}

/// Returns a definition of one datatype with one member, and with a relation if another type is
/// given.
std::string definition(const std::string& type, const std::string& other = "") {
  const std::string relations =
      other.empty() ? "" : R"(, "OneToOneRelations": [")" + other + " next // behind it\"]";
  return R"({"schema_version": 3, "options": {"getSyntax": true, "includeSubfolder": "m/"},
    "datatypes": {")" +
         type + R"(": {"Members": ["float x[mm] // across"])" + relations + "}}}";
}

TEST(ModelDocument, isAModelOfKaon) {
  const std::vector<detail::ModelDefinition> models{{"m", definition("a::A"), "1.2.3"}};
  const auto documents = detail::modelDocuments(models, "f.root");
  const Model model = Model::fromJson(documents[0].json, documents[0].where);
  EXPECT_EQ(model.name, "m");
  EXPECT_EQ(model.schemaVersion, 3U);
  EXPECT_EQ(model.datatypes[0].members[0].unit, "mm");
  test::expectContains(documents[0].json, R"("version":"1.2.3")");
}

TEST(ModelDocument, hasTheModelsThatItUses) {
  const std::vector<detail::ModelDefinition> models{{"last", definition("c::C", "b::B"), ""},
                                                    {"first", definition("a::A"), ""},
                                                    {"middle", definition("b::B", "a::A"), ""}};
  const auto documents = detail::modelDocuments(models, "f.root");
  const Model last = Model::fromJson(documents[0].json, "");
  ASSERT_EQ(last.upstream.size(), 2U);
  EXPECT_EQ(last.upstream[0].name, "first"); // comes before the model that uses it
  EXPECT_EQ(last.upstream[1].name, "middle");
  EXPECT_TRUE(Model::fromJson(documents[1].json, "").upstream.empty());
  EXPECT_EQ(Model::fromJson(documents[2].json, "").upstream[0].name, "first");
}

TEST(ModelDocument, refusesTextsThatAreNotDefinitions) {
  const auto refuse = [](const std::string& text, std::string_view message) {
    const std::vector<detail::ModelDefinition> models{{"m", text, ""}};
    expectError(ErrorKind::corrupt, message,
                [&] { (void)detail::modelDocuments(models, "f.root"); });
  };
  refuse("{", "f.root: model 'm'");
  refuse("[]", "its definition is not a JSON object");
  refuse("{\"datatypes\": {\"\xff\": {}}}", "f.root: the definition of a model is not UTF-8");
  refuse(R"({"datatypes": []})", "'datatypes' must be types by name");
  refuse(R"({"components": {"C": {"Members": ["what"]}}})", "'what' is not a member");
}

} // namespace
} // namespace kaon
