#pragma once

#include <kaon/detail/reading/Window.h>

#include <cstdint>

namespace kaon::test {

/// Reads every page of every column, with its statistics.
inline void readAll(const Source& source) {
  detail::Window window(source);
  const Schema& schema = source.schema();
  for (std::uint32_t column = 0; column < schema.columns().size(); ++column)
    (void)source.usage(column);
  for (std::uint32_t root = 0; root < schema.size(); ++root) {
    if (!schema.table(root).isRoot())
      continue;
    for (std::uint64_t entry = 0; entry < source.entries();
         entry = window.pages(root, entry).lastEntry)
      for (const std::uint32_t table : schema.tablesUnder(root)) {
        const auto [first, last] = schema.columnsOf(table);
        for (std::uint32_t column = first; column < last; ++column)
          (void)window.page(column, entry);
      }
  }
}

} // namespace kaon::test
