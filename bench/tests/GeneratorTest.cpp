#include "common/Bank.h"
#include "common/BankSums.h"
#include "common/Digest.h"
#include "common/Floats.h"

#include <gtest/gtest.h>

namespace bench {
namespace {

TEST(Generator, bankIsTheSameEverywhere) {
  const Bank bank = makeBank(1000);
  EXPECT_EQ(bank.events(), 1000U);
  EXPECT_EQ(digest(bank), thousandEventsDigest);
}

TEST(Generator, floatsAreTheSameEverywhere) {
  const std::vector<float> values = makeFloats(1'000'000);
  Digest digest;
  digest.add(std::as_bytes(std::span(values)));
  EXPECT_EQ(digest.value(), millionFloatsDigest);
}

TEST(Sum, isThatOfAllValues) {
  const std::vector<float> values = makeFloats(100'001);
  double expected = 0;
  for (const float value : values)
    expected += static_cast<double>(value);
  EXPECT_NEAR(sum(values) / expected, 1, 1e-6);
  EXPECT_EQ(sum({}), 0);
}

TEST(BankSums, doNotDependOnHowManyRowsAreAddedAtATime) {
  const Bank bank = makeBank(1000);
  BankSums whole, events, rows, wholeOfTwo, rowsOfTwo;
  whole.add(bank.view());
  wholeOfTwo.add(bank.px, bank.py);
  for (std::size_t i = 0; i < bank.events(); ++i)
    events.add(bank.view(i, i + 1));
  for (std::size_t i = 0; i < bank.rows(); ++i) {
    rows.add(bank.pid[i], bank.px[i], bank.py[i], bank.pz[i], bank.vx[i], bank.vy[i], bank.vz[i],
             bank.vt[i], bank.charge[i], bank.beta[i], bank.chi2pid[i], bank.status[i]);
    rowsOfTwo.add(bank.px[i], bank.py[i]);
  }
  EXPECT_EQ(whole, events);
  EXPECT_EQ(whole, rows);
  EXPECT_EQ(wholeOfTwo, rowsOfTwo);
  EXPECT_NE(whole, wholeOfTwo);
}

} // namespace
} // namespace bench
