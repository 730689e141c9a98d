#include "common/Harness.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace bench {
namespace {

const Label reading{"read", "kaon", "split/lz4"};
const Label creating{"create", "kaon"};

Options only(std::vector<std::string> cases) {
  Options options;
  options.repeats = 3;
  options.cases = std::move(cases);
  return options;
}

/// Counts how often a report runs each of the two bodies when these cases are requested.
struct Runs {
  explicit Runs(std::vector<std::string> cases) : report("test", only(std::move(cases))) {
    report.time(reading, {"s"}, [&] { ++read; });
    report.time(
        creating, {"s"}, [&] { return ++prepared; }, [&](int) { ++created; });
  }
  Report report;
  int read = 0;
  int prepared = 0;
  int created = 0;
};

TEST(Report, measuresAllAsOftenAsAskedForAfterOneRun) {
  const Runs runs({});
  EXPECT_EQ(runs.read, 1 + 3);
  EXPECT_EQ(runs.created, 1 + 3);
  EXPECT_EQ(runs.prepared, runs.created);
  EXPECT_TRUE(runs.report.wants("row/lz4"));
}

TEST(Report, runsUnselectedTasksOnce) {
  const Runs runs({nameOf(reading)});
  EXPECT_EQ(runs.read, 1 + 3);
  EXPECT_EQ(runs.created, 1);
  EXPECT_TRUE(runs.report.wants("split/lz4"));
  EXPECT_FALSE(runs.report.wants("row/lz4"));
  EXPECT_NO_THROW(runs.report.save());
}

TEST(Report, knowsCasesByTaskProgramAndVariant) {
  EXPECT_EQ(nameOf(reading), "read/kaon/split/lz4");
  EXPECT_EQ(nameOf(creating), "create/kaon");
  EXPECT_THROW(Runs({"create/koan"}).report.save(), std::runtime_error);
}

} // namespace
} // namespace bench
