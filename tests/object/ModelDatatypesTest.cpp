#include <kaon/model/ModelDatatypes.h>
#include <kaon/model/StorageRules.h>

#include "last/last.h"
#include "linkmodel/linkmodel.h"
#include "middle/middle.h"
#include "nestedmodel/nestedmodel.h"
#include "othermodel/othermodel.h"
#include "richmodel/richmodel.h"
#include "storedmodel/storedmodel.h"
#include "stringmodel/stringmodel.h"
#include "support/Errors.h"
#include "support/Random.h"
#include "testmodel/testmodel.h"

#include <kaon/detail/object/ObjectLayout.h>
#include <kaon/model/CollectionTables.h>
#include <kaon/model/Datatype.h>
#include <kaon/writing/BatchBuilder.h>

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

// Compares datatypes made at run time with those of generated classes.

namespace kaon {
namespace {

using test::expectContains;
using test::expectError;

ModelDatatypes modelOf(const std::string& entries) {
  return ModelDatatypes(
      {{"a.kaon: model 'm'", R"({"name": "m", "schema_version": 1, )" + entries + "}"}});
}

std::string text(const Leaf& leaf) {
  return std::string(leaf.name) + " " + std::string(nameOf(leaf.type)) + "*" +
         std::to_string(leaf.extent) + "@" + std::to_string(leaf.offset) + " [" +
         std::string(leaf.unit) + "] " + std::string(leaf.description) + "\n";
}

/// Returns a datatype as text, without its model and storage.
std::string text(const Datatype& type) {
  std::string all = std::string(type.name) + " " + std::string(type.description) + " " +
                    std::to_string(type.rowSize) + "/" + std::to_string(type.alignment) + "\n";
  for (const Leaf& leaf : type.leaves) {
    all.append("  ").append(text(leaf));
    for (std::uint32_t i = 0; i < sizeOf(leaf.type) * leaf.extent; ++i)
      all.append(" ").append(std::to_string(std::to_integer<int>(type.defaults[leaf.offset + i])));
    all += "\n";
  }
  for (const VectorMember& vector : type.vectors) {
    all += "  vector " + std::string(vector.name) + " of " + std::to_string(vector.depth) +
           " lists of " + std::string(vector.type) + " " + std::to_string(vector.rowSize) + "/" +
           std::to_string(vector.alignment) + " [" + std::string(vector.unit) + "] " +
           std::string(vector.description) + "\n";
    for (const Leaf& leaf : vector.leaves)
      all.append("    ").append(text(leaf));
  }
  for (const Relation& relation : type.relations) {
    all += "  " + std::string(relation.many ? "many " : "one ") + std::string(relation.name) +
           " to " + std::string(relation.target) + " " + std::string(relation.description) + ":";
    for (const detail::DatatypeFunction& datatype : relation.datatypes)
      all.append(" ").append(datatype().name);
    all += "\n";
  }
  for (const detail::Rename& rename : type.renames)
    all += "  " + std::string(rename.name) + " was " + std::string(rename.before) + "\n";
  for (const std::string_view old : type.oldNames)
    all += "  was " + std::string(old) + "\n";
  return all;
}

/// Returns the tables of a collection, stored as its model declares.
std::vector<TableDefinition> tables(const Datatype& type) {
  auto tables = tablesOf(type, "Things", 0, Layout::split);
  kaon::detail::apply(detail::storageOf(type.storage), tables);
  return tables;
}

template <class... Types>
void expectSame() {
  (
      [] {
        const Datatype& generated = Types::datatype();
        const detail::ModelInfo& model = *generated.model;
        const ModelDatatypes datatypes({{"here", std::string(model.json)}});
        EXPECT_EQ(datatypes.mistake(generated.name), "");
        const Datatype* const found = datatypes.find(generated.name);
        ASSERT_NE(found, nullptr) << generated.name;
        EXPECT_EQ(text(*found), text(generated));
        EXPECT_EQ(tables(*found), tables(generated)) << generated.name;
        EXPECT_EQ(found->model->name, model.name);
        EXPECT_EQ(found->model->schemaVersion, model.schemaVersion);
        EXPECT_EQ(found->model->json, model.json);
      }(),
      ...);
}

TEST(ModelDatatypes, areThoseOfGeneratedClasses) {
  expectSame<::test::Particle, ::test::Hit, ::test::Track, ::test::Bare, ::test::Everything>();
  expectSame<rich::inner::Particle, strings::Run, strings::Label>();
  expectSame<stored::Particle, stored::Track, stored::Cell>();
  expectSame<nested::Channel>();
}

TEST(ModelDatatypes, knowInterfacesAndLinks) {
  expectSame<linked::Pixel, linked::Strip, linked::Track, linked::TrackPixelLink,
             linked::TrackTrackLink, linked::HitTrackLink>();
}

TEST(ModelDatatypes, knowModelsUpstream) {
  expectSame<last::Track, last::TrackParticleLink, last::SourceAnyLink, middle::Segment>();
  const Datatype& track = last::Track::datatype();
  const ModelDatatypes datatypes({{"here", std::string(track.model->json)}});
  EXPECT_EQ(text(*datatypes.find("rich::inner::Particle")),
            text(rich::inner::Particle::datatype()));
  // The document of a model describes more than the documents of models that use it.
  const detail::ModelInfo& own = *rich::inner::Particle::datatype().model;
  const ModelDatatypes both(
      {{"here", std::string(track.model->json)}, {"there", std::string(own.json)}});
  EXPECT_EQ(both.find("rich::inner::Particle")->model->name, "richmodel");
  EXPECT_EQ(&both.find("last::Track")->relations[0].datatypes[0](),
            both.find("rich::inner::Particle"));
}

TEST(ModelDatatypes, leadToDatatypesOfTheProgram) {
  const Datatype& pixel = linked::Pixel::datatype();
  const ModelDatatypes datatypes(
      {{"here", std::string(pixel.model->json)}},
      [&](std::string_view name) { return name == pixel.name ? &pixel : nullptr; });
  const auto targets = datatypes.find("linked::Track")->relations[1].datatypes;
  ASSERT_EQ(targets.size(), 2U);
  EXPECT_EQ(&targets[0](), &pixel);
  EXPECT_EQ(datatypes.find("linked::Pixel"), &pixel);
  EXPECT_EQ(&targets[1](), datatypes.find("linked::Strip"));
}

TEST(ModelDatatypes, haveOldNames) {
  const ModelDatatypes datatypes = modelOf(R"(
      "components": [{"name": "P", "members": [{"type": "float", "name": "x"}]}],
      "datatypes": [{"name": "New", "members": [{"type": "P", "name": "c"}],
                     "oneToOneRelations": [{"type": "New", "name": "next"}]}],
      "migrations": [
        {"type": "New", "fromVersion": 1, "toVersion": 2, "renameType": {"from": "Old"}},
        {"type": "New", "fromVersion": 1, "toVersion": 2,
         "renameMember": {"from": "a", "to": "b"}},
        {"type": "New", "fromVersion": 2, "toVersion": 3,
         "renameMember": {"from": "b", "to": "c"}},
        {"type": "P", "fromVersion": 1, "toVersion": 2,
         "renameMember": {"from": "px", "to": "x"}}])");
  const Datatype* const found = datatypes.find("Old");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found, datatypes.find("New"));
  std::string renames;
  for (const detail::Rename& rename : found->renames)
    renames += std::string(rename.before) + " ";
  EXPECT_EQ(renames, "b.x a.px ");
}

TEST(ModelDatatypes, haveDefaults) {
  const auto valueOf = [](const std::string& type, const std::string& text) {
    const ModelDatatypes datatypes = modelOf(
        R"("enums": [{"name": "n::E", "underlying": "int8_t",
                      "values": [{"name": "low", "value": -2}]}],
           "datatypes": [{"name": "A", "members": [{"name": "x", "type": ")" +
        type + R"(", "default": ")" + text + R"("}]}])");
    const Datatype& found = datatypes.get("A");
    std::uint64_t bits = 0;
    std::memcpy(&bits, found.defaults.data(), found.rowSize);
    return bits;
  };
  EXPECT_EQ(valueOf("int", "-1"), 0xffffffffU);
  EXPECT_EQ(valueOf("uint8_t", "0xffU"), 255U);
  EXPECT_EQ(valueOf("int", "017"), 15U);
  EXPECT_EQ(valueOf("int", "0b101"), 5U);
  EXPECT_EQ(valueOf("char", "'a'"), 97U);
  EXPECT_EQ(valueOf("char", R"('\\n')"), 10U);
  EXPECT_EQ(valueOf("long", "-9223372036854775808"), std::uint64_t{1} << 63);
  EXPECT_EQ(valueOf("double", "1"), 0x3ff0000000000000U);
  EXPECT_EQ(valueOf("float", "+.5f"), 0x3f000000U);
  EXPECT_EQ(valueOf("bool", "true"), 1U);
  EXPECT_EQ(valueOf("n::E", "E::low"), 0xfeU);
  for (const auto& [type, text] : std::vector<std::pair<std::string, std::string>>{
           {"int8_t", "128"},
           {"uint8_t", "-1"},
           {"int", "1.5"},
           {"int", "1, 2"},
           {"bool", "1"},
           {"int", "{"},
           {"int", "}"},
           {"int", "'"},
           {"double", "nan"},
           {"double", "std::numeric_limits<double>::max()"},
           {"n::E", "high"},
           {"int", std::string(100'000, '{') + std::string(100'000, '}')}})
    expectError(ErrorKind::usage, "the default of 'x' of A is for C++ compilers only",
                [&] { (void)valueOf(type, text); });
}

