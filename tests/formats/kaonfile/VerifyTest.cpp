#include <kaon/formats/kaonfile/Verify.h>

#include <kaon/formats/kaonfile/FileWriter.h>
#include <kaon/writing/BatchBuilder.h>

#include "support/Errors.h"
#include "support/Forgery.h"
#include "support/MemorySink.h"
#include "support/Random.h"
#include "support/Tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::kaonfile {
namespace {

// The columns of the file that these tests damage.
enum Columns : std::uint32_t {
  hitsPresence,
  hitsCounts,
  hitsX,
  hitsGood,
  timesCounts,
  timesValue,
  otherIndex,
  otherCollection,
  weight,
  run,
  rowsPresence,
  rowsCounts,
  rows
};

TableDefinition withUse(TableDefinition table, TableUse use) {
  table.use = use;
  return table;
}

void addTables(detail::BatchBuilder& builder) {
  builder.add(test::collection("Hits", {{"x", Scalar::Float32}, {"good", Scalar::Bool}}));
  builder.add(test::values("Hits.times", TableKind::vectorMember, Scalar::Float32, 0));
  builder.add(test::relation("Hits.other", TableKind::oneRelation, 0));
  builder.add(withUse(test::values("weight", TableKind::value, Scalar::Float32), TableUse::tag));
  builder.add(withUse(test::values("run", TableKind::value, Scalar::Int32), TableUse::key));
  builder.add(test::collection("Rows", {{"a", Scalar::Bool}, {"b", Scalar::Float64}}, Layout::row));
}

/// Adds entry number `entry` with (entry % 4) hits, which all refer to the first hit.
void addEntry(detail::BatchBuilder& builder, int entry) {
  const auto append = [&](std::uint32_t table, const auto& value, std::size_t offset = 0) {
    std::byte* const row = builder.append(table, 1);
    std::memset(row, 0, builder.schema().table(table).rowSize);
    std::memcpy(row + offset, &value, sizeof value);
    return row;
  };
  for (int i = 0; i < entry % 4; ++i) {
    builder.setPresent(0);
    append(0, static_cast<float>(entry) + static_cast<float>(i) / 4)[4] =
        static_cast<std::byte>(i % 2);
    append(1, static_cast<float>(i));
    builder.endRow(1);
    append(2, std::int32_t{0});
  }
  append(3, static_cast<float>(entry) / 2);
  append(4, std::int32_t{100 + entry});
  builder.setPresent(5);
  append(5, 1.5 * entry, 8);
  builder.endEntry();
}

/// Returns three clusters of four entries. A separate record repeats their tags.
Buffer soundFile(Compression codec = uncompressed()) {
  const auto bytes = std::make_shared<Buffer>();
  FileWriter writer(std::make_unique<test::MemorySink>(bytes), {codec, 64 * 1024});
  writer.addDocument("model:m", "{}");
  detail::BatchBuilder builder;
  addTables(builder);
  for (int cluster = 0; cluster < 3; ++cluster) {
    for (int i = 0; i < 4; ++i)
      addEntry(builder, 4 * cluster + i);
    writer.write("events", builder.batch(static_cast<std::uint64_t>(4 * cluster)));
    builder.clear();
  }
  writer.finish();
  return std::move(*bytes);
}

Verification verified(std::span<const std::byte> bytes) {
  return verify(*io::memorySource("memory.kaon", bytes));
}

std::string textOf(const Verification& found) {
  std::string text;
  for (const Finding& finding : found.findings)
    text += finding.category + ":" + finding.column + " [" + std::to_string(finding.entries.first) +
            ", " + std::to_string(finding.entries.last) + ") at " +
            std::to_string(finding.position) + ": " + finding.what + "\n";
  return text;
}

class Verify : public testing::Test {
protected:
  /// Expects exactly one finding, in this column of the second cluster, with `part` in its message.
  void expectFinding(std::string_view column, std::string_view part,
                     std::source_location where = std::source_location::current()) const {
    const testing::ScopedTrace trace(where.file_name(), static_cast<int>(where.line()), "here");
    const Verification found = verified(m_file.bytes());
    ASSERT_EQ(found.findings.size(), 1U) << textOf(found);
    const Finding& finding = found.findings[0];
    EXPECT_EQ(finding.category, "events");
    EXPECT_EQ(finding.column, column);
    EXPECT_EQ(finding.entries, (EntryRange{4, 8}));
    test::expectContains(finding.what, part);
  }

