#include <kaon/formats/root/podio/ParameterKeys.h>

#include <kaon/batch/Columns.h>
#include <kaon/formats/memory/MemoryFile.h>

#include "support/Errors.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kaon::root::podio {
namespace {

/// Returns the keys that are found in entries with these keys of parameters.
std::vector<std::string> keysOf(const std::vector<std::vector<std::string>>& entries) {
  std::vector<std::uint32_t> rows{0}, letters{0};
  std::vector<std::uint8_t> text;
  for (const std::vector<std::string>& entry : entries) {
    for (const std::string& key : entry) {
      text.insert(text.end(), key.begin(), key.end());
      letters.push_back(static_cast<std::uint32_t>(text.size()));
    }
    rows.push_back(static_cast<std::uint32_t>(letters.size() - 1));
  }
  Columns columns(entries.size());
  columns.addLists("Keys", rows);
  columns.add("Keys.", letters, {{"", text}});
  const auto file = memory::MemoryFile::make("m");
  const auto sink = file->sink();
  sink->write("events", columns.batch());
  sink->finish();
  return parameterKeys(file->category("events"), 0, 1);
}

TEST(ParameterKeys, areThoseOfAllEntriesAsTheyCome) {
  EXPECT_EQ(keysOf({{"b", "a"}, {}, {"a"}, {"b", "c", "a"}}),
            (std::vector<std::string>{"b", "a", "c"}));
  EXPECT_TRUE(keysOf({{}, {}}).empty());
}

TEST(ParameterKeys, areNotAnyNumber) {
  std::vector<std::string> keys;
  for (int i = 0; i < 10'000; ++i)
    keys.push_back(std::to_string(i));
  EXPECT_EQ(keysOf({keys, keys}), keys);
  keys.emplace_back("one more");
  test::expectError(ErrorKind::version, "m:events: 'Keys' has more than 10000 keys",
                    [&] { (void)keysOf({keys}); });
}

TEST(KeyNumbers, doNotDependOnThePlace) {
  KeyNumbers numbers({"a", "b"});
  EXPECT_EQ(numbers.find(0, "a"), 0U);
  EXPECT_EQ(numbers.find(0, "b"), 1U);
  EXPECT_EQ(numbers.find(0, "a"), 0U);
  EXPECT_EQ(numbers.find(7, "b"), 1U);
  EXPECT_EQ(numbers.find(0, "c"), KeyNumbers::none);
  EXPECT_EQ(numbers.add(0, "c"), 2U);
  EXPECT_EQ(numbers.names(), (std::vector<std::string>{"a", "b", "c"}));
}

} // namespace
} // namespace kaon::root::podio