// In C++, structs and arrays inside a struct may take their numbers without braces of their own.
TEST(ModelDatatypes, leaveDefaultsWithoutTheirBracesToCompilers) {
  const auto defaultsOf = [](const std::string& text) {
    const ModelDatatypes datatypes = modelOf(
        R"("components": [
             {"name": "P", "members": [{"name": "x", "type": "uint8_t"},
                                       {"name": "y", "type": "uint8_t"}]},
             {"name": "Q", "members": [{"name": "p", "type": "P"},
                                       {"name": "a", "type": "uint8_t", "arraySize": 2},
                                       {"name": "z", "type": "uint8_t"}]}],
           "datatypes": [{"name": "A", "members": [{"name": "q", "type": "Q", "default": ")" +
        text + R"("}]}])");
    std::vector<int> bytes;
    for (const std::byte byte : datatypes.get("A").defaults)
      bytes.push_back(std::to_integer<int>(byte));
    return bytes;
  };
  EXPECT_EQ(defaultsOf("{1, 2}, {3}, 4"), (std::vector{1, 2, 3, 0, 4}));
  EXPECT_EQ(defaultsOf("{1}"), (std::vector{1, 0, 0, 0, 0}));
  for (const std::string text : {"1, 2", "1, 2, 3", "{1, 2}, 3, 4"})
    expectError(ErrorKind::usage, "the default of 'q' of A is for C++ compilers only",
                [&] { (void)defaultsOf(text); });
}

