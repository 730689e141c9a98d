#pragma once

#include "support/Contents.h"
#include "support/MemorySink.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace kaon::test {

/// All contents of a file.
struct Everything {
  std::map<std::string, Contents> categories;
  std::map<std::string, std::string> documents;
  friend bool operator==(const Everything&, const Everything&) = default;
};

/// Requests all statistics of a source's values.
inline void useStatistics(const Source& source) {
  const Schema& schema = source.schema();
  const auto clusters = source.clusters();
  const auto cursor = source.cursor();
  for (std::uint32_t column = 0; column < schema.columns().size(); ++column) {
    (void)source.usage(column);
    const Column& info = schema.columns()[column];
    const Table table = schema.table(info.table);
    for (std::size_t number = 0; number < clusters.size(); ++number) {
      const std::uint32_t group = schema.groupOf(info.table);
      const detail::PageRange pages = cursor->pages(group, clusters[number].first);
      for (std::uint32_t member = 0; member < table.members.size(); ++member) {
        (void)cursor->extremes(info.table, member, pages);
        (void)source.extremes(info.table, member, number);
      }
      cursor->fetch({&column, 1}, clusters[number]);
    }
  }
}

[[nodiscard]] inline Everything everythingIn(const File& file) {
  Everything found;
  for (const std::string& name : file.categories()) {
    const Source& source = file.category(name);
    found.categories.emplace(name, contentsOf(source));
    useStatistics(source);
  }
  for (const std::string& name : file.documents())
    found.documents.emplace(name, file.document(name));
  return found;
}

[[nodiscard]] inline Everything everythingIn(std::span<const std::byte> bytes) {
  return everythingIn(*openBytes(bytes));
}

/// Returns the first entries of a category, without tables that were added later.
[[nodiscard]] inline Contents firstEntries(const Source& source, std::size_t entries,
                                           std::uint32_t tables) {
  Contents contents = contentsOf(source, {0, entries});
  for (std::uint32_t number = tables; number < source.schema().size(); ++number) {
    const Table late = source.schema().table(number);
    contents.tables.erase({std::string(late.name), std::string(late.type)});
  }
  return contents;
}

/// Expects that the remainder of a file has exactly the contents of its first records.
inline void expectBeginningOf(const File& whole, const File& left) {
  for (const std::string& name : left.categories()) {
    const Source& source = left.category(name);
    ASSERT_LE(source.entries(), whole.category(name).entries());
    EXPECT_EQ(contentsOf(source),
              firstEntries(whole.category(name), source.entries(), source.schema().size()));
  }
  for (const std::string& name : left.documents())
    EXPECT_EQ(left.document(name), whole.document(name));
}

} // namespace kaon::test
