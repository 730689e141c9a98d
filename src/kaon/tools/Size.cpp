#include <kaon/tools/Size.h>

#include <kaon/formats/kaon/Contents.h>
#include <kaon/formats/kaon/FileReader.h>
#include <kaon/formats/kaon/Record.h>
#include <kaon/io/ByteSource.h>

#include <algorithm>

namespace kaon {
namespace {

using namespace store;

/// What a record takes, up to where the next one may begin.
std::uint64_t extentOf(const io::ByteSource& bytes, const RecordHeader& header,
                       std::uint64_t position) {
  return std::min(behind(position, header), bytes.size()) - position;
}

CategorySize sizeOf(const io::ByteSource& bytes, std::uint64_t fileId,
                    const CategoryContents& contents, const Source& source) {
  CategorySize size;
  size.name = contents.name;
  size.entries = contents.entries;
  const Schema& schema = contents.schema;
  for (std::uint32_t number = 0; number < schema.columns().size(); ++number) {
    const Column& column = schema.columns()[number];
    size.columns.push_back({source.usage(number), nameOf(schema, column),
                            std::string(schema.table(schema.rootOf(column.table)).name),
                            column.role});
    size.pageBytes += size.columns.back().storedBytes;
  }
  std::uint64_t all = 0;
  for (const auto* clusters : {&contents.clusters, &contents.tags})
    for (const IndexCluster& cluster : *clusters)
      if (const auto header = recordAt(bytes, fileId, cluster.position)) {
        all += extentOf(bytes, *header, cluster.position);
        size.metaBytes += sizeof *header + header->metaSize;
      }
  size.paddingBytes = all - std::min(all, size.metaBytes + size.pageBytes);
  return size;
}

/// Sorts the records that are no clusters, as far as they follow one another.
void addRecords(const io::ByteSource& bytes, std::uint64_t fileId, FileSize& size) {
  std::uint64_t position = aligned(sizeof(FileHeader));
  while (const auto header = recordAt(bytes, fileId, position)) {
    const std::uint64_t extent = extentOf(bytes, *header, position);
    if (header->kind == RecordKind::schema)
      size.schemaBytes += extent;
    else if (header->kind == RecordKind::document)
      size.documentBytes += extent;
    else if (header->kind == RecordKind::index || header->kind == RecordKind::end)
      size.indexBytes += extent;
    position = behind(position, *header);
  }
}

} // namespace

FileSize sizeOf(const std::string& path) {
  const auto bytes = io::fileSource(path);
  const auto file = openFile(io::fileSource(path));
  const FileContents contents = readContents(*bytes);
  FileSize size;
  size.bytes = bytes->size();
  for (const CategoryContents& category : contents.categories)
    size.categories.push_back(
        sizeOf(*bytes, contents.fileId, category, file->category(category.name)));
  addRecords(*bytes, contents.fileId, size);
  std::uint64_t known = size.schemaBytes + size.documentBytes + size.indexBytes;
  for (const CategorySize& category : size.categories)
    known += category.bytes();
  size.otherBytes = size.bytes - std::min(size.bytes, known);
  return size;
}

} // namespace kaon