  template <class T>
  void setValue(std::uint32_t column, std::size_t row, T value) {
    m_file.editCluster(1, [&](test::Forgery::Cluster& cluster) {
      std::memcpy(&cluster.stored(cluster.page(column))[row * sizeof(T)], &value, sizeof(T));
    });
  }

  test::Forgery m_file{soundFile().bytes()};
};

TEST_F(Verify, findsNothingInASoundFile) {
  for (const Compression codec : {uncompressed(), lz4(), zstd()}) {
    const Buffer file = soundFile(codec);
    const Verification found = verified(file.bytes());
    EXPECT_TRUE(found.isSound()) << textOf(found);
    EXPECT_TRUE(found.isComplete);
    EXPECT_EQ(found.bytes, file.size());
    // Document, schema, clusters, tags, schema and cluster of sorted keys, index, end.
    EXPECT_EQ(found.records, 10U);
    EXPECT_GT(found.pages, 3 * 8U);
  }
}

TEST_F(Verify, findsEachChangedByte) {
  const Buffer file = soundFile(zstd());
  Buffer changed;
  for (std::size_t i = 8; i < file.size(); ++i) { // bytes before these identify kaon's files
    changed.clear();
    changed.append(file.bytes());
    changed.data()[i] ^= std::byte{0x10};
    try {
      EXPECT_FALSE(verified(changed.bytes()).isSound()) << "byte " << i;
    } catch (const Error& error) {
      ADD_FAILURE() << "byte " << i << ": " << error.what();
    }
  }
}

TEST_F(Verify, checksTheRestOfACutFile) {
  const auto all = m_file.bytes();
  for (std::size_t size = 32; size < all.size(); size += 40) {
    const Verification found = verified(all.first(size));
    EXPECT_FALSE(found.isComplete) << size;
    EXPECT_FALSE(found.isSound()) << size;
  }
  m_file.editCluster(0, [](test::Forgery::Cluster& cluster) {
    cluster.stored(cluster.page(hitsGood))[0] = std::byte{7};
  });
  const Verification found = verified(m_file.bytes().first(all.size() - 64));
  test::expectContains(textOf(found), "events:Hits.good [0, 4)");
}

TEST_F(Verify, goesOnBehindADamagedRecord) {
  std::size_t second = 0;
  m_file.editCluster(1, [&](test::Forgery::Cluster& cluster) {
    second = static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&cluster.header) -
                                      m_file.bytes().data());
  });
  m_file.editCluster(2, [](test::Forgery::Cluster& cluster) {
    cluster.stored(cluster.page(hitsGood))[0] = std::byte{7};
  });
  Buffer bytes;
  bytes.append(m_file.bytes());
  bytes.data()[second] = std::byte{0};
  const std::string found = textOf(verified(bytes.bytes()));
  test::expectContains(found, "are not a record; they are skipped");
  test::expectContains(found, "events: [4, 8)"); // known from the index
  test::expectContains(found, "events:Hits.good [8, 12)");
  // The same findings without the index.
  const std::string cut = textOf(verified(bytes.bytes().first(bytes.size() - 64)));
  test::expectContains(cut, "events: [4, 8)");
  test::expectContains(cut, "events:Hits.good [8, 12)");
}

TEST_F(Verify, findsPagesThatDoNotDecode) {
  m_file.editCluster(1, [](test::Forgery::Cluster& cluster) {
    cluster.page(timesValue).encoding = Encoding::dictionary;
  });
  expectFinding("Hits.times", "does not decode");
}

