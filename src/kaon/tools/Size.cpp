#include <kaon/tools/Size.h>

#include <kaon/base/Error.h>
#include <kaon/files/Files.h>
#include <kaon/files/Tables.h>
#include <kaon/files/Urls.h>

#include <algorithm>
#include <memory>

namespace kaon {
namespace {

/// Returns the bytes that a file uses for something other than pages.
std::uint64_t take(const std::vector<Overhead>& overheads, std::string_view category,
                   std::string_view what) {
  const auto overhead = std::ranges::find_if(overheads, [&](const Overhead& each) {
    return each.category == category && each.what == what;
  });
  return overhead == overheads.end() ? 0 : overhead->bytes;
}

CategorySize sizeOf(const Source& source, const std::string& name,
                    const std::vector<Overhead>& overheads) {
  CategorySize size;
  size.name = name;
  size.entries = source.entries();
  const Schema& schema = source.schema();
  for (std::uint32_t number = 0; number < schema.columns().size(); ++number) {
    const Column& column = schema.columns()[number];
    const std::string columnName = column.role == ColumnRole::member
                                       ? schema.nameOfMember(column.table, column.member)
                                       : std::string(schema.table(column.table).name);
    size.columns.push_back({source.usage(number).value_or(ColumnUsage{}), columnName,
                            std::string(schema.table(schema.rootOf(column.table)).name),
                            column.role});
    size.pageBytes += size.columns.back().storedBytes;
  }
  size.metaBytes = take(overheads, name, "meta");
  size.paddingBytes = take(overheads, name, "padding");
  return size;
}

} // namespace

FileSize sizeOf(const std::string& path) {
  if (!isUrl(path) && isTable(*io::fileSource(path)))
    fail(ErrorKind::version, path,
         ": is a Parquet or Feather file, whose sizes kaon does not know");
  const std::shared_ptr<const File> file = open(path);
  const std::vector<Overhead> overheads = file->overheads();
  FileSize size;
  size.bytes = file->bytes();
  for (const std::string& name : file->categories())
    size.categories.push_back(sizeOf(file->category(name), name, overheads));
  size.schemaBytes = take(overheads, "", "schema");
  size.documentBytes = take(overheads, "", "documents");
  size.indexBytes = take(overheads, "", "index");
  std::uint64_t known = size.schemaBytes + size.documentBytes + size.indexBytes;
  for (const CategorySize& category : size.categories)
    known += category.bytes();
  size.otherBytes = size.bytes - std::min(size.bytes, known);
  return size;
}

} // namespace kaon
