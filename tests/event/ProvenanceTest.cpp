#include <kaon/kaon.h>
#include <kaon/selecting/SelectedRows.h>
#include <kaon/tools/Convert.h>
#include <kaon/writing/JoinedBatch.h>

#include "support/Errors.h"
#include "support/Files.h"
#include "support/TestEvents.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

// Frames of a file store which file they come from, and their entry in it.

namespace {

using kaon::Frame;
using kaon::Reader;
using kaon::Writer;

class Provenance : public testing::Test {
protected:
  void SetUp() override { kaon::test::writeEvents(m_path, 30); }
  /// Writes every third frame of a file.
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

TEST_F(Provenance, newFramesHaveNoProvenance) {
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

TEST_F(Provenance, ofBatchesIsTheSame) {
  {
    kaon::BatchWriter writer = kaon::batchWriter(m_skim, {.clusterEntries = 4, .provenance = true});
    for (const kaon::Batch& batch : Reader(m_path)["events"].allBatches({10, 25}))
      writer.write("events", batch);
    writer.finish();
  }
  const Reader parent(m_path), child(m_skim);
  EXPECT_EQ(valuesOf<std::uint64_t>(child, "provenance.file"),
            std::vector<std::uint64_t>(15, parent.file().id()));
  std::vector<std::uint64_t> expected(15);
  std::iota(expected.begin(), expected.end(), 10U);
  EXPECT_EQ(valuesOf<std::uint64_t>(child, "provenance.entry"), expected);
  EXPECT_EQ(child.file().document("source:" + std::to_string(parent.file().id())), m_path);
  kaon::test::expectEvent(child["events"].at(3), 13);
}

/// The selected entries of files, taken from their batches.
class Skim {
public:
  void add(const std::string& path, const auto& wanted) {
    for (const kaon::Batch& batch : Reader(path)["events"].allBatches()) {
      std::vector<std::size_t> entries;
      for (std::size_t i = 0; i < batch.entries(); ++i)
        if (wanted(batch.firstEntry() + i))
          entries.push_back(i);
      if (!m_taken)
        m_taken = std::make_unique<kaon::JoinedBatch>(batch.schema());
      kaon::takeEntries(batch, entries, *m_taken);
    }
  }
  void write(const std::string& path) const {
    kaon::BatchWriter writer = kaon::batchWriter(path, {.clusterEntries = 7, .provenance = true});
    writer.write("events", m_taken->batch(0));
    writer.finish();
  }

private:
  std::unique_ptr<kaon::JoinedBatch> m_taken;
};

TEST_F(Provenance, ofBatchesThatWereTakenFromSeveralFiles) {
  const std::string other = m_directory / "other.kaon";
  {
    Writer writer(other);
    for (int event = 100; event < 110; ++event)
      writer.write(kaon::test::makeEvent(event), "events");
  }
  Skim skim;
  skim.add(m_path, [](std::uint64_t entry) { return entry % 4 == 1 || entry == 2; });
  skim.add(other, [](std::uint64_t entry) { return entry >= 8; });
  skim.write(m_skim);
  const std::uint64_t id = Reader(m_path).file().id(), otherId = Reader(other).file().id();
  const Reader child(m_skim);
  EXPECT_EQ(valuesOf<std::uint64_t>(child, "provenance.entry"),
            (std::vector<std::uint64_t>{1, 2, 5, 9, 13, 17, 21, 25, 29, 8, 9}));
  EXPECT_EQ(valuesOf<std::uint64_t>(child, "provenance.file"),
            (std::vector<std::uint64_t>{id, id, id, id, id, id, id, id, id, otherId, otherId}));
  EXPECT_EQ(child.file().document("source:" + std::to_string(otherId)), other);
  kaon::test::expectEvent(child["events"].at(10), 109);
}

TEST_F(Provenance, ofBatchesIsThatOfTheParentNotOfItsParent) {
  skim(m_path, m_skim);
  Skim again;
  again.add(m_skim, [](std::uint64_t entry) { return entry > 7; });
  const std::string path = m_directory / "again.kaon";
  again.write(path);
  EXPECT_EQ(valuesOf<std::uint64_t>(Reader(path), "provenance.file"),
            std::vector<std::uint64_t>(2, Reader(m_skim).file().id()));
  EXPECT_EQ(valuesOf<std::uint64_t>(Reader(path), "provenance.entry"),
            (std::vector<std::uint64_t>{8, 9}));
}

TEST_F(Provenance, newBatchesHaveNoProvenance) {
  kaon::BatchWriter writer = kaon::batchWriter(m_skim, {.provenance = true});
  kaon::Columns columns(2);
  const std::vector<double> weights{1, 2};
  columns.add("weight", weights);
  writer.write("events", columns.batch());
  writer.finish();
  EXPECT_EQ(valuesOf<std::uint64_t>(Reader(m_skim), "provenance.file"),
            (std::vector<std::uint64_t>{0, 0}));
}

TEST_F(Provenance, doesNotReplaceSomethingElse) {
  kaon::BatchWriter writer = kaon::batchWriter(m_skim, {.provenance = true});
  kaon::Columns columns(2);
  const std::vector<double> weights{1, 2};
  columns.add("provenance.file", weights);
  kaon::test::expectError(kaon::ErrorKind::usage, "its provenance cannot be recorded",
                          [&] { writer.write("events", columns.batch()); });
}

TEST_F(Provenance, isKeptWhereAFileIsLaidOutAnew) {
  skim(m_path, m_skim);
  const std::string copy = m_directory / "copy.kaon";
  kaon::convert({m_skim}, copy, {.writer = {.layout = kaon::Layout::row}});
  EXPECT_EQ(valuesOf<std::uint64_t>(Reader(copy), "provenance.entry"),
            valuesOf<std::uint64_t>(Reader(m_skim), "provenance.entry"));
  EXPECT_EQ(Reader(copy).file().document("source:" + std::to_string(Reader(m_path).file().id())),
            m_path);
}

} // namespace