TEST_F(Verify, findsCountsThatDoNotFitTheValues) {
  m_file.editCluster(1, [](test::Forgery::Cluster& cluster) {
    --cluster.page(timesValue).values;
    cluster.page(timesValue).size -= sizeof(float);
  });
  const std::string found = textOf(verified(m_file.bytes()));
  test::expectContains(found, "Hits.times [4, 8)");
  test::expectContains(found, "has 5 values, but the counts say 6");
}

TEST_F(Verify, findsInvalidBools) {
  setValue(hitsGood, 2, std::uint8_t{2});
  const std::string found = textOf(verified(m_file.bytes()));
  test::expectContains(found, "Hits.good [4, 8)");
  test::expectContains(found, "1 bool that is neither 0 nor 1");
}

TEST_F(Verify, findsBytesBetweenMembersOfRows) {
  setValue(rows, 3, std::uint8_t{1});
  expectFinding("Rows", "bytes between members that are not zero");
}

TEST_F(Verify, findsEntriesWithoutATableThatHaveRows) {
  setValue(hitsPresence, 3, std::uint8_t{0});
  expectFinding("Hits", "1 entry that has rows of it");
}

TEST_F(Verify, findsReferencesThatLeadNowhere) {
  m_file.editCluster(1, [](test::Forgery::Cluster& cluster) {
    const std::int32_t index = 3;
    cluster.page(otherIndex).encoding = Encoding::constant;
    std::memcpy(cluster.stored(cluster.page(otherIndex)).data(), &index, sizeof index);
    cluster.columns.at(otherIndex).bounds[0].bounds = {3, 3};
  });
  expectFinding(
      "Hits.other.collection",
      "6 references that lead nowhere: entry 5 refers to object 3 of 'Hits', which has 1");
}

TEST_F(Verify, findsReferencesToNoCollection) {
  m_file.editCluster(1, [](test::Forgery::Cluster& cluster) {
    const std::uint32_t collection = 1;
    std::memcpy(cluster.stored(cluster.page(otherCollection)).data(), &collection,
                sizeof collection);
    cluster.columns.at(otherCollection).bounds[0].bounds = {1, 1};
  });
  expectFinding("Hits.other.collection", "refers to a collection that does not exist");
}

/// Returns a file with one Cell and one Track, which a relation to `target` refers to, and with
/// this model unless it is empty.
Buffer fileWithRelationTo(const std::string& target, const std::string& model) {
  const auto bytes = std::make_shared<Buffer>();
  FileWriter writer(std::make_unique<test::MemorySink>(bytes), {uncompressed(), 64 * 1024});
  if (!model.empty())
    writer.addDocument("model:m", model);
  detail::BatchBuilder builder;
  const std::vector<test::Field> members{{"x", Scalar::Float32}};
  builder.add(test::table("Tracks", TableKind::collection, "Track", members));
  builder.add(test::table("Cells", TableKind::collection, "Cell", members));
  TableDefinition relation = test::relation("Cells.other", TableKind::oneRelation, 1);
  relation.type = target;
  builder.add(relation);
  for (const std::uint32_t table : {0U, 1U}) {
    builder.setPresent(table);
    std::memset(builder.append(table, 1), 0, builder.schema().table(table).rowSize);
  }
  std::memset(builder.append(2, 1), 0, 8); // refers to the first object of the first table
  builder.endEntry();
  writer.write("events", builder.batch(0));
  writer.finish();
  return std::move(*bytes);
}

constexpr std::string_view modelOfThings =
    R"({"name": "m", "schema_version": 1,
        "datatypes": [{"name": "Track"}, {"name": "Cell"}, {"name": "Vertex"}],
        "interfaces": [{"name": "Any", "types": ["Track", "Vertex"]},
                       {"name": "Some", "types": ["Cell", "Vertex"]}]})";

TEST(VerifyRelations, leadToTypesOfTheirInterface) {
  const Verification found =
      verified(fileWithRelationTo("Any", std::string(modelOfThings)).bytes());
  EXPECT_TRUE(found.isSound()) << textOf(found);
  test::expectContains(
      textOf(verified(fileWithRelationTo("Some", std::string(modelOfThings)).bytes())),
      "refers to 'Tracks', which has objects of Track, not of Some");
}

