#include "fuzz/Seals.h"
#include "support/Errors.h"
#include "support/Tables.h"
#include "support/Warnings.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

// Without correct checksums, the fuzzer would only test checksums.

namespace kaon::fuzz {
namespace {

class SealedFile : public testing::Test {
protected:
  SealedFile() : m_values(50) {
    std::iota(m_values.begin(), m_values.end(), std::int64_t{1'000'000'000});
    test::Writing writing({.codec = uncompressed()});
    auto entries =
        test::entriesOf(test::values("energy", TableKind::value, Scalar::Int64), m_values);
    writing.writer.write("events", entries.batch(0));
    (void)writing.finished();
    m_file = std::move(*writing.bytes);
  }
  /// Replaces all occurrences of some bytes by others. Returns whether there are any.
  bool replace(std::span<const std::byte> some, std::span<const std::byte> others) {
    std::span<std::byte> rest(m_file.data(), m_file.size());
    bool areThere = false;
    for (;;) {
      const auto found = std::ranges::search(rest, some);
      if (found.empty())
        return areThere;
      std::ranges::copy(others, found.begin());
      rest = rest.subspan(static_cast<std::size_t>(found.end() - rest.begin()));
      areThere = true;
    }
  }

  test::Warnings m_warnings; // only to suppress their output
  std::vector<std::int64_t> m_values;
  Buffer m_file;
};

TEST_F(SealedFile, letsReadersSeeOtherValues) {
  const std::vector<std::int64_t> old = m_values;
  m_values[7] = -5;
  ASSERT_TRUE(replace(std::as_bytes(std::span(old)), std::as_bytes(std::span(m_values))));
  test::expectError(ErrorKind::corrupt, "", [&] {
    (void)test::valuesOf<std::int64_t>(test::openBytes(m_file.bytes())->category("events"),
                                       "energy");
  });
  Seals({m_file.data(), m_file.size()}).correct();
  EXPECT_EQ(
      test::valuesOf<std::int64_t>(test::openBytes(m_file.bytes())->category("events"), "energy"),
      m_values);
}

TEST_F(SealedFile, letsReadersSeeOtherSchemas) {
  const std::string_view old = "energy", other = "enerxy";
  ASSERT_TRUE(replace(std::as_bytes(std::span(old)), std::as_bytes(std::span(other))));
  test::expectError(ErrorKind::name, "has no category", // all records are damaged
                    [&] { (void)test::openBytes(m_file.bytes())->category("events"); });
  Seals({m_file.data(), m_file.size()}).correct();
  EXPECT_EQ(
      test::valuesOf<std::int64_t>(test::openBytes(m_file.bytes())->category("events"), "enerxy"),
      m_values);
}

} // namespace
} // namespace kaon::fuzz
