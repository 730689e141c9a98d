#include <kaon/formats/kaonfile/ContentsReader.h>

#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>
#include <kaon/base/Utf8.h>
#include <kaon/base/Wording.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/formats/kaonfile/ColumnPages.h>
#include <kaon/formats/kaonfile/FileRecord.h>
#include <kaon/formats/kaonfile/Index.h>
#include <kaon/formats/kaonfile/SortedKeys.h>
#include <kaon/formats/kaonfile/SortedKeysName.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

namespace kaon::kaonfile {
namespace {

/// Most indexes are shorter than this, and are read together with the end of the file.
constexpr std::uint64_t tailSize = 64 * 1024;

bool addSchemaRecord(FileContents& contents, const RecordHeader& header,
                     std::span<const std::byte> meta, const std::string& file) {
  auto& categories = contents.categories;
  if (header.category > categories.size())
    return false;
  const bool isNew = header.category == categories.size();
  if (isNew)
    categories.emplace_back().number = header.category;
  CategoryContents& category = categories[header.category];
  const std::uint32_t tables = category.schema.size();
  try {
    Buffer scratch;
    const std::string name = addSchema(category.schema, bodyOf(meta, scratch, file), file);
    if (isNew ? !contents.hasCategory(name) : name == category.name) {
      category.name = name;
      return true;
    }
  } catch (const Error&) {
  }
  // One wrong table rejects all tables of the record.
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

/// Returns whether a cluster has columns of an unknown schema, whose record was lost.
bool hasUnknownColumns(const Schema& schema, std::span<const std::byte> meta,
                       const ClusterInFile& cluster) {
  const auto columns = static_cast<std::uint32_t>(schema.columns().size());
  const std::uint32_t blocks = blocksIn(meta);
  const std::uint32_t expected = blocksOf(columns);
  if (blocks != expected || blocks == 0)
    return blocks > expected;
  if (blockPlace(blocks) + sizeof(std::uint32_t) > meta.size())
    return true;
  const auto begin = detail::loadAs<std::uint32_t>(meta.data() + blockPlace(blocks - 1));
  const auto end = detail::loadAs<std::uint32_t>(meta.data() + blockPlace(blocks));
  if (begin > end || end > meta.size())
    return true;
  const ColumnBlockReader last(meta.subspan(begin, end - begin), blocks - 1, cluster);
  for (ColumnNumber column = columns; column < blocks * columnsOfBlock; ++column)
    if (last.has(column))
      return true;
  return false;
}

bool addClusterRecord(FileContents& contents, const RecordHeader& header, std::uint64_t position,
                      std::span<const std::byte> meta, const io::ByteSource& bytes) {
  if (header.category >= contents.categories.size() || header.entries == 0)
    return false;
  CategoryContents& category = contents.categories[header.category];
  const IndexCluster cluster{position,          header.metaSize, header.pagesSize,
                             header.firstEntry, header.entries,  blocksIn(meta)};
  if (header.kind == RecordKind::tags)
    return addTagsRecord(category, cluster);
  // Sorted keys may have been sorted again together with further ones.
  if (isOfSortedKeys(category.name))
    dropClusters(category, header.firstEntry);
  const ClusterIdentity identity{contents.file, header.kind, header.category, cluster};
  if (header.firstEntry != category.entries ||
      hasUnknownColumns(category.schema, meta,
                        {bytes, contents.file.id, position, identity.seal()}))
    return false;
  category.clusters.push_back(cluster);
  category.entries += header.entries;
  return true;
}

} // namespace

void addLostEntries(FileContents& contents, const RecordHeader& header) {
  if (header.kind != RecordKind::cluster || header.category >= contents.categories.size())
    return;
  CategoryContents& category = contents.categories[header.category];
  const std::uint64_t lost = header.firstEntry - std::min(header.firstEntry, category.entries);
  if (lost == 0 || lost > std::numeric_limits<std::uint32_t>::max())
    return;
  IndexCluster nothing;
  nothing.firstEntry = category.entries;
  nothing.entries = static_cast<std::uint32_t>(lost);
  category.clusters.push_back(nothing);
  category.entries += lost;
}

void dropLostEnds(FileContents& contents) {
  for (CategoryContents& category : contents.categories)
    while (!category.clusters.empty() && category.clusters.back().position == 0) {
      category.entries -= category.clusters.back().entries;
      category.clusters.pop_back();
    }
}

namespace {

/// Adds the record of a sound header. Returns false if the rest of the record is damaged or does
/// not follow from the records before. If `afterLoss`, entries before a cluster may be lost.
bool takeRecord(const io::ByteSource& bytes, FileContents& contents, const RecordHeader& header,
                std::uint64_t position, bool afterLoss) {
  try {
    RecordHeader again;
    Buffer scratch;
    const ExpectedRecord place{bytes.name(), contents.file.id, header.kind, position};
    const auto meta = readRecord(bytes, place, header.metaSize, again, scratch);
    if (afterLoss)
      addLostEntries(contents, header);
    if (!addRecord(contents, header, position, meta, bytes))
      return false;
  } catch (const Error&) {
    return false;
  }
  contents.end = position + sizeof header + header.metaSize;
  if (header.pagesSize > 0)
    contents.end = aligned(contents.end) + header.pagesSize;
  if (header.kind == RecordKind::end)
    contents.finished = contents.end;
  return true;
}

/// Reads the records of a file from its beginning: of a file whose writer died, or of a cut or
/// damaged file. `why` tells why the index is not used.
void walkRecords(const io::ByteSource& bytes, FileContents& contents, const std::string& why) {
  constexpr std::size_t most = 5; // losses shown in the warning
  std::size_t lost = 0;
  std::string losses;
  std::uint64_t refused = 0; // bytes of records that were read in vain
  std::uint64_t position = contents.end;
  while (position < bytes.size()) {
    const auto header = recordAt(bytes, contents.file.id, position);
    if (header && takeRecord(bytes, contents, *header, position, lost > 0)) {
      position = behind(position, *header);
      continue;
    }
    // Overlapping records, which no writer makes, could otherwise be read for ever.
    refused += header ? sizeof *header + header->metaSize : 0;
    const std::uint64_t next =
        refused > bytes.size() ? bytes.size() : nextRecord(bytes, contents.file.id, position);
    if (next >= bytes.size())
      break;
    if (++lost <= most)
      losses += (lost == 1 ? "; the data in bytes " : ", ") + std::to_string(position) + " to " +
                std::to_string(next);
    position = next;
  }
  if (lost > most)
    losses += " and in " + counted(lost - most, "further piece");
  contents.isDamaged = contents.isDamaged || lost > 0;
  dropLostEnds(contents);
  const std::string entries = contents.entriesText();
  contents.warning = why + "; its first " + std::to_string(contents.end) + " of " +
                     std::to_string(bytes.size()) + " bytes are read" +
                     (entries.empty() ? "" : ": entries: ") + entries + losses +
                     (losses.empty() ? "" : " are lost");
}

/// Returns the file's header. Files that begin differently are not kaon files.
FileHeader headerIn(std::span<const std::byte> head, const std::string& name) {
  if (head.empty())
    fail(ErrorKind::version, name, ": is empty");
  if (std::memcmp(head.data(), fileMagic.data(), std::min(head.size(), fileMagic.size())) != 0)
    fail(ErrorKind::version, name, ": is not a kaon file");
  if (head.size() < sizeof(FileHeader))
    fail(ErrorKind::corrupt, name, ": ends at byte ", head.size(),
         ", within its first bytes; the file is cut");
  return detail::loadAs<FileHeader>(head.data());
}

/// Returns the header of a file with a damaged header, from its first record.
FileHeader headerOfRecords(const io::ByteSource& bytes) {
  Buffer scratch;
  const std::uint64_t first = aligned(sizeof(FileHeader));
  if (bytes.size() >= first + sizeof(RecordHeader)) {
    const auto record =
        detail::loadAs<RecordHeader>(bytes.view(first, sizeof(RecordHeader), scratch).data());
    if (isSound(record, record.fileId))
      return headerOf(record, bytes.name());
  }
  fail(ErrorKind::corrupt, bytes.name(),
       ": its first bytes are damaged; 'kaon recover' finds its sound data");
}

} // namespace

bool addRecord(FileContents& contents, const RecordHeader& header, std::uint64_t position,
               std::span<const std::byte> meta, const io::ByteSource& bytes) {
  switch (header.kind) {
  case RecordKind::schema:
    return addSchemaRecord(contents, header, meta, bytes.name());
  case RecordKind::cluster:
  case RecordKind::tags:
    return addClusterRecord(contents, header, position, meta, bytes);
  case RecordKind::document: {
    Buffer scratch;
    std::string name = ByteReader(bodyOf(meta, scratch, bytes.name()), bytes.name()).getString();
    if (!isUtf8(name))
      return false;
    StoredDocument place;
    place.position = position;
    place.metaSize = header.metaSize;
    place.metaChecksum = header.metaChecksum;
    contents.documents.insert_or_assign(std::move(name), std::move(place));
    return true;
  }
  case RecordKind::index:
  case RecordKind::end:
  case RecordKind::copy:
    return true;
  }
  contents.others.push_back(
      {static_cast<std::uint32_t>(header.kind), header.category, position, header.metaSize});
  return true;
}

namespace {

/// Reads the index that an end record points to, from the tail of the file if it is there.
void readIndexAt(const io::ByteSource& bytes, const EndRecord& end, std::span<const std::byte> tail,
                 FileContents& contents, Buffer& scratch) {
  const std::string name = bytes.name() + ": index";
  const ExpectedRecord place{bytes.name(), contents.file.id, RecordKind::index, end.indexPosition};
  const std::uint64_t tailBegin = bytes.size() - tail.size();
  if (place.position >= tailBegin && place.position <= bytes.size() - sizeof(RecordHeader) &&
      end.indexSize <= bytes.size() - sizeof(RecordHeader) - place.position) {
    const auto record = tail.subspan(static_cast<std::size_t>(place.position - tailBegin),
                                     sizeof(RecordHeader) + end.indexSize);
    (void)checkRecord(record, place);
    Buffer body;
    readIndex(bodyOf(alignedMeta(record, scratch), body, name), name, contents);
    return;
  }
  RecordHeader header;
  Buffer memory, body;
  readIndex(bodyOf(readRecord(bytes, place, end.indexSize, header, memory), body, name), name,
            contents);
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
  FileHeader header = headerIn(views[0], bytes.name());
  const auto end = endOf(views[1]);
  // The end record repeats the header; without both, the first record identifies the file.
  std::string damage;
  if (!isSound(header, bytes.name())) {
    damage = bytes.name() + ": its first bytes are damaged";
    header = end && isSound(end->header, bytes.name()) ? end->header : headerOfRecords(bytes);
  }
  const auto nothing = [&] {
    FileContents contents;
    contents.file = {header.fileId, header.flags};
    contents.end = std::min(aligned(sizeof(FileHeader)), bytes.size());
    contents.isDamaged = !damage.empty();
    return contents;
  };
  FileContents contents = nothing();
  std::string why = damage.empty() ? bytes.name() + ": does not end as a kaon file does: it was "
                                                    "not finished, or is cut or damaged"
                                   : damage;
  if (end && end->fileId == header.fileId) {
    try {
      readIndexAt(bytes, *end, views[1], contents, scratch);
      contents.end = bytes.size();
      contents.isDamaged = !damage.empty();
      if (contents.isDamaged)
        contents.warning = damage + "; the file has a copy of them at its end, and nothing is lost";
      return contents;
    } catch (const Error& error) {
      why = error.what();
      contents = nothing();
      contents.indexMistake = why;
      contents.isDamaged = true;
    }
  }
  walkRecords(bytes, contents, why);
  return contents;
}

std::string readDocument(const io::ByteSource& bytes, std::uint64_t fileId, std::string_view name,
                         const StoredDocument& place) {
  if (place.knownText)
    return *place.knownText;
  Buffer scratch, body;
  RecordHeader header;
  const ExpectedRecord record{bytes.name(), fileId, RecordKind::document, place.position};
  const std::string where = bytes.name() + ": document at byte " + std::to_string(place.position);
  const auto meta = readRecord(bytes, record, place.metaSize, header, scratch);
  ByteReader in(bodyOf(meta, body, where), where);
  if (in.getString() != name)
    fail(ErrorKind::corrupt, in.where(), ": is not '", name, "'; the file is damaged");
  const auto text = in.rest();
  return {detail::valuesAt<char>(text.data()), text.size()};
}

} // namespace kaon::kaonfile