TEST(VerifyRelations, leadToTypesOfAModelUpstream) {
  const std::string upstream(modelOfThings);
  const std::string model = R"({"name": "n", "schema_version": 1, "upstream": [)" + upstream + "]}";
  EXPECT_TRUE(verified(fileWithRelationTo("Any", model).bytes()).isSound());
  EXPECT_FALSE(verified(fileWithRelationTo("Some", model).bytes()).isSound());
}

TEST(VerifyRelations, leadToNoOtherDatatypeThatTheFileKnows) {
  for (const std::string model : {"", "{}", "{", "null"}) {
    EXPECT_TRUE(verified(fileWithRelationTo("Track", model).bytes()).isSound()) << model;
    EXPECT_FALSE(verified(fileWithRelationTo("Cell", model).bytes()).isSound()) << model;
    // The type of the relation's target is unknown.
    EXPECT_TRUE(verified(fileWithRelationTo("Vertex", model).bytes()).isSound()) << model;
  }
  EXPECT_FALSE(
      verified(fileWithRelationTo("Vertex", std::string(modelOfThings)).bytes()).isSound());
}

TEST_F(Verify, findsBoundsThatAreNotThoseOfTheValues) {
  setValue(hitsX, 0, 1000.F);
  expectFinding("Hits.x", "values that differ from its bounds");
}

TEST_F(Verify, findsBoundsOfKeysThatTheIndexHasWrong) {
  m_file.editCluster(1, [](test::Forgery::Cluster& cluster) {
    const std::int32_t value = 7;
    std::memcpy(cluster.stored(cluster.page(run)).data(), &value, sizeof value);
    cluster.columns.at(run).bounds[0].bounds.least = 7;
  });
  const std::string found = textOf(verified(m_file.bytes()));
  test::expectContains(found, "events:run [4, 8)");
  test::expectContains(found, "the index has other bounds of the key");
  test::expectContains(found, "sorted keys: they are not the keys of the entries");
}

TEST_F(Verify, findsTagsThatDifferFromTheirCopies) {
  m_file.editCluster(1, [](test::Forgery::Cluster& cluster) {
    const float value = 2.25F; // between the other values
    std::memcpy(&cluster.stored(cluster.page(weight))[4], &value, sizeof value);
  });
  expectFinding("weight", "a tag is stored with other values than in its cluster");
}

TEST_F(Verify, findsThatTheIndexSaysSomethingElse) {
  m_file.editIndexBytes([](std::vector<std::byte>& index) {
    const std::string text = "model:m";
    const auto found = std::ranges::find_end(index, std::as_bytes(std::span(text)));
    *found.begin() = std::byte{'n'};
  });
  const std::string found = textOf(verified(m_file.bytes()));
  test::expectContains(found, "the index has other documents than the records");
}

TEST_F(Verify, neverThrowsForSealedRecords) {
  test::Random random(5);
  const Buffer file = soundFile(zstd());
  for (int i = 0; i < 3000; ++i) {
    test::Forgery forged(file.bytes());
    forged.editBlock(random.below(3), 0, [&](std::vector<std::byte>& block) {
      for (std::size_t changes = 1 + random.below(3); changes > 0; --changes)
        block[random.below(block.size())] = static_cast<std::byte>(random.bits());
    });
    EXPECT_NO_THROW((void)verified(forged.bytes())) << i;
  }
}

TEST_F(Verify, tellsHowMuchIsDone) {
  std::vector<double> done;
  const Buffer file = soundFile();
  (void)verify(*io::memorySource("memory.kaon", file.bytes()),
               [&](double part) { done.push_back(part); });
  ASSERT_EQ(done.size(), 5U); // includes the cluster of sorted keys
  EXPECT_TRUE(std::ranges::is_sorted(done));
  EXPECT_EQ(done.back(), 1.);
}

TEST_F(Verify, refusesOtherFiles) {
  const std::string text = "no kaon file at all";
  test::expectError(ErrorKind::version, "is not a kaon file",
                    [&] { (void)verified(std::as_bytes(std::span(text))); });
}

} // namespace
} // namespace kaon::kaonfile
