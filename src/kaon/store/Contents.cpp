#include <kaon/store/Contents.h>

#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

namespace kaon::store {
namespace {

/// The index is mostly shorter than this, and is then read together with the end of the file.
constexpr std::uint64_t tailSize = 64 * 1024;

bool isSound(const RecordHeader& header, std::uint64_t fileId) {
  return header.magic == recordMagic && header.fileId == fileId &&
         header.checksum == checksum(bytesBefore(header, offsetof(RecordHeader, checksum)));
}

bool isCategory(const FileContents& contents, std::string_view name) {
  return std::ranges::find(contents.categories, name, &CategoryContents::name) !=
         contents.categories.end();
}

/// Reads an index's meta bytes.
class IndexReader {
public:
  IndexReader(std::span<const std::byte> meta, std::string where)
      : m_meta(meta), m_where(std::move(where)) {}

  void read(FileContents& contents) {
    auto rest = m_meta;
    const IndexHead head = take<IndexHead>(rest, 1).front();
    const auto categories = take<IndexCategory>(rest, head.categories);
    const auto documents = take<IndexDocument>(rest, head.documents);
    const auto others = take<IndexOther>(rest, head.others);
    for (const IndexCategory& category : categories) {
      CategoryContents made = readCategory(category);
      if (isCategory(contents, made.name))
        failDamaged("two categories have the same name");
      contents.categories.push_back(std::move(made));
    }
    for (const IndexDocument& document : documents) {
      const auto name = piece(document.name, document.nameSize);
      contents.documents.insert_or_assign(
          std::string(reinterpret_cast<const char*>(name.data()), name.size()), document);
    }
    contents.others.assign(others.begin(), others.end());
  }

private:
  [[nodiscard]] CategoryContents readCategory(const IndexCategory& index) {
    CategoryContents category;
    category.name = addSchema(category.schema, piece(index.schema, index.schemaSize), m_where);
    const std::uint64_t all = std::uint64_t{index.clusterCount} + index.tagsCount;
    auto rest = piece(index.clusters, all * sizeof(IndexCluster));
    const auto clusters = take<IndexCluster>(rest, index.clusterCount);
    const auto tags = take<IndexCluster>(rest, index.tagsCount);
    category.clusters.assign(clusters.begin(), clusters.end());
    category.tags.assign(tags.begin(), tags.end());
    for (const IndexCluster& cluster : clusters) {
      if (cluster.firstEntry != category.entries || cluster.entries == 0 ||
          cluster.position % alignment != 0)
        failDamaged("its clusters are out of order");
      category.entries += cluster.entries;
    }
    std::uint64_t last = 0;
    for (const IndexCluster& each : tags) {
      if (each.firstEntry < last || each.firstEntry > category.entries || each.entries == 0 ||
          each.entries > category.entries - each.firstEntry || each.position % alignment != 0)
        failDamaged("its tags are out of order");
      last = each.firstEntry + each.entries;
    }
    if (index.keys != category.keyTables().size())
      failDamaged("its keys are not those of its tables");
    const std::uint64_t keyed = std::uint64_t{index.keys} * index.clusterCount;
    if (keyed > m_meta.size())
      failDamaged("it ends too early");
    rest = piece(index.bounds, keyed * sizeof(Bounds));
    const auto bounds = take<Bounds>(rest, keyed);
    category.keyBounds.assign(bounds.begin(), bounds.end());
    return category;
  }

  template <class T>
  [[nodiscard]] std::span<const T> take(std::span<const std::byte>& rest,
                                        std::uint64_t count) const {
    const auto things = takeArray<T>(rest, count);
    if (!things)
      failDamaged("it ends too early");
    return *things;
  }
  /// Pieces follow each other: so nothing is read twice, and memory stays in proportion.
  [[nodiscard]] std::span<const std::byte> piece(std::uint64_t position, std::uint64_t size) {
    if (position < m_end || position > m_meta.size() || size > m_meta.size() - position ||
        position % alignof(std::uint64_t) != 0)
      failDamaged("a part of it lies outside");
    m_end = position + size;
    return m_meta.subspan(static_cast<std::size_t>(position), static_cast<std::size_t>(size));
  }
  [[noreturn]] void failDamaged(const char* what) const {
    fail(ErrorKind::corrupt, m_where, ": ", what, "; the file is damaged");
  }

