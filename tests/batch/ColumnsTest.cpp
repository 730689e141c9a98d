#include <kaon/batch/Columns.h>

#include <kaon/base/Error.h>

#include "support/Errors.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace kaon {
namespace {

using test::expectError;

const std::vector<std::uint32_t> offsets{0, 2, 2, 3}; // of three entries
const std::vector<float> pt{1, 2, 3};
const std::vector<std::int8_t> charge{1, -1, 1};

TEST(Columns, areABatchOverTheCallersArrays) {
  Columns columns(3);
  const std::array<double, 3> weights{0.5, 1, 2};
  columns.add("weight", weights, "1", "of the event");
  columns.add("Muon", offsets, {{"charge", charge}, {"pt", pt, "GeV", "transverse momentum"}});
  const Batch batch = columns.batch();
  EXPECT_EQ(batch.entries(), 3U);
  EXPECT_EQ(batch.values<double>("weight").data(), weights.data());
  EXPECT_EQ(batch.values<float>("Muon.pt").data(), pt.data());
  EXPECT_EQ(batch.values<std::int8_t>("Muon.charge").size(), 3U);
  EXPECT_EQ(batch.offsets("Muon").data(), offsets.data());
  const Table muon = batch.schema().table(batch.schema().find("Muon"));
  EXPECT_EQ(muon.members[1].unit, "GeV");
  EXPECT_EQ(muon.members[1].description, "transverse momentum");
  EXPECT_EQ(muon.members[1].offset, 4U); // aligned to 4 bytes
}

TEST(Columns, withoutEntriesAreTables) {
  Columns columns(0);
  columns.add("weight", std::vector<double>());
  columns.add("Muon", std::vector<std::uint32_t>{0}, {{"pt", std::vector<float>()}});
  EXPECT_EQ(columns.batch().schema().size(), 2U);
  EXPECT_TRUE(columns.batch().values<float>("Muon.pt").empty());
}

TEST(Columns, refuseValuesThatDoNotFit) {
  Columns columns(3);
  expectError(ErrorKind::usage, "'weight' needs 3 values, but was given 2", [&] {
    columns.add("weight", std::array{1.0, 2.0});
  });
  Columns other(3);
  expectError(ErrorKind::usage, "needs 4 offsets", [&] {
    other.add("A", std::array<std::uint32_t, 3>{0, 1, 3}, {{"pt", pt}});
  });
  expectError(ErrorKind::usage, "never decrease", [&] {
    other.add("B", std::array<std::uint32_t, 4>{0, 2, 1, 3}, {{"pt", pt}});
  });
  expectError(ErrorKind::usage, "'C.pt' needs 2 values, but was given 3", [&] {
    other.add("C", std::array<std::uint32_t, 4>{0, 2, 2, 2}, {{"pt", pt}});
  });
  other.add("D", offsets, {{"pt", pt}});
  expectError(ErrorKind::usage, "there is a 'D' already", [&] {
    other.add("D", offsets, {{"pt", pt}});
  });
}

} // namespace
} // namespace kaon