TEST(ModelDatatypes, leaveRowsThatAreNotWholeToCompilers) {
  const auto defaultsOf = [](const std::string& text) {
    const ModelDatatypes datatypes = modelOf(
        R"("datatypes": [{"name": "A", "members": [
             {"name": "a", "type": "uint8_t", "arraySize": [2, 2], "default": ")" +
        text + R"("}]}])");
    std::vector<int> bytes;
    for (const std::byte byte : datatypes.get("A").defaults)
      bytes.push_back(std::to_integer<int>(byte));
    return bytes;
  };
  for (const std::string text :
       {"1, 2, 3, 4", "{1, 2}, {3, 4}", "{{1, 2}, {3, 4}}", "{{{1, 2}}, {{3, 4}}}"})
    EXPECT_EQ(defaultsOf(text), (std::vector{1, 2, 3, 4})) << text;
  EXPECT_EQ(defaultsOf("{1, 2}"), (std::vector{1, 2, 0, 0}));
  for (const std::string text : {"{1}, {2, 3}", "{{1}, {2}}", "1, {2, 3}"})
    expectError(ErrorKind::usage, "the default of 'a' of A is for C++ compilers only",
                [&] { (void)defaultsOf(text); });
}

TEST(ModelDatatypes, reportMistakes) {
  const auto expectWrong = [](const std::string& entries, const std::string& what) {
    const ModelDatatypes datatypes = modelOf(entries + R"(, "datatypes": [{"name": "A", "members": [
            {"name": "x", "type": "P"}]}, {"name": "B"}])");
    EXPECT_EQ(datatypes.find("A"), nullptr);
    EXPECT_NE(datatypes.find("B"), nullptr);
    expectError(ErrorKind::corrupt, "a.kaon: model 'm': the datatype 'A': " + what,
                [&] { (void)datatypes.get("A"); });
  };
  const auto component = [](const std::string& type, const std::string& more = "") {
    return R"("components": [{"name": "P", "members": [{"name": "y", "type": ")" + type + "\"" +
           more + "}]}]";
  };
  expectWrong(component("Pq"), "there is no type 'Pq' (did you mean 'P'?)");
  expectWrong(component("P"), "the component 'P' contains itself");
  expectWrong(component("std::string"), "the member 'y' is a string");
  expectWrong(component("double", R"(, "arraySize": 999999999)"), "its structs are too large");
  expectWrong(component("double", R"(, "depth": 1)"), "the member 'y' is of lists");
  expectError(ErrorKind::name, "no model has a datatype 'C'",
              [] { (void)modelOf(R"("links": [])").get("C"); });
  const ModelDatatypes none({{"a.kaon: model 'm'", std::string("{")}});
  expectError(ErrorKind::corrupt, "a.kaon: model 'm': is not JSON", [&] { (void)none.get("A"); });
}

