#include "support/Errors.h"
#include "support/Files.h"
#include "support/TestEvents.h"
#include "support/Warnings.h"

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

// Events that are written behind those that a file has.

namespace {

using kaon::ErrorKind;
using kaon::Frame;
using kaon::Layout;
using kaon::Reader;
using kaon::Writer;
using kaon::WriterOptions;
using kaon::test::expectError;
using kaon::test::expectEvent;
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
  void expectEvents(int count) const {
    int event = 0;
    for (const Frame& frame : Reader(m_path)["events"])
      expectEvent(frame, event++);
    EXPECT_EQ(event, count);
  }

  kaon::test::TemporaryDirectory m_directory;
  std::string m_path = m_directory / "events.kaon";
};

TEST_F(Appending, goesOnAsOftenAsOneLikes) {
  for (const Layout layout : {Layout::split, Layout::row, Layout::member}) {
    write(0, 10, {.layout = layout});
    for (int round = 1; round < 4; ++round) {
      const std::string before = readFile(m_path);
      write(10 * round, 10 * (round + 1), {.layout = layout, .clusterEntries = 4, .append = true});
      EXPECT_TRUE(readFile(m_path).starts_with(before)); // nothing that was there was touched
      EXPECT_TRUE(Reader(m_path).file().isComplete());
      expectEvents(10 * (round + 1));
    }
  }
}

TEST_F(Appending, keepsTheLayoutThatCollectionsHave) {
  write(0, 5, {.layout = Layout::row});
  write(5, 10, {.layout = Layout::split, .append = true});
  expectEvents(10);
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
  expectEvents(6);
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
  expectEvents(3);
}

TEST_F(Appending, wantsAFileThatIsThere) {
  expectError(ErrorKind::missing, m_path + ": cannot open",
              [&] { Writer(m_path, {.append = true}); });
  EXPECT_FALSE(std::filesystem::exists(m_path));
}

TEST_F(Appending, wantsAFileThatIsWhole) {
  write(0, 5, {});
  const std::string whole = readFile(m_path);
  for (const std::string& bytes :
       {whole.substr(0, whole.size() - 1), whole.substr(0, whole.size() / 2), whole + "more"}) {
    writeFile(m_path, bytes);
    expectError(ErrorKind::usage, "nothing can be appended",
                [&] { Writer(m_path, {.append = true}); });
    EXPECT_EQ(readFile(m_path), bytes);
  }
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
  expectEvents(4);
  {
    Writer replacing(m_path);
    expectError(ErrorKind::io, "another writer is at work on this file",
                [&] { Writer(m_path, {.append = true}); });
    replacing.write(makeEvent(0), "events");
    replacing.finish();
  }
  expectEvents(1);
}

TEST_F(Appending, thatFailsLeavesWhatWasThere) {
  write(0, 3, {});
  {
    Writer writer(m_path, {.clusterEntries = 2, .append = true});
    for (int event = 3; event < 8; ++event)
      writer.write(makeEvent(event), "events");
    HitCollection hits;
    hits.create().setParticle(test::Particle());
    Frame broken;
    broken.put(std::move(hits), "Hits");
    EXPECT_THROW(writer.write(broken, "events"), kaon::Error);
  }
  kaon::test::Warnings warnings;
  EXPECT_FALSE(Reader(m_path).file().isComplete());
  EXPECT_EQ(warnings.take().size(), 1U);
  expectEvents(7); // and the clusters that were appended
}

} // namespace
