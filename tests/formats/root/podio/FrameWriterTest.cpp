#include <kaon/formats/root/podio/FrameWriter.h>

#include <kaon/base/Error.h>
#include <kaon/detail/reading/Window.h>
#include <kaon/formats/podio/PodioCollectionId.h>
#include <kaon/formats/root/RootFile.h>
#include <kaon/formats/root/RootFileWriter.h>
#include <kaon/formats/root/container/RootContainer.h>
#include <kaon/formats/root/ntuple/NTupleAnchor.h>
#include <kaon/formats/root/ntuple/NTupleDescriptor.h>
#include <kaon/formats/root/ntuple/NTupleSource.h>
#include <kaon/model/CollectionTables.h>
#include <kaon/model/Metadata.h>
#include <kaon/writing/BatchBuilder.h>

#include "support/Contents.h"
#include "support/Errors.h"
#include "support/PodioWriting.h"
#include "support/Tables.h"
#include "support/Warnings.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Frames are written in podio's form and read back unchanged.

namespace kaon::root::podio {
namespace {

using test::expectError;

std::unique_ptr<io::ByteSource> sourceOf(std::string_view bytes) {
  return io::memorySource("f.root", std::as_bytes(std::span(bytes)));
}

struct FrameWriting {
  explicit FrameWriting(SinkOptions options = {})
      : writer(io::memorySink("f.root", bytes), std::move(options), CategoryForm::frames) {}
  [[nodiscard]] std::unique_ptr<File> finished() {
    writer.finish();
    return openRootFile(io::memorySource("f.root", bytes.bytes()), {});
  }
  Buffer bytes;
  RootFileWriter writer;
};

/// Returns the fields of a file's RNTuples by path: their types and all properties that ROOT uses.
/// Includes versions and checksums of classes only if `hasClasses`.
std::map<std::string, std::string> fieldsIn(std::unique_ptr<io::ByteSource> bytes,
                                            bool hasClasses) {
  std::map<std::string, std::string> all;
  const RootContainer container(std::move(bytes));
  for (const ListedObject& object : container.objects()) {
    if (object.path == documentsName)
      continue;
    const NTupleDescriptor descriptor =
        readDescriptor(container, readAnchor(container, object.key), object.path);
    std::vector<std::string> paths;
    for (const NTupleField& field : descriptor.fields) {
      const bool isTop = field.parent == paths.size();
      paths.push_back((isTop ? object.path + ":" : paths[field.parent] + ".") + field.name);
      std::string& text = all[paths.back()];
      text = field.typeName + " " + std::to_string(static_cast<int>(field.role)) + " [" +
             std::to_string(field.arraySize) + "]" + field.description;
      if (hasClasses)
        text += " v" + std::to_string(field.classVersion) + " " +
                std::to_string(field.classChecksum.value_or(0));
      for (const std::uint32_t column : field.columns)
        text += " " + std::to_string(static_cast<int>(descriptor.columns[column].type)) + "/" +
                std::to_string(descriptor.columns[column].bits);
    }
  }
  return all;
}

TEST(PodioCollectionId, isPodiosHash) {
  EXPECT_EQ(podioCollectionId("MCParticles"), 2714477136);
  EXPECT_EQ(podioCollectionId("EventHeader"), 3616779153);
  EXPECT_EQ(podioCollectionId("Tracks"), 1178900965);
  EXPECT_EQ(podioCollectionId("ChargedStable"), 2984353485);
}

class FrameWriterSample : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(FrameWriter, FrameWriterSample,
                         testing::Values("toy", "edm4hep_3", "edm4hep_50", "edm4hep_old_3"));

TEST_P(FrameWriterSample, isReadBackAsItWas) {
  test::Warnings warnings;
  const auto expected = test::podioContents(GetParam());
  if (!expected)
    GTEST_SKIP() << test::noSharedFiles;
  for (const std::string form : {".ttree.root", ".rntuple.root"}) {
    const std::string bytes = test::podioSample(GetParam(), form);
    const auto file = openRootFile(sourceOf(bytes), {});
    FrameWriting writing({.codec = form == ".ttree.root" ? uncompressed() : zstd(1)});
    test::copy(*file, writing.writer);
    const auto back = writing.finished();
    test::expectContents(*back, *expected);
    for (const std::string& name : file->documents())
      if (name != detail::metadataDocument) {
        EXPECT_EQ(back->document(name), file->document(name)) << name;
      }
  }
  EXPECT_TRUE(warnings.take().empty());
}

TEST_P(FrameWriterSample, hasTheFieldsOfPodiosOwn) {
  if (!test::podioContents(GetParam()))
    GTEST_SKIP() << test::noSharedFiles;
  const std::string bytes = test::podioSample(GetParam(), ".rntuple.root");
  FrameWriting writing;
  test::copy(*openRootFile(sourceOf(bytes), {}), writing.writer);
  (void)writing.finished();
  const bool hasClasses = GetParam() != "toy"; // ROOT has no versions of its classes
  EXPECT_EQ(fieldsIn(io::memorySource("f.root", writing.bytes.bytes()), hasClasses),
            fieldsIn(sourceOf(bytes), hasClasses));
}

/// Returns the contents of a file's RNTuples, without data in varying order and the writer's
/// version.
std::map<std::string, test::Contents> storedIn(std::unique_ptr<io::ByteSource> bytes) {
  std::map<std::string, test::Contents> all;
  const RootContainer container(std::move(bytes));
  for (const ListedObject& object : container.objects())
    if (object.path != documentsName)
      all[object.path] = test::contentsOf(*openNTuple(container, object));
  std::erase_if(all[std::string(metadataCategory)].tables, [](const auto& table) {
    const std::string& name = table.first.first;
    return name == "PodioBuildVersion" || name.starts_with("EDMDefinitions") ||
           name.starts_with("availableCategories");
  });
  return all;
}

TEST_P(FrameWriterSample, storesTheValuesOfPodiosOwn) {
  if (!test::podioContents(GetParam()))
    GTEST_SKIP() << test::noSharedFiles;
  const std::string bytes = test::podioSample(GetParam(), ".rntuple.root");
  FrameWriting writing;
  test::copy(*openRootFile(sourceOf(bytes), {}), writing.writer);
  (void)writing.finished();
  EXPECT_TRUE(storedIn(io::memorySource("f.root", writing.bytes.bytes())) ==
              storedIn(sourceOf(bytes)));
}

/// A file with the toy model; frames have some of its collections.
struct Frames {
  Frames() {
    const std::string bytes = test::podioSample("toy", ".rntuple.root");
    const auto toy = openRootFile(sourceOf(bytes), {});
    writing.writer.addDocument("model:toymodel", toy->document("model:toymodel"));
  }
  /// Writes an entry, whose tables are filled already.
  void write() {
    builder.endEntry();
    writing.writer.write("events", builder.batch(entries++));
    builder.clear();
  }
  FrameWriting writing;
  detail::BatchBuilder builder;
  std::uint64_t entries = 0;
};

TableDefinition strips() {
  using enum Scalar;
  return test::table("Strips", TableKind::collection, "toy::Strip",
                     {{"cellID", UInt64}, {"energy", Float32}, {"side", Int8}});
}

TEST(FrameWriter, givesEarlierFramesEmptyCollectionsOfThoseThatComeLater) {
  Frames frames;
  const std::uint32_t number = frames.builder.add(test::parameter("number", Scalar::Int32));
  frames.builder.setPresent(number);
  test::addRow(frames.builder, number, std::int32_t{7});
  frames.write();
  const std::uint32_t strip = frames.builder.add(strips());
  const std::uint32_t weight = frames.builder.add(test::parameter("weight", Scalar::Float64));
  frames.builder.setPresent(strip);
  (void)frames.builder.append(strip, 2);
  frames.builder.setPresent(weight);
  test::addRow(frames.builder, weight, 0.5);
  frames.write();
  frames.write();
  const auto file = frames.writing.finished();
  const Source& events = file->category("events");
  detail::Window window(events);
  const auto rowsOf = [&](std::string_view name, std::uint64_t entry) {
    const auto [first, last] = window.rows(events.schema().tableNamed(name), entry);
    return last - first;
  };
  EXPECT_EQ((std::vector{rowsOf("Strips", 0), rowsOf("Strips", 1), rowsOf("Strips", 2)}),
            (std::vector<std::size_t>{0, 2, 0}));
  for (const auto& [name, present] :
       {std::pair{"number", std::array{true, false, false}}, {"weight", {false, true, false}}})
    for (std::uint64_t entry = 0; entry < present.size(); ++entry)
      EXPECT_EQ(window.isPresent(events.schema().tableNamed(name), entry), present[entry])
          << name << entry;
}

TEST(FrameWriter, keepsLinksThatNoModelHas) {
  Frames frames;
  const std::string type = "kaon::Link<toy::Strip,toy::Strip>";
  const auto& builder = frames.builder;
  const std::uint32_t links = frames.builder.add(
      test::table("Links", TableKind::collection, type, {{"weight", Scalar::Float32}}));
  for (const char* const end : {"Links.from", "Links.to"})
    frames.builder.add(test::relation(end, TableKind::oneRelation, links, "toy::Strip"));
  frames.builder.setPresent(links);
  test::addRow(frames.builder, links, 0.5F);
  for (std::uint32_t end = links + 1; end < builder.schema().size(); ++end)
    test::addRow(frames.builder, end, std::array<std::int32_t, 2>{-1, 0});
  frames.write();
  const auto file = frames.writing.finished();
  const Schema& schema = file->category("events").schema();
  EXPECT_EQ(schema.table(schema.tableNamed("Links")).type, type);
  EXPECT_EQ(test::valuesOf<std::int32_t>(file->category("events"), "Links.to.index"),
            std::vector{-1});
}

TEST(FrameWriter, keepsMetadataBesideThoseOfPodio) { test::expectMetadataKept<FrameWriting>(); }

std::map<std::string, std::string> lossesOf(const std::vector<TableDefinition>& tables) {
  return test::lossesOf(tables, lossesInFrames);
}

TEST(FrameWriter, reportsTypesThatPodioLacks) {
  using enum Scalar;
  TableDefinition strings = test::values("Strips.words", TableKind::vectorMember, UInt8, 0);
  strings.type = "string";
  TableDefinition list = test::values("Strips.list", TableKind::vectorMember, Float32, 0);
  TableDefinition decoration = test::values("Strips.mark", TableKind::decoration, Float32, 0);
  TableDefinition other = strips();
  other.members[1].type = Int32;
  using Losses = std::map<std::string, std::string>;
  EXPECT_EQ(lossesOf({strips(), test::values("noise", TableKind::collection, Float32)}), Losses());
  EXPECT_EQ(lossesOf({strips(), strings}),
            (Losses{{"Strips", "'Strips.words' is of strings or lists"}}));
  EXPECT_EQ(lossesOf({strips(), list, decoration}),
            (Losses{{"Strips.list", "'toy::Strip' does not have this member"},
                    {"Strips.mark", "podio has no decorations"}}));
  EXPECT_EQ(lossesOf({other}),
            (Losses{{"Strips", "it does not have the members of 'toy::Strip'"}}));
  EXPECT_EQ(lossesOf({test::collection("Hits", {{"x", Float32}})}),
            (Losses{{"Hits", "there is no model with its datatype 'Thing'"}}));
  EXPECT_EQ(lossesOf({test::values("flags", TableKind::collection, Bool)}),
            (Losses{{"flags", "podio's collections of bare values must hold single numbers"}}));
  const std::string notOf = "podio's parameters are of int32, float32, float64 or string, not of ";
  EXPECT_EQ(lossesOf({test::values("run", TableKind::value, Int32),
                      test::values("time", TableKind::value, Int64), test::parameter("n", Int64)}),
            (Losses{{"time", notOf + "int64"}, {"n", notOf + "int64"}}));
  EXPECT_EQ(lossesOf({test::table("Odd", TableKind::collection, "kaon::Subset<toy::Strip>", {}),
                      test::values("Odd.n", TableKind::vectorMember, Int32, 0)}),
            (Losses{{"Odd", "'Odd.n' lies under a subset"}}));
  EXPECT_EQ(lossesOf({test::table("Link", TableKind::collection, "kaon::Link<A,B>", {})}),
            (Losses{{"Link", "it does not have the members of 'kaon::Link<A,B>'"}}));
  EXPECT_EQ(lossesOf({test::values("a b", TableKind::collection, Float32),
                      test::values("GPIntKeys", TableKind::collection, Float32)}),
            (Losses{{"a b", "ROOT cannot have a field of this name"},
                    {"GPIntKeys", "there would be two fields 'GPIntKeys'"}}));
}

TEST(FrameWriter, takesNoMoreParametersThanAreRead) {
  std::vector<TableDefinition> tables;
  for (int i = 0; i < 10'001; ++i)
    tables.push_back(test::parameter("p" + std::to_string(i), Scalar::Int32));
  tables.push_back(test::parameter("another", Scalar::Float32));
  EXPECT_EQ(lossesOf(tables),
            (std::map<std::string, std::string>{
                {"p10000", "kaon reads at most 10000 parameters of one type in a podio file"}}));
}

/// Returns the reason why podio's classes cannot have a datatype with this member. Member and
/// component are JSON.
std::string reasonAgainst(const std::string& member, const std::string& component = "[]") {
  const std::string model = R"({"name": "m", "schema_version": 1, "components": [{"name": "C",
    "members": )" + component +
                            R"(}], "datatypes": [{"name": "T", "members": [)" + member + "]}]}";
  const std::vector<ModelDatatypes::Document> models{{"f.root", model}};
  const ModelDatatypes datatypes(models);
  Schema schema;
  for (const TableDefinition& table : tablesOf(datatypes.get("T"), "Ts", 0, Layout::split))
    schema.add(table);
  const std::vector<detail::Loss> losses = lossesInFrames(schema, models);
  return losses.empty() ? "" : losses[0].reason;
}

TEST(FrameWriter, saysWhichMembersPodiosClassesCannotHave) {
  EXPECT_EQ(reasonAgainst(R"({"type": "C", "name": "c"})", R"([{"type": "int", "name": "i"}])"),
            "");
  EXPECT_EQ(reasonAgainst(R"({"type": "float", "name": "x", "optional": true})"),
            "its member 'x' is optional");
  EXPECT_EQ(reasonAgainst(R"({"type": "float", "name": "x", "arraySize": [2, 3]})"),
            "its member 'x' has several dimensions");
  EXPECT_EQ(
      reasonAgainst(R"({"type": "float", "name": "x", "arraySize": 1})"),
      "its member 'x' is an array of one number, which kaon's files do not tell from a number");
  EXPECT_EQ(reasonAgainst(R"({"type": "std::string", "name": "x"})"),
            "'Ts.x' is of strings or lists");
  EXPECT_EQ(reasonAgainst(R"({"type": "C", "name": "c"})",
                          R"([{"type": "int", "name": "i", "optional": true}])"),
            "its member 'i' is optional");
  EXPECT_EQ(reasonAgainst(R"({"type": "C", "name": "c"})"),
            "its member 'c' is of a component without members");
}

TEST(FrameWriter, saysWhereTwoCollectionsHaveOneNumber) {
  std::map<std::uint32_t, std::string> names;
  for (int i = 0;; ++i) {
    const std::string name = "c" + std::to_string(i);
    const auto [other, isNew] = names.emplace(podioCollectionId(name), name);
    if (isNew)
      continue;
    const auto table = [](const std::string& of) {
      return test::values(of, TableKind::collection, Scalar::Float32);
    };
    EXPECT_EQ(lossesOf({table(other->second), table(name)}),
              (std::map<std::string, std::string>{
                  {name, "podio gives it the same number as '" + other->second + "'"}}));
    return;
  }
}

TEST(FrameWriter, refusesAModelThatIsReplacedByAnother) {
  Frames frames;
  frames.builder.setPresent(frames.builder.add(strips()));
  frames.write();
  frames.writing.writer.addDocument("model:toymodel", R"({"name":"toymodel","schema_version":1})");
  expectError(ErrorKind::usage, "there is no model with its datatype 'toy::Strip'",
              [&] { frames.writing.writer.finish(); });
}

TEST(FrameWriter, refusesUnknownTypesBeforeItWrites) {
  Frames frames;
  frames.builder.add(test::values("time", TableKind::value, Scalar::Int64));
  expectError(ErrorKind::usage, "f.root: podio's files cannot hold 'time': podio's parameters are",
              [&] { frames.writing.writer.write("events", frames.builder.batch(0)); });
  expectError(ErrorKind::usage, "podio uses this name for its description of a file",
              [&] { frames.writing.writer.write("podio_metadata", frames.builder.batch(0)); });
  EXPECT_TRUE(frames.writing.finished()->categories().empty());
}

} // namespace
} // namespace kaon::root::podio
