#include <kaon/kaon.h>

#include "support/Errors.h"
#include "support/Files.h"
#include "support/TestEvents.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

// Frames that come from a file say which one, and which entry of it they were.

namespace {

using kaon::Frame;
using kaon::Reader;
using kaon::Writer;

class Provenance : public testing::Test {
protected:
  void SetUp() override {
    Writer writer(m_path);
    for (int event = 0; event < 30; ++event)
      writer.write(kaon::test::makeEvent(event), "events");
  }
  /// Every third frame of a file.
  void skim(const std::string& from, const std::string& to) {
    Writer writer(to, {.provenance = true});
    int event = 0;
    for (const Frame& frame : Reader(from)["events"])
      if (event++ % 3 == 0)
        writer.write(frame, "events");
  }
  template <class T>
  static std::vector<T> valuesOf(const Reader& reader, const std::string& name) {
    std::vector<T> all;
    for (const kaon::Batch& batch : reader["events"].batches({name}))
      all.insert(all.end(), batch.values<T>(name).begin(), batch.values<T>(name).end());
    return all;
  }
  kaon::test::TemporaryDirectory m_directory;
  std::string m_path = m_directory / "events.kaon";
  std::string m_skim = m_directory / "skim.kaon";
};

TEST_F(Provenance, leadsBackToTheParentEvents) {
  skim(m_path, m_skim);
  const Reader parent(m_path), child(m_skim);
  const auto files = valuesOf<std::uint64_t>(child, "provenance.file");
  const auto entries = valuesOf<std::uint64_t>(child, "provenance.entry");
  ASSERT_EQ(entries.size(), 10U);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(files[i], parent.file().id());
    EXPECT_EQ(entries[i], 3 * i);
    kaon::test::expectEvent(parent["events"].at(entries[i]), static_cast<int>(3 * i));
  }
  EXPECT_EQ(child.file().document("source:" + std::to_string(parent.file().id())), m_path);
}

TEST_F(Provenance, isThatOfTheParentNotOfItsParent) {
  const std::string again = m_directory / "again.kaon";
  skim(m_path, m_skim);
  skim(m_skim, again);
  const Reader parent(m_skim), child(again);
  EXPECT_EQ(valuesOf<std::uint64_t>(child, "provenance.file"),
            std::vector<std::uint64_t>(4, parent.file().id()));
  EXPECT_EQ(valuesOf<std::uint64_t>(child, "provenance.entry"),
            (std::vector<std::uint64_t>{0, 3, 6, 9}));
}

TEST_F(Provenance, ofNewFramesIsNone) {
  {
    Writer writer(m_skim, {.provenance = true});
    writer.write(kaon::test::makeEvent(1), "events");
  }
  EXPECT_EQ(valuesOf<std::uint64_t>(Reader(m_skim), "provenance.file"),
            std::vector<std::uint64_t>{0});
}

TEST_F(Provenance, isKeptByCopiesThatDoNotAskForTheirOwn) {
  skim(m_path, m_skim);
  const std::string copy = m_directory / "copy.kaon";
  {
    Writer writer(copy);
    for (const Frame& frame : Reader(m_skim)["events"])
      writer.write(frame, "events");
  }
  EXPECT_EQ(valuesOf<std::uint64_t>(Reader(copy), "provenance.file"),
            std::vector<std::uint64_t>(10, Reader(m_path).file().id()));
}

} // namespace
