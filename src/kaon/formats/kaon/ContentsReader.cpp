#include <kaon/formats/kaon/ContentsReader.h>

#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>
#include <kaon/base/Utf8.h>
#include <kaon/formats/kaon/Index.h>
#include <kaon/formats/kaon/Record.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

namespace kaon::store {
namespace {

/// The index is mostly shorter than this, and is then read together with the end of the file.
constexpr std::uint64_t tailSize = 64 * 1024;

bool addSchemaRecord(FileContents& contents, const RecordHeader& header,
                     std::span<const std::byte> meta, const std::string& file) {
  auto& categories = contents.categories;
  if (header.category > categories.size())
    return false;
  const bool isNew = header.category == categories.size();
  if (isNew)
    categories.emplace_back();
  CategoryContents& category = categories[header.category];
  const std::uint32_t tables = category.schema.size();
  try {
    const std::string name = addSchema(category.schema, meta, file);
    if (isNew ? !contents.hasCategory(name) : name == category.name) {
      category.name = name;
      return true;
    }
  } catch (const Error&) {
  }
  // Of tables of which one is wrong none is taken.
  if (isNew)
    categories.pop_back();
  else
    category.schema = category.schema.first(tables);
  return false;
}

bool addTagsRecord(CategoryContents& category, const IndexCluster& tags) {
  const std::uint64_t last =
      category.tags.empty() ? 0 : category.tags.back().firstEntry + category.tags.back().entries;
  if (tags.firstEntry < last || tags.firstEntry > category.entries ||
      tags.entries > category.entries - tags.firstEntry)
    return false;
  category.tags.push_back(tags);
  return true;
}

bool addClusterRecord(FileContents& contents, const RecordHeader& header, std::uint64_t position) {
  if (header.category >= contents.categories.size() || header.entries == 0)
    return false;
  CategoryContents& category = contents.categories[header.category];
  const IndexCluster cluster{position,          header.metaSize, header.pagesSize,
                             header.firstEntry, header.entries,  0};
  if (header.kind == RecordKind::tags)
    return addTagsRecord(category, cluster);
  if (header.firstEntry != category.entries)
    return false;
  category.clusters.push_back(cluster);
  category.entries += header.entries;
  return true;
}

/// Takes in the record behind what is known; false if there is none that is sound.
bool addNextRecord(const io::ByteSource& bytes, FileContents& contents) {
  const std::uint64_t position = contents.end;
  const auto header = recordAt(bytes, contents.fileId, position);
  if (!header)
    return false;
  try {
    RecordHeader again;
    Buffer scratch;
    const RecordPlace place{bytes.name(), contents.fileId, header->kind, position};
    const auto meta = readRecord(bytes, place, header->metaSize, again, scratch);
    if (!addRecord(contents, *header, position, meta, bytes.name()))
      return false;
  } catch (const Error&) {
    return false;
  }
  contents.end = behind(position, *header);
  return true;
}

/// Reads a file's records from its beginning on, for as long as they are sound: what a writer that
/// died left behind, or what is left of a file that was cut. `why` the file's index is not used.
void walkRecords(const io::ByteSource& bytes, FileContents& contents, const std::string& why) {
  while (addNextRecord(bytes, contents)) {
  }
  std::string entries;
  for (const CategoryContents& category : contents.categories)
    entries += (entries.empty() ? "" : ", ") + std::to_string(category.entries) + " of '" +
               category.name + "'";
  // The last record may lack bytes that only fill it up.
  const std::uint64_t known = std::min(contents.end, bytes.size());
  contents.warning = why + "; what its first " + std::to_string(known) + " of " +
                     std::to_string(bytes.size()) + " bytes hold is read" +
                     (entries.empty() ? "" : ": entries: ") + entries;
}

std::uint64_t checkHeader(std::span<const std::byte> head, const std::string& name) {
  FileHeader header;
  if (head.empty())
    fail(ErrorKind::version, name, ": is empty");
  if (std::memcmp(head.data(), header.magic.data(), std::min(head.size(), header.magic.size())) !=
      0)
    fail(ErrorKind::version, name, ": is not a kaon file");
  if (head.size() < sizeof header)
    fail(ErrorKind::corrupt, name, ": ends at byte ", head.size(),
         ", within its first bytes; the file is cut");
  header = loadAs<FileHeader>(head.data());
  if (header.checksum != checksum(bytesBefore(header, offsetof(FileHeader, checksum))))
    fail(ErrorKind::corrupt, name, ": its first bytes are damaged");
  constexpr std::uint32_t refused = 0xffff;
  if (header.version != formatVersion || (header.flags & refused) != 0)
    fail(ErrorKind::version, name, ": is of format version ", header.version, " with flags ",
         header.flags, "; this kaon reads version ", formatVersion,
         ": use the kaon that wrote it, or a newer one");
  return header.fileId;
}

/// The end record, if the tail ends with a sound one.
std::optional<EndRecord> endOf(std::span<const std::byte> tail, std::uint64_t fileId) {
  if (tail.size() < sizeof(EndRecord))
    return std::nullopt;
  const auto end = loadAs<EndRecord>(tail.last(sizeof(EndRecord)).data());
  if (!isSound(std::bit_cast<RecordHeader>(end), fileId) || end.kind != RecordKind::end)
    return std::nullopt;
  return end;
}

} // namespace

bool addRecord(FileContents& contents, const RecordHeader& header, std::uint64_t position,
               std::span<const std::byte> meta, const std::string& file) {
  switch (header.kind) {
  case RecordKind::schema:
    return addSchemaRecord(contents, header, meta, file);
  case RecordKind::cluster:
  case RecordKind::tags:
    return addClusterRecord(contents, header, position);
  case RecordKind::document: {
    std::string name = ByteReader(meta, file).getString();
    if (!isUtf8(name))
      return false;
    contents.documents.insert_or_assign(
        std::move(name), IndexDocument{0, 0, position, header.metaSize, header.metaChecksum});
    return true;
  }
  case RecordKind::index:
  case RecordKind::end:
    return true;
  }
  contents.others.push_back(
      {static_cast<std::uint32_t>(header.kind), header.category, position, header.metaSize});
  return true;
}

namespace {

/// Reads the index that an end record leads to, from the file's last bytes if it is among them.
void readIndexAt(const io::ByteSource& bytes, const EndRecord& end, std::span<const std::byte> tail,
                 FileContents& contents, Buffer& scratch) {
  const std::string name = bytes.name() + ": index";
  const RecordPlace place{bytes.name(), contents.fileId, RecordKind::index, end.indexPosition};
  const std::uint64_t tailBegin = bytes.size() - tail.size();
  if (place.position >= tailBegin && place.position <= bytes.size() - sizeof(RecordHeader) &&
      end.indexSize <= bytes.size() - sizeof(RecordHeader) - place.position) {
    const auto record = tail.subspan(static_cast<std::size_t>(place.position - tailBegin),
                                     sizeof(RecordHeader) + end.indexSize);
    (void)checkRecord(record, place);
    readIndex(alignedMeta(record, scratch), name, contents);
    return;
  }
  RecordHeader header;
  Buffer memory;
  readIndex(readRecord(bytes, place, end.indexSize, header, memory), name, contents);
}

} // namespace

FileContents readContents(const io::ByteSource& bytes) {
  Buffer scratch;
  const std::uint64_t tailBegin =
      (bytes.size() - std::min(bytes.size(), tailSize)) / alignment * alignment;
  const std::array<io::ByteRange, 2> ends{
      io::ByteRange{0, std::min<std::uint64_t>(bytes.size(), sizeof(FileHeader))},
      io::ByteRange{tailBegin, bytes.size() - tailBegin}};
  const auto views = bytes.views(ends, scratch);
  FileContents contents;
  const std::uint64_t fileId = checkHeader(views[0], bytes.name());
  contents.fileId = fileId;
  contents.end = aligned(sizeof(FileHeader));
  const auto end = endOf(views[1], contents.fileId);
  std::string why = bytes.name() +
                    ": does not end as a kaon file does: it was not finished, or is " +
                    "cut or damaged";
  if (end) {
    try {
      readIndexAt(bytes, *end, views[1], contents, scratch);
      contents.end = bytes.size();
      return contents;
    } catch (const Error& error) {
      why = error.what();
      const std::uint64_t first = contents.end;
      contents = FileContents();
      contents.fileId = fileId;
      contents.end = first;
      contents.indexMistake = why;
    }
  }
  walkRecords(bytes, contents, why);
  return contents;
}

std::string readDocument(const io::ByteSource& bytes, std::uint64_t fileId, std::string_view name,
                         const IndexDocument& place) {
  Buffer scratch;
  RecordHeader header;
  const RecordPlace record{bytes.name(), fileId, RecordKind::document, place.position};
  ByteReader in(readRecord(bytes, record, place.metaSize, header, scratch),
                bytes.name() + ": document at byte " + std::to_string(place.position));
  if (in.getString() != name)
    fail(ErrorKind::corrupt, in.where(), ": is not '", name, "'; the file is damaged");
  const auto text = in.rest();
  return {reinterpret_cast<const char*>(text.data()), text.size()};
}

} // namespace kaon::store
