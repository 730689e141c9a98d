#include "OldFiles.h"
#include "detector/detector.h"
#include "support/Errors.h"

#include <kaon/reading/Batches.h>
#include <kaon/reading/ColumnReader.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

// Reads columns of files with version 1 of a model by the names and types of version 3.

namespace {

using kaon::ErrorKind;
using kaon::Source;
using kaon::Table;
using kaon::test::expectError;

class EvolvedColumns : public evo::OldFilesTest<std::string> {
protected:
  [[nodiscard]] const Source& source() const { return m_events.source(); }

  /// Returns all values of a member.
  template <class T>
  [[nodiscard]] std::vector<T> values(const std::string& name) const {
    const auto [table, member] = source().schema().memberNamed(name);
    kaon::ColumnReader reader(source(), {name});
    std::vector<T> all(reader.rows(table) * source().schema().table(table).members[member].extent);
    reader.setValues(name, std::span(all));
    reader.read();
    EXPECT_EQ(all, batchValues<T>(name)) << name;
    return all;
  }
  [[nodiscard]] std::vector<std::int64_t> offsets(const std::string& table) const {
    kaon::ColumnReader reader(source(), {table});
    std::vector<std::int64_t> all(reader.rowsAbove(table) + 1);
    reader.setOffsets(table, all);
    reader.read();
    return all;
  }

