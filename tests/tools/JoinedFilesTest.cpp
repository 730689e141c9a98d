#include <kaon/event/FileMetadata.h>
#include <kaon/tools/Convert.h>

#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>
#include <kaon/files/Files.h>
#include <kaon/files/Format.h>
#include <kaon/object/UserDataCollection.h>

#include "support/Errors.h"
#include "support/Files.h"
#include "support/TestEvents.h"
#include "support/Warnings.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace kaon {
namespace {

using test::expectError;

class JoinedFiles : public testing::Test {
protected:
  static constexpr int events = 20;

  /// Writes events from a number on. The first event of the second file has tables in another
  /// order.
  void write(const std::string& path, int first) const {
    Writer writer(path, {.clusterEntries = 7});
    for (int event = first; event < first + events; ++event)
      writer.write(test::makeEvent(event), "events");
    writer.metadata().set("events", Json(std::int64_t{events}), "sum");
    writer.metadata().set("first", Json(std::int64_t{first}));
    writer.finish();
  }
  void SetUp() override {
    write(m_first, 0);
    write(m_second, events);
  }

  test::TemporaryDirectory m_directory;
  std::string m_first = m_directory / "first.kaon";
  std::string m_second = m_directory / "second.kaon";
  std::string m_out = m_directory / "out.kaon";
};

TEST_F(JoinedFiles, lieOneBehindTheOther) {
  test::Warnings warnings;
  convert({m_first, m_second}, m_out);
  int event = 0;
  const Reader reader(m_out);
  for (const Frame& frame : reader["events"])
    test::expectEvent(frame, event++);
  EXPECT_EQ(event, 2 * events);
  EXPECT_TRUE(verify(m_out).isSound());
}

TEST_F(JoinedFiles, mergeTheirMetadata) {
  test::Warnings warnings;
  convert({m_first, m_second}, m_out);
  const Metadata metadata = readMetadata(Reader(m_out).file());
  EXPECT_EQ(metadata.get<int>("events"), 2 * events);
  EXPECT_EQ(metadata.find("first"), nullptr); // the values differ, and no rule merges them
  const std::vector<std::string> messages = warnings.take();
  ASSERT_EQ(messages.size(), 1U);
  test::expectContains(messages[0], "'first'");
}

TEST_F(JoinedFiles, areOfTheFormatThatIsNamed) {
  for (const Format& format : formats()) {
    if (!format.create)
      continue;
    SCOPED_TRACE(std::string(format.name));
    ConvertOptions options{.isLossy = true};
    options.writer.format = format.name;
    convert({m_first}, m_directory / "any", options);
    EXPECT_EQ(open(m_directory / "any")->category("events").entries(), std::uint64_t{events});
  }
}

TEST_F(JoinedFiles, mustNotHaveDocumentsThatDiffer) {
  for (const std::string& path : {m_first, m_second}) {
    Writer writer(path, {.append = true});
    writer.putDocument("notes", path);
    writer.finish();
  }
  expectError(ErrorKind::usage, "document 'notes' differs", [&] {
    convert({m_first, m_second}, m_out);
  });
  EXPECT_FALSE(std::filesystem::exists(m_out));
}

TEST_F(JoinedFiles, mustNotHaveTablesThatDiffer) {
  Writer writer(m_second, {});
  Frame frame;
  frame.put(UserDataCollection<float>(), "Particles");
  writer.write(frame, "events");
  writer.finish();
  expectError(ErrorKind::usage, "second.kaon:events: 'Particles' differs", [&] {
    convert({m_first, m_second}, m_out);
  });
}

TEST_F(JoinedFiles, refuseTheResultAsInput) {
  expectError(ErrorKind::usage, "is the file to be read", [&] {
    convert({m_first, m_second}, m_second);
  });
  expectError(ErrorKind::usage, "give at least one file", [&] { convert({}, m_out); });
}

} // namespace
} // namespace kaon
