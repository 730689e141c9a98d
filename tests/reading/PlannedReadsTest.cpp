#include <kaon/reading/PlannedReads.h>

#include <kaon/base/Error.h>

#include "support/RecordingSource.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace kaon {
namespace {

using Requests = std::vector<std::vector<io::ByteRange>>;

/// A file with one byte for each of 100 entries, in records of ten entries.
class PlannedReadsTest : public testing::Test {
protected:
  static constexpr std::uint64_t entriesInRecord = 10;

  PlannedReads reads(std::uint64_t budget) {
    return {m_source, budget, [this](std::uint64_t entry) { return portionAt(entry); }};
  }
  PlannedReads::Portion portionAt(std::uint64_t entry) {
    if (entry == m_damaged)
      fail(ErrorKind::corrupt, "damaged");
    const std::uint64_t first = entry / entriesInRecord * entriesInRecord;
    return {{first, first + entriesInRecord}, {{first, entriesInRecord}}};
  }
  [[nodiscard]] Requests views() const { return m_logs->views.requests(); }
  [[nodiscard]] Requests announced() const { return m_logs->prefetches.requests(); }

  std::vector<std::byte> m_bytes = std::vector<std::byte>(100);
  std::shared_ptr<test::RecordingSource::Logs> m_logs =
      std::make_shared<test::RecordingSource::Logs>();
  test::RecordingSource m_source{io::memorySource("f", m_bytes), m_logs};
  std::uint64_t m_damaged = ~std::uint64_t{0};
};

TEST_F(PlannedReadsTest, fetchesEachPortionOnceAndAnnouncesTheNext) {
  PlannedReads planned = reads(1000);
  planned.plan({0, 30});
  for (std::uint64_t entry = 0; entry < 30; ++entry) {
    planned.reach({entry, entry + 1});
    EXPECT_TRUE(planned.fetched().find(entry, 1).has_value()) << entry;
  }
  EXPECT_EQ(views(), (Requests{{{0, 10}}, {{10, 10}}, {{20, 10}}}));
  EXPECT_EQ(announced(), (Requests{{{10, 10}}, {{20, 10}}}));
}

TEST_F(PlannedReadsTest, skipsPortionsWithoutPlannedEntries) {
  PlannedReads planned = reads(1000);
  planned.plan(EntrySelection(std::vector<EntryRange>{{3, 5}, {72, 73}}));
  planned.reach({3, 4});
  planned.reach({40, 41});
  planned.reach({72, 73});
  EXPECT_EQ(views(), (Requests{{{0, 10}}, {{70, 10}}}));
  EXPECT_EQ(announced(), (Requests{{{70, 10}}}));
}

TEST_F(PlannedReadsTest, leavesDamageToTheReaderOfItsPortion) {
  PlannedReads planned = reads(1000);
  planned.plan({0, 30});
  m_damaged = 10;
  planned.reach({0, 1});
  EXPECT_TRUE(announced().empty());
  EXPECT_THROW(planned.reach({10, 11}), Error);
  EXPECT_TRUE(planned.portion().contains(0));
}

TEST_F(PlannedReadsTest, extendsPortionsByPlannedRecordsWithinTheBudget) {
  PlannedReads planned = reads(25);
  planned.plan(EntrySelection(std::vector<EntryRange>{{0, 10}, {25, 60}}));
  PlannedReads::Portion portion;
  std::uint64_t entry = 0;
  for (; entry < 100; entry += entriesInRecord) {
    const io::ByteRange bytes{entry, entriesInRecord};
    if (!planned.extend(portion, {entry, entry + entriesInRecord}, {&bytes, 1}))
      break;
  }
  EXPECT_EQ(entry, 30U); // a third record would exceed the budget
  EXPECT_EQ(portion.entries, (EntryRange{0, 30}));
  EXPECT_EQ(portion.ranges, (std::vector<io::ByteRange>{{0, 10}, {20, 10}}));
}

} // namespace
} // namespace kaon