TEST(ModelDatatypes, readOrRefuseAnyDocument) {
  test::Random random(7);
  for (const Datatype* const type :
       {&::test::Track::datatype(), &rich::inner::Particle::datatype(), &last::Track::datatype()})
    for (int i = 0; i < 300; ++i) {
      std::string json(type->model->json);
      for (std::size_t changes = 1 + random.below(4); changes > 0; --changes) {
        static constexpr std::string_view likely = "0123456789\"{}[],:-e.'";
        json[random.below(json.size())] = likely[random.below(likely.size())];
      }
      const ModelDatatypes datatypes({{"here", json}});
      for (const std::string& name : datatypes.names())
        try {
          (void)tables(*datatypes.find(name));
        } catch (const Error& error) { // the storage does not fit
          EXPECT_EQ(error.kind(), ErrorKind::name) << error.what();
        }
    }
}

TEST(ModelDatatypes, doNotGrowBeyondMeasure) {
  // Each component has ten of the component before.
  std::string components = R"({"name": "C0", "members": [{"name": "x", "type": "char"}]})";
  for (int i = 1; i < 30; ++i)
    components += R"(, {"name": "C)" + std::to_string(i) +
                  R"(", "members": [{"name": "x", "arraySize": 10, "type": "C)" +
                  std::to_string(i - 1) + R"("}]})";
  const ModelDatatypes datatypes =
      modelOf(R"("components": [)" + components +
              R"(], "datatypes": [{"name": "A", "members": [{"name": "x", "type": "C29"}]}])");
  EXPECT_NE(datatypes.mistake("A").find("too large"), std::string::npos);
}

TEST(ModelDatatypes, doNotGrowBeyondMeasureByNames) {
  const ModelDatatypes datatypes = modelOf(
      R"("components": [{"name": "P", "members": [{"name": "x", "type": "char", "comment": ")" +
      std::string(100'000, 'c') +
      R"("}]}], "datatypes": [{"name": "A", "members": [
          {"name": "x", "type": "P", "arraySize": 10000}]}])");
  expectContains(datatypes.mistake("A"), "too large");
}

TEST(ModelDatatypes, doNotCountArraysOfNothing) {
  std::string members;
  for (int i = 0; i < 100; ++i)
    members += std::string(i > 0 ? ", " : "") + R"({"name": "x)" + std::to_string(i) +
               R"(", "type": "Empty", "arraySize": 999999999})";
  const ModelDatatypes datatypes =
      modelOf(R"("components": [{"name": "Empty"}], "datatypes": [{"name": "A", "members": [)" +
              members + "]}]");
  expectContains(datatypes.mistake("A"), "too large");
}

// If a component has the name of an enum or scalar, the name means the enum or scalar.
TEST(ModelDatatypes, haveTypesOfOneKind) {
  for (const std::string type : {"E", "int"}) {
    const ModelDatatypes datatypes = modelOf(
        R"("enums": [{"name": "E", "underlying": "int8_t",
                      "values": [{"name": "low", "value": 1}]}],
           "components": [{"name": ")" +
        type + R"(", "members": [
             {"name": "x", "type": "long", "arraySize": 100000},
             {"name": "again", "type": ")" +
        type + R"("}]}],
           "datatypes": [{"name": "A", "members": [
             {"name": "x", "type": ")" +
        type + R"(", "default": "{1, 2, 3}, {1}"}]}])");
    const Datatype* const found = datatypes.find("A");
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->leaves.size(), 1U);
    EXPECT_EQ(found->rowSize, type == "E" ? 1U : 4U);
  }
}

} // namespace
} // namespace kaon
