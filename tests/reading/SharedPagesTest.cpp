#include <kaon/reading/SharedPages.h>

#include <kaon/detail/reading/Window.h>
#include <kaon/writing/BatchBuilder.h>

#include "support/Writing.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>

namespace kaon {
namespace {

/// A file with three values in each of 1,000 entries.
class SharedPagesTest : public testing::Test {
protected:
  static std::shared_ptr<Buffer> written() {
    SinkOptions options{zstd(3), 1024};
    test::Writing writing(options);
    detail::BatchBuilder builder;
    for (const char* const name : {"a", "b", "c"})
      builder.add(test::values(name, TableKind::value, Scalar::Float64));
    for (int entry = 0; entry < 1'000; ++entry) {
      for (TableNumber table = 0; table < 3; ++table)
        test::addRow(builder, table, entry * 0.37 + table);
      builder.endEntry();
    }
    writing.writer.write("events", builder.batch(0));
    writing.writer.finish();
    return writing.bytes;
  }
  [[nodiscard]] detail::Window window(const std::shared_ptr<SharedPages>& pages) const {
    return detail::Window(source, SharedPages::cursor(pages));
  }
  /// Where a value's page lies in memory.
  [[nodiscard]] const std::byte* place(detail::Window& window, TableNumber table) const {
    return window.page(source.schema().place(table, 0).column, 0).data;
  }

  std::shared_ptr<Buffer> bytes = written();
  std::unique_ptr<File> file = test::openBytes(bytes->bytes());
  const Source& source = file->category("events");
};

TEST_F(SharedPagesTest, areDecodedOnce) {
  const auto pages = std::make_shared<SharedPages>(source);
  detail::Window first = window(pages);
  detail::Window second = window(pages);
  for (TableNumber table = 0; table < 3; ++table)
    EXPECT_EQ(place(first, table), place(second, table));
  detail::Window alone(source);
  EXPECT_NE(place(alone, 0), place(first, 0));
}

TEST_F(SharedPagesTest, areDroppedAboveALimitIfTheyWereNotRequestedForTheLongestTime) {
  detail::Window alone(source);
  const std::size_t bytesOfPage =
      sizeof(double) * alone.page(source.schema().place(0, 0).column, 0).values;
  const auto pages = std::make_shared<SharedPages>(source, 2 * bytesOfPage);
  detail::Window first = window(pages);
  const std::byte* const a = place(first, 0);
  const std::byte* const b = place(first, 1);
  detail::Window second = window(pages);
  EXPECT_EQ(place(second, 0), a);
  const std::byte* const c = place(second, 2); // in place of b
  detail::Window third = window(pages);
  EXPECT_EQ(place(third, 0), a);
  EXPECT_EQ(place(third, 2), c);
  EXPECT_NE(place(third, 1), b);
}

} // namespace
} // namespace kaon
