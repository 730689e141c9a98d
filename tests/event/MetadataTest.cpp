#include "support/Errors.h"
#include "support/Files.h"
#include "support/Warnings.h"
#include "support/Writing.h"
#include "testmodel/testmodel.h"

#include <kaon/event/FileMetadata.h>
#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>
#include <kaon/writing/BatchBuilder.h>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

// The metadata of files, and their treatment when frames are copied.

namespace {

using kaon::ErrorKind;
using kaon::Frame;
using kaon::Metadata;
using kaon::Reader;
using kaon::Writer;
using kaon::WriterOptions;
using kaon::test::expectError;
using kaon::test::Warnings;

class MetadataOfFiles : public testing::Test {
protected:
  /// Writes a file with an event and a run, and with this luminosity.
  std::string file(const std::string& name, double luminosity, const std::string& detector) {
    const std::string path = directory / name;
    Writer writer(path);
    test::HitCollection hits;
    hits.create().setCell(1);
    Frame event;
    event.put(std::move(hits), "Hits");
    writer.write(event, "events");
    writer.write(Frame(), "runs");
    writer.metadata().set("luminosity", luminosity, "sum");
    writer.metadata().set("detector", detector);
    writer.metadata().part("events").set("steps", kaon::Json::List{name}, "list");
    writer.metadata().part("events").part("Hits").set("threshold", luminosity, "min");
    writer.metadata().part("runs").set("magnet", "on");
    writer.finish();
    return path;
  }
  /// Copies the events of these files, and returns the metadata of the new one.
  std::string copied(const std::vector<std::string>& paths, const WriterOptions& options = {}) {
    Writer writer(directory / "copy.kaon", options);
    for (const std::string& path : paths)
      for (const Frame& event : Reader(path)["events"])
        writer.write(event, "events");
    writer.finish();
    return Reader(directory / "copy.kaon").metadata().toJson();
  }
  kaon::test::TemporaryDirectory directory;
  std::string a = file("a.kaon", 1.5, "CLD");
  std::string b = file("b.kaon", 2, "CLD");
};

constexpr const char* ofA =
    R"({"file":{"luminosity":1.5,"detector":"CLD"},"categories":{"events":{"steps":["a.kaon"]}},)"
    R"("collections":{"events":{"Hits":{"threshold":1.5}}},)"
    R"("rules":{"file":{"luminosity":"sum"},"categories":{"events":{"steps":"list"}},)"
    R"("collections":{"events":{"Hits":{"threshold":"min"}}}}})";

TEST_F(MetadataOfFiles, areRead) {
  const Metadata metadata = Reader(a).metadata();
  EXPECT_EQ(metadata.get<double>("luminosity"), 1.5);
  EXPECT_EQ(metadata.findPart("runs")->get<std::string>("magnet"), "on");
  Writer(directory / "none.kaon").finish();
  EXPECT_EQ(Reader(directory / "none.kaon").metadata().toJson(), "{}");
  EXPECT_TRUE(Reader(directory / "none.kaon").file().documents().empty());
}

TEST_F(MetadataOfFiles, goAlongWithFrames) { EXPECT_EQ(copied({a}), ofA); }

TEST_F(MetadataOfFiles, ofOneFileCountOnce) { EXPECT_EQ(copied({a, a}), ofA); }

TEST_F(MetadataOfFiles, stayWhereTheyAreIfThatIsWanted) {
  EXPECT_EQ(copied({a}, {.copyMetadata = false}), "{}");
  const Frame frame = Reader(a)["events"].at(0);
  Writer writer(directory / "frame.kaon");
  writer.write(Frame::fromBytes(frame.toBytes().bytes()), "events"); // a frame is not a file
  writer.finish();
  EXPECT_EQ(Reader(directory / "frame.kaon").metadata().toJson(), "{}");
}

TEST_F(MetadataOfFiles, ofSeveralFilesAreMergedByTheirRules) {
  EXPECT_EQ(copied({a, b}),
            R"({"file":{"luminosity":3.5,"detector":"CLD"},)"
            R"("categories":{"events":{"steps":["a.kaon","b.kaon"]}},)"
            R"("collections":{"events":{"Hits":{"threshold":1.5}}},)"
            R"("rules":{"file":{"luminosity":"sum"},"categories":{"events":{"steps":"list"}},)"
            R"("collections":{"events":{"Hits":{"threshold":"min"}}}}})");
}

TEST_F(MetadataOfFiles, thatDifferAreLeftOutWithAWarning) {
  const std::string other = file("other.kaon", 1, "IDEA");
  Warnings warnings;
  const Metadata merged = Metadata::fromJson(copied({a, other}), "");
  EXPECT_EQ(merged.find("detector"), nullptr);
  EXPECT_EQ(merged.get<double>("luminosity"), 2.5);
  const auto told = warnings.take();
  ASSERT_EQ(told.size(), 1U);
  kaon::test::expectContains(told[0],
                             R"(copy.kaon: the metadata 'detector' differ: "CLD" and "IDEA"; set)");
}

TEST_F(MetadataOfFiles, thatAWriterSetsGoBeforeOthers) {
  const std::string path = directory / "set.kaon";
  Writer writer(path);
  writer.metadata().set("luminosity", "unknown");
  for (const std::string& from : {a, b})
    writer.write(Reader(from)["events"].at(0), "events");
  writer.finish();
  EXPECT_EQ(Reader(path).metadata().get<std::string>("luminosity"), "unknown");
  EXPECT_EQ(Reader(path).metadata().get<std::string>("detector"), "CLD");
}

TEST_F(MetadataOfFiles, followTheirCategory) {
  const std::string path = directory / "chosen.kaon";
  Writer writer(path);
  const Reader reader(a);
  writer.write(reader["events"].at(0), "chosen");
  writer.write(reader["runs"].at(0), "runs");
  writer.finish();
  const Metadata metadata = Reader(path).metadata();
  EXPECT_EQ(metadata.get<double>("luminosity"), 1.5); // counted once
  EXPECT_EQ(metadata.findPart("runs")->get<std::string>("magnet"), "on");
  EXPECT_EQ(metadata.findPart("events"), nullptr);
  EXPECT_EQ(metadata.findPart("chosen")->findPart("Hits")->get<double>("threshold"), 1.5);
}

TEST_F(MetadataOfFiles, areMergedWithThoseOfAFileThatIsAppendedTo) {
  const std::string before = Reader(a).metadata().toJson();
  { Writer(a, {.append = true}).finish(); }
  EXPECT_EQ(Reader(a).metadata().toJson(), before);
  Writer writer(a, {.append = true});
  EXPECT_EQ(writer.metadata().get<double>("luminosity"), 1.5);
  writer.metadata().set("detector", "CLIC");
  writer.write(Reader(b)["events"].at(0), "events");
  writer.finish();
  const Metadata metadata = Reader(a).metadata();
  EXPECT_EQ(metadata.get<double>("luminosity"), 3.5);
  EXPECT_EQ(metadata.get<std::string>("detector"), "CLIC");
  EXPECT_EQ(metadata.findPart("runs")->get<std::string>("magnet"), "on");
}

TEST_F(MetadataOfFiles, mayBeGivenAsADocument) {
  const std::string path = directory / "document.kaon";
  Writer writer(path);
  writer.putDocument("metadata",
                     R"({"file": {"luminosity": 1}, "rules": {"file": {"luminosity": "sum"}}})");
  expectError(ErrorKind::corrupt,
              "document.kaon: the metadata: ", [&] { writer.putDocument("metadata", "1"); });
  writer.write(Reader(a)["events"].at(0), "events");
  writer.finish();
  EXPECT_EQ(Reader(path).metadata().get<double>("luminosity"), 1.);
}

TEST_F(MetadataOfFiles, thatCannotBeReadAreNotCopied) {
  kaon::test::Writing writing;
  writing.writer.addDocument("metadata", "[]");
  kaon::detail::BatchBuilder builder;
  builder.endEntry();
  writing.writer.write("events", builder.batch(0));
  const std::shared_ptr<const kaon::File> file = writing.finished();
  expectError(ErrorKind::corrupt, "the metadata: expected entries by name, not []",
              [&] { (void)kaon::readMetadata(*file); });
  Warnings warnings;
  const std::string path = directory / "copy.kaon";
  Writer writer(path);
  writer.write(kaon::Category(file, "events").at(0), "events");
  writer.finish();
  EXPECT_EQ(Reader(path).metadata().toJson(), "{}");
  EXPECT_EQ(warnings.take().size(), 1U);
}

} // namespace