  kaon::Reader m_reader = s_files->open(GetParam()).evolved();
  kaon::Category m_events = m_reader["events"];

private:
  template <class T>
  [[nodiscard]] std::vector<T> batchValues(const std::string& name) const {
    std::vector<T> all;
    for (const kaon::Batch& batch : m_events.batches({name}))
      std::ranges::copy(batch.values<T>(name), std::back_inserter(all));
    return all;
  }
};

INSTANTIATE_TEST_SUITE_P(Layouts, EvolvedColumns, testing::Values("split", "member", "row"),
                         [](const auto& test) { return test.param; });

TEST_P(EvolvedColumns, areAddedDroppedAndInTheNewOrder) {
  EXPECT_EQ(values<std::int32_t>("Members.first"), (std::vector{1, 10, 1, 11, 1, 12}));
  EXPECT_EQ(values<double>("Members.added"), std::vector<double>(6, 1.5));
  EXPECT_EQ(values<float>("Members.spot.z"), (std::vector{6.F, 60.F, 6.F, 60.F, 6.F, 60.F}));
  EXPECT_EQ(values<std::int32_t>("Values.other"), (std::vector{7, 7, 7}));
  expectError(ErrorKind::name, "no column is called 'Members.dropped'",
              [&] { (void)values<std::int32_t>("Members.dropped"); });
}

TEST_P(EvolvedColumns, areConverted) {
  EXPECT_EQ(values<std::int32_t>("Numbers.wider"), (std::vector{-1, -2, -1, -2, -1, -2}));
  EXPECT_EQ(values<double>("Numbers.finer"), std::vector<double>(6, double{0.1F}));
  EXPECT_EQ(values<std::int32_t>("Numbers.whole"), (std::vector{-5, -5, -4, -4, -3, -3}));
  EXPECT_EQ(values<float>("Numbers.many"),
            (std::vector{1.F, 2.F, 3.F, 1.F, 2.F, 4.F, 1.F, 2.F, 3.F, 1.F, 2.F, 4.F, 1.F, 2.F, 3.F,
                         1.F, 2.F, 4.F}));
  EXPECT_EQ(values<double>("Numbers.cell.adc"), std::vector<double>(6, 0.5));
  EXPECT_EQ(values<float>("Numbers.counts"),
            (std::vector{0.F, 0.F, 1.F, 10.F, 10.F, 11.F, 20.F, 20.F, 21.F}));
  EXPECT_EQ(offsets("Numbers.counts"), (std::vector<std::int64_t>{0, 1, 3, 4, 6, 7, 9}));
  EXPECT_EQ(values<std::int32_t>("Numbers.cells.row"), (std::vector{0, 0, 1, 0, 0, 1, 0, 0, 1}));
}

TEST_P(EvolvedColumns, haveDefaultsWhereAnOptionalHasNoValue) {
  EXPECT_EQ(values<double>("Optionals.wasOptional"), (std::vector{-1., 3.5, -1., 3.5, -1., 3.5}));
  kaon::ColumnReader reader(source(), {"Optionals"});
  std::array<double, 6> nowOptional{};
  std::array<bool, 6> hasValue{};
  reader.setValues("Optionals.nowOptional", std::span<double>(nowOptional));
  reader.setValues("Optionals.nowOptional.has_value", std::span<bool>(hasValue));
  reader.read();
  EXPECT_EQ(nowOptional, (std::array{2.5, 0., 2.5, 0., 2.5, 0.}));
  EXPECT_TRUE(std::ranges::all_of(hasValue, std::identity()));
}

TEST_P(EvolvedColumns, tellTheEntryOfAValueThatDoesNotFit) {
  expectError(ErrorKind::type,
              GetParam() + ".kaon:events: 'Numbers.narrower' holds the int64 200 in entry 2, which "
                           "does not fit into int8",
              [&] { (void)values<std::int8_t>("Numbers.narrower"); });
  kaon::ColumnReader reader(source(), {"Numbers"}, {0, 2}); // the error is in another cluster
  std::array<std::int8_t, 4> narrower{};
  reader.setValues("Numbers.narrower", std::span<std::int8_t>(narrower));
  reader.read();
  EXPECT_EQ(narrower, (std::array<std::int8_t, 4>{100, 100, 100, 100}));
}

TEST_P(EvolvedColumns, haveTheirNewNames) {
  EXPECT_EQ(values<std::int32_t>("Names.c"), (std::vector{0, 1, 1, 2, 2, 3}));
  EXPECT_EQ(values<float>("Names.momentum.x"), std::vector<float>(6, 1.F));
  EXPECT_EQ(values<float>("Names.momentum.z"), std::vector<float>(6, 0.F));
  EXPECT_EQ(values<float>("Names.ends.1.y"), std::vector<float>(6, 6.F));
  EXPECT_EQ(values<float>("Names.points.y"), std::vector<float>(6, 8.F));
  EXPECT_EQ(values<float>("Names.factors"), std::vector<float>(6, 0.25F));
}

TEST_P(EvolvedColumns, leadToTheSameObjects) {
  const auto& schema = source().schema();
  const std::uint32_t names = schema.findCollection("Names");
  const std::uint32_t renamed = schema.findCollection("Renamed");
  EXPECT_EQ(schema.table(renamed).type, "evo::NewestName");
  EXPECT_EQ(schema.table(schema.findCollection("Chosen")).type, "kaon::Subset<evo::NewestName>");
  EXPECT_EQ(schema.table(schema.tableNamed("Names.others")).type, "evo::NewestName");
  EXPECT_EQ(values<std::uint32_t>("Names.parent.collection"), std::vector<std::uint32_t>(6, names));
  EXPECT_EQ(values<std::int32_t>("Names.parent.index"), std::vector<std::int32_t>(6, 0));
  EXPECT_EQ(values<std::uint32_t>("Names.others.collection"),
            std::vector<std::uint32_t>(6, renamed));
  EXPECT_EQ(values<std::uint32_t>("Chosen.object.collection"),
            std::vector<std::uint32_t>(3, renamed));
  EXPECT_EQ(values<std::uint32_t>("Links.from.collection"),
            std::vector<std::uint32_t>(3, schema.findCollection("Members")));
  EXPECT_EQ(schema.table(schema.findCollection("Links")).type, "evo::Link");
}

TEST_P(EvolvedColumns, ofNewListsAndRelationsAreEmpty) {
  EXPECT_EQ(offsets("Lists.added"), std::vector<std::int64_t>(4, 0));
  EXPECT_EQ(offsets("Lists.addedMany"), std::vector<std::int64_t>(4, 0));
  EXPECT_EQ(values<std::int32_t>("Lists.addedOne.index"), std::vector<std::int32_t>(3, -1));
  EXPECT_EQ(offsets("Lists.kept"), (std::vector<std::int64_t>{0, 2, 4, 6}));
  EXPECT_EQ(source().schema().find("Lists.dropped"), Table::none);
  EXPECT_EQ(source().schema().find("Lists.droppedOne"), Table::none);
}

TEST_P(EvolvedColumns, thatCannotBeReadDoNotHinderOthers) {
  EXPECT_EQ(offsets("Impossible"), (std::vector<std::int64_t>{0, 1, 2, 3}));
  expectError(ErrorKind::type,
              "'Impossible.values' cannot be read: it was float32[3], is float32[4]",
              [&] { (void)values<float>("Impossible.values"); });
}

TEST_P(EvolvedColumns, areOfTheModelThatIsGiven) {
  // The file contains version 1 of the model, so nothing is converted.
  const kaon::Reader old = s_files->open(GetParam());
  const std::string model = old.file().document("model:detector");
  const kaon::Reader same = old.evolved({{"detector.yaml", model}});
  EXPECT_EQ(&same["events"].source(), &old["events"].source());
  // Newer files cannot be read with the old names; members with unchanged names are read.
  EXPECT_EQ(m_reader.file().document("model:detector"), evo::Names::datatype().model->json);
  expectError(ErrorKind::corrupt, "detector.yaml", [&] {
    (void)old.evolved({{"detector.yaml", "{"}});
  });
}

TEST_P(EvolvedColumns, tellHowTheyLieInTheFile) {
  const auto& schema = source().schema();
  const auto usageOf = [&](const std::string& name) {
    const auto [table, member] = schema.memberNamed(name);
    return source().usage(schema.place(table, member).column);
  };
  EXPECT_EQ(usageOf("Numbers.wider").value().decodedBytes, 6 * sizeof(std::int32_t));
  EXPECT_FALSE(usageOf("Members.added"));
}

} // namespace