  std::span<const std::byte> m_meta;
  std::string m_where;
  std::uint64_t m_end = 0; // of the last piece
};

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
    if (isNew ? !isCategory(contents, name) : name == category.name) {
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
  contents.warning = why + "; what its first " + std::to_string(contents.end) + " of " +
                     std::to_string(bytes.size()) + " bytes hold is read" +
                     (entries.empty() ? "" : ": entries: ") + entries;
}

/// A record's meta bytes, as 64-bit numbers must lie. `scratch` is what the record was read with.
std::span<const std::byte> alignedMeta(std::span<const std::byte> record, Buffer& scratch) {
  const auto meta = record.subspan(sizeof(RecordHeader));
  if (reinterpret_cast<std::uintptr_t>(meta.data()) % alignof(std::uint64_t) == 0)
    return meta;
  scratch.clear(); // which is aligned: so the source lies in memory, at an odd address
  scratch.append(meta);
  return scratch.bytes();
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

std::vector<std::uint32_t> CategoryContents::keyTables() const {
  std::vector<std::uint32_t> keys;
  for (std::uint32_t table = 0; table < schema.size(); ++table)
    if (has(schema.table(table).use, TableUse::key))
      keys.push_back(table);
  return keys;
}

std::optional<RecordHeader> recordAt(const io::ByteSource& source, std::uint64_t fileId,
                                     std::uint64_t position) {
  if (position > source.size() || source.size() - position < sizeof(RecordHeader))
    return std::nullopt;
  Buffer scratch;
  const auto header =
      loadAs<RecordHeader>(source.view(position, sizeof(RecordHeader), scratch).data());
  const std::uint64_t rest = source.size() - position - sizeof(RecordHeader);
  if (!isSound(header, fileId) || header.metaSize > rest)
    return std::nullopt;
  const std::uint64_t pages = aligned(position + sizeof(RecordHeader) + header.metaSize);
  if (header.pagesSize > 0 && (pages > source.size() || header.pagesSize > source.size() - pages))
    return std::nullopt;
  return header;
}

bool addRecord(FileContents& contents, const RecordHeader& header, std::uint64_t position,
               std::span<const std::byte> meta, const std::string& file) {
  switch (header.kind) {
  case RecordKind::schema:
    return addSchemaRecord(contents, header, meta, file);
  case RecordKind::cluster:
  case RecordKind::tags:
    return addClusterRecord(contents, header, position);
  case RecordKind::document:
    contents.documents.insert_or_assign(
        ByteReader(meta, file).getString(),
        IndexDocument{0, 0, position, header.metaSize, header.metaChecksum});
    return true;
  case RecordKind::index:
  case RecordKind::end:
    return true;
  }
  contents.others.push_back(
      {static_cast<std::uint32_t>(header.kind), header.category, position, header.metaSize});
  return true;
}

RecordHeader checkRecord(std::span<const std::byte> record, const RecordPlace& place) {
  const auto damaged = [&](const char* what) {
    fail(ErrorKind::corrupt, place.file, ": byte ", place.position, ": ", what,
         "; the file is damaged");
  };
  const auto header = loadAs<RecordHeader>(record.data());
  if (header.magic != recordMagic ||
      header.checksum != checksum(bytesBefore(header, offsetof(RecordHeader, checksum))))
    damaged("no record of a kaon file");
  if (header.fileId != place.fileId || header.kind != place.kind ||
      header.metaSize != record.size() - sizeof header)
    damaged("another record than was expected, or one of another file");
  if (header.metaChecksum != checksum(record.subspan(sizeof header)))
    damaged("the record does not match its checksum");
  return header;
}

std::span<const std::byte> readRecord(const io::ByteSource& source, const RecordPlace& place,
                                      std::uint64_t metaSize, RecordHeader& header,
                                      Buffer& scratch) {
  if (metaSize > source.size())
    fail(ErrorKind::corrupt, source.name(), ": byte ", place.position,
         ": a record would be larger than the file; the file is damaged");
  const auto record = source.view(place.position, sizeof header + metaSize, scratch);
  header = checkRecord(record, place);
  return alignedMeta(record, scratch);
}

namespace {

/// Reads the index that an end record leads to, from the file's last bytes if it is among them.
void readIndex(const io::ByteSource& bytes, const EndRecord& end, std::span<const std::byte> tail,
               FileContents& contents, Buffer& scratch) {
  const std::string name = bytes.name() + ": index";
  const RecordPlace place{bytes.name(), contents.fileId, RecordKind::index, end.indexPosition};
  const std::uint64_t tailBegin = bytes.size() - tail.size();
  if (place.position >= tailBegin && place.position <= bytes.size() - sizeof(RecordHeader) &&
      end.indexSize <= bytes.size() - sizeof(RecordHeader) - place.position) {
    const auto record = tail.subspan(static_cast<std::size_t>(place.position - tailBegin),
                                     sizeof(RecordHeader) + end.indexSize);
    (void)checkRecord(record, place);
    IndexReader(alignedMeta(record, scratch), name).read(contents);
    return;
  }
  RecordHeader header;
  Buffer memory;
  IndexReader(readRecord(bytes, place, end.indexSize, header, memory), name).read(contents);
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
      readIndex(bytes, *end, views[1], contents, scratch);
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

Buffer indexBytes(const FileContents& contents) {
  Buffer bytes;
  const auto grow = [&bytes](std::size_t size) { std::memset(bytes.grow(size), 0, size); };
  const auto put = [&](std::span<const std::byte> more) {
    grow((bytes.size() + 7) / 8 * 8 - bytes.size());
    bytes.append(more);
    return bytes.size() - more.size();
  };
  std::vector<IndexCategory> categories(contents.categories.size());
  std::vector<IndexDocument> documents(contents.documents.size());
  grow(sizeof(IndexHead) + categories.size() * sizeof(IndexCategory) +
       documents.size() * sizeof(IndexDocument) + contents.others.size() * sizeof(IndexOther));
  for (std::size_t i = 0; i < categories.size(); ++i) {
    const CategoryContents& category = contents.categories[i];
    const auto schema = schemaBytes(category.schema, 0, category.name);
    IndexCategory& made = categories[i];
    made.schema = put(schema.bytes());
    made.schemaSize = schema.size();
    made.clusters = put(std::as_bytes(std::span(category.clusters)));
    put(std::as_bytes(std::span(category.tags)));
    made.clusterCount = static_cast<std::uint32_t>(category.clusters.size());
    made.tagsCount = static_cast<std::uint32_t>(category.tags.size());
    made.bounds = put(std::as_bytes(std::span(category.keyBounds)));
    made.keys = static_cast<std::uint32_t>(category.keyTables().size());
  }
  auto document = documents.begin();
  for (const auto& [name, place] : contents.documents) {
    *document = place;
    document->name = put(std::as_bytes(std::span(name)));
    document->nameSize = name.size();
    ++document;
  }
  const IndexHead head{static_cast<std::uint32_t>(categories.size()),
                       static_cast<std::uint32_t>(documents.size()),
                       static_cast<std::uint32_t>(contents.others.size()), 0};
  std::byte* out = bytes.data();
  for (const auto part :
       {std::as_bytes(std::span(&head, 1)), std::as_bytes(std::span(categories)),
        std::as_bytes(std::span(documents)), std::as_bytes(std::span(contents.others))}) {
    if (!part.empty())
      std::memcpy(out, part.data(), part.size());
    out += part.size();
  }
  return bytes;
}

} // namespace kaon::store
