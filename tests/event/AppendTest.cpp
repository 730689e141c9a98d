#include "support/Errors.h"
#include "support/Files.h"
#include "support/TestEvents.h"
#include "support/Warnings.h"

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>
#include <kaon/files/Files.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// Appends events to existing files.

namespace {

using kaon::ErrorKind;
using kaon::Frame;
using kaon::Layout;
using kaon::Reader;
using kaon::Writer;
using kaon::WriterOptions;
using kaon::test::expectError;
using kaon::test::expectEvents;
using kaon::test::makeEvent;
using kaon::test::readFile;
using kaon::test::writeFile;
using test::HitCollection;

class Appending : public testing::Test {
protected:
  void write(int first, int last, const WriterOptions& options) const {
    Writer writer(m_path, options);
    for (int event = first; event < last; ++event)
      writer.write(makeEvent(event), "events");
    writer.finish();
  }
  void expectWritten(int count) const { expectEvents(Reader(m_path)["events"], count); }

  kaon::test::TemporaryDirectory m_directory;
  std::string m_path = m_directory / "events.kaon";
};

TEST_F(Appending, goesOnAsOftenAsOneLikes) {
  for (const Layout layout : {Layout::split, Layout::row, Layout::member}) {
    write(0, 10, {.layout = layout});
    for (int round = 1; round < 4; ++round) {
      const std::string before = readFile(m_path);
      write(10 * round, 10 * (round + 1), {.layout = layout, .clusterEntries = 4, .append = true});
      EXPECT_TRUE(readFile(m_path).starts_with(before)); // the existing bytes are unchanged
      EXPECT_TRUE(Reader(m_path).file().isComplete());
      expectWritten(10 * (round + 1));
    }
  }
}

TEST_F(Appending, keepsTheLayoutThatCollectionsHave) {
  write(0, 5, {.layout = Layout::row});
  write(5, 10, {.layout = Layout::split, .append = true});
  expectWritten(10);
  const Reader reader(m_path);
  const auto category = reader["events"];
  EXPECT_EQ(category.source().schema().table(category.source().schema().find("Hits")).layout,
            Layout::row);
}

TEST_F(Appending, addsCollectionsThatAreRelatedToOldOnes) {
  write(0, 3, {});
  {
    Writer writer(m_path, {.append = true});
    for (int event = 3; event < 6; ++event) {
      Frame frame = makeEvent(event);
      HitCollection more;
      for (const auto particle : frame.get<test::ParticleCollection>("Particles"))
        more.create().setParticle(particle);
      frame.put(std::move(more), "More");
      writer.write(frame, "events");
    }
    writer.finish();
  }
  expectWritten(6);
  const auto category = Reader(m_path)["events"];
  EXPECT_EQ(category.at(1).getIfPresent<HitCollection>("More"), nullptr);
  const Frame frame = category.at(4);
  const auto& more = frame.get<HitCollection>("More");
  const auto& particles = frame.get<test::ParticleCollection>("Particles");
  ASSERT_EQ(more.size(), particles.size());
  for (std::size_t i = 0; i < more.size(); ++i)
    EXPECT_TRUE(more[i].getParticle() == particles[i]);
}

TEST_F(Appending, addsCategoriesAndDocuments) {
  write(0, 3, {});
  {
    Writer writer(m_path, {.append = true});
    Frame run;
    run.putParameter("run", 7);
    writer.write(run, "runs");
    writer.putDocument("notes", "appended");
    writer.finish();
  }
  const Reader reader(m_path);
  EXPECT_EQ(reader.categories(), (std::vector<std::string>{"events", "runs"}));
  EXPECT_EQ(reader["runs"].at(0).getParameter<int>("run"), 7);
  EXPECT_EQ(reader.file().document("notes"), "appended");
  EXPECT_EQ(reader.file().document("model:testmodel"), test::Hit::datatype().model->json);
  expectWritten(3);
}

TEST_F(Appending, wantsAFileThatIsThere) {
  expectError(ErrorKind::missing, m_path + ": cannot open",
              [&] { Writer(m_path, {.append = true}); });
  EXPECT_FALSE(std::filesystem::exists(m_path));
}

TEST_F(Appending, mendsAFileWhoseWriterWasKilled) {
  write(0, 5, {.clusterEntries = 2});
  const std::string whole = readFile(m_path);
  for (const std::string& bytes :
       {whole.substr(0, whole.size() - 1), whole.substr(0, whole.size() / 2), whole + "more"}) {
    writeFile(m_path, bytes);
    kaon::test::Warnings warnings;
    const int before = static_cast<int>(Reader(m_path)["events"].size());
    EXPECT_EQ(warnings.take().size(), 1U);
    write(before, 8, {.append = true});
    const auto told = warnings.take();
    ASSERT_EQ(told.size(), 1U);
    kaon::test::expectContains(told[0], std::to_string(before) + " of 'events'");
    expectWritten(8);
    EXPECT_TRUE(kaon::verify(m_path).isSound());
    EXPECT_TRUE(warnings.take().empty());
  }
}

TEST_F(Appending, replacesADamagedFileByItsSoundPart) {
  write(0, 5, {.clusterEntries = 2});
  std::string bytes = readFile(m_path);
  bytes.pop_back();
  bytes[64 + 20] =
      static_cast<char>(bytes[64 + 20] ^ 1); // in the first record; other records follow
  writeFile(m_path, bytes);
  kaon::test::Warnings warnings;
  write(5, 8, {.append = true});
  const std::string kept = m_path + ".damaged";
  const auto told = warnings.take();
  ASSERT_EQ(told.size(), 1U);
  kaon::test::expectContains(told[0], "the damaged file is kept as " + kept);
  EXPECT_TRUE(readFile(kept) == bytes);
  std::filesystem::remove(kept);
  expectWritten(8);
  EXPECT_TRUE(kaon::verify(m_path).isSound());
}

TEST_F(Appending, wantsAKaonFile) {
  writeFile(m_path, "no kaon file at all");
  expectError(ErrorKind::version, "is not a kaon file", [&] { Writer(m_path, {.append = true}); });
  EXPECT_EQ(readFile(m_path), "no kaon file at all");
}

TEST_F(Appending, isForOneWriterAtATime) {
  write(0, 3, {});
  {
    Writer first(m_path, {.append = true});
    expectError(ErrorKind::io, "another writer is at work on this file",
                [&] { Writer(m_path, {.append = true}); });
    expectError(ErrorKind::io, "another writer is at work on this file",
                [&] { Writer second(m_path); });
    first.write(makeEvent(3), "events");
    first.finish();
  }
  expectWritten(4);
  {
    Writer replacing(m_path);
    expectError(ErrorKind::io, "another writer is at work on this file",
                [&] { Writer(m_path, {.append = true}); });
    replacing.write(makeEvent(0), "events");
    replacing.finish();
  }
  expectWritten(1);
}

/// Returns a frame that writers refuse.
Frame brokenEvent() {
  HitCollection hits;
  hits.create().setParticle(test::Particle());
  Frame broken;
  broken.put(std::move(hits), "Hits");
  return broken;
}

TEST_F(Appending, thatAnExceptionEndsLeavesTheFileAsItWas) {
  write(0, 3, {});
  const std::string before = readFile(m_path);
  const auto append = [&](const Frame& last) {
    Writer writer(m_path, {.clusterEntries = 2, .append = true});
    for (int event = 3; event < 8; ++event)
      writer.write(makeEvent(event), "events");
    EXPECT_GT(readFile(m_path).size(), before.size()); // clusters were written
    writer.write(last, "events");
    throw std::runtime_error("the program's own mistake");
  };
  EXPECT_THROW(append(brokenEvent()), kaon::Error);
  EXPECT_TRUE(readFile(m_path) == before);
  EXPECT_THROW(append(makeEvent(8)), std::runtime_error);
  EXPECT_TRUE(readFile(m_path) == before);
  write(3, 5, {.append = true});
  expectWritten(5);
}

TEST_F(Appending, thatIsRefusedLeavesTheFileAsItWas) {
  write(0, 3, {});
  const std::string before = readFile(m_path);
  const auto append = [&](WriterOptions options, const Frame& frame) {
    options.append = true;
    Writer writer(m_path, options);
    writer.write(frame, "events");
    writer.finish();
  };
  Frame other; // as in another version of the model
  other.put(test::ParticleCollection(), "Hits");
  EXPECT_THROW(append({}, other), kaon::Error);
  EXPECT_TRUE(readFile(m_path) == before);
  EXPECT_THROW(append({.keys = {"title"}}, makeEvent(3)), kaon::Error);
  EXPECT_TRUE(readFile(m_path) == before);
  EXPECT_THROW(append({.storage = {{"Hits", {.precision = {{"none", {}}}}}}}, makeEvent(3)),
               kaon::Error);
  EXPECT_TRUE(readFile(m_path) == before);
}

TEST_F(Appending, goesOnAfterAFrameThatWasRefused) {
  write(0, 3, {});
  {
    Writer writer(m_path, {.clusterEntries = 2, .append = true});
    writer.write(makeEvent(3), "events");
    EXPECT_THROW(writer.write(brokenEvent(), "events"), kaon::Error);
    writer.write(makeEvent(4), "events");
    writer.finish();
  }
  expectWritten(5);
}

} // namespace
