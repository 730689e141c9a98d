#include <kaon/tools/Size.h>

#include <kaon/base/Warning.h>
#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>

#include "support/Files.h"
#include "support/TestEvents.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace kaon {
namespace {

std::uint64_t sumOf(const FileSize& size) {
  std::uint64_t sum = size.schemaBytes + size.documentBytes + size.indexBytes + size.otherBytes;
  for (const CategorySize& category : size.categories)
    sum += category.bytes();
  return sum;
}

TEST(Size, addsUpToThatOfTheFile) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "events.kaon";
  for (const Layout layout : {Layout::split, Layout::row, Layout::member}) {
    Writer writer(path, {.layout = layout, .clusterEntries = 5, .tags = {"weight"}});
    for (int event = 0; event < 20; ++event)
      writer.write(test::makeEvent(event), event % 2 == 0 ? "even" : "odd");
    writer.finish();
    const FileSize size = sizeOf(path);
    EXPECT_EQ(size.bytes, std::filesystem::file_size(path));
    EXPECT_EQ(sumOf(size), size.bytes);
    EXPECT_EQ(size.otherBytes, 64U); // the header
    EXPECT_GT(size.documentBytes, 1000U);
    ASSERT_EQ(size.categories.size(), 2U);
    EXPECT_EQ(size.categories[1].name, "odd");
    EXPECT_GT(size.categories[1].pageBytes, 0U);
    EXPECT_GT(size.categories[1].metaBytes, 0U);
    const Reader reader(path);
    const Source& source = reader.file().category("odd");
    ASSERT_EQ(size.categories[1].columns.size(), source.schema().columns().size());
    for (std::uint32_t i = 0; i < size.categories[1].columns.size(); ++i)
      EXPECT_EQ(size.categories[1].columns[i].storedBytes, source.usage(i).value().storedBytes);
  }
}

TEST(Size, countsBytesThatBelongToNoPart) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "events.kaon";
  Writer writer(path);
  writer.write(test::makeEvent(3), "events");
  writer.finish();
  const std::string bytes = test::readFile(path);
  test::writeFile(path, bytes.substr(0, bytes.size() - 64) + std::string(1000, 'x'));
  setWarningHandler({}); // suppresses the expected warning
  const FileSize size = sizeOf(path);
  EXPECT_EQ(size.bytes, bytes.size() + 936);
  EXPECT_EQ(sumOf(size), size.bytes);
  EXPECT_EQ(size.otherBytes, 1096U);
}

} // namespace
} // namespace kaon
