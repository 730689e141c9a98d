#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/base/Bytes.h>
#include <kaon/base/Hash.h>
#include <kaon/formats/kaonfile/ClusterMeta.h>
#include <kaon/formats/kaonfile/ColumnPages.h>
#include <kaon/formats/kaonfile/ContentsReader.h>
#include <kaon/formats/kaonfile/FileRecord.h>
#include <kaon/formats/kaonfile/FileStructs.h>
#include <kaon/io/ByteSource.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace kaon::test {

/// A .kaon file whose structures can be changed. Their checksums are then updated, like those of a
/// deliberate forgery.
class Forgery {
public:
  explicit Forgery(std::span<const std::byte> file) { m_bytes.append(file); }

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return m_bytes.bytes(); }

  template <class Edit>
  void editHeader(Edit edit) {
    auto& header = at<kaonfile::FileHeader>(0);
    edit(header);
    header.checksum =
        checksum(kaonfile::bytesBefore(header, offsetof(kaonfile::FileHeader, checksum)));
  }

  template <class Edit>
  void editEnd(Edit edit) {
    auto& end = at<kaonfile::EndRecord>(m_bytes.size() - sizeof(kaonfile::EndRecord));
    edit(end);
    end.checksum = checksum(kaonfile::bytesBefore(end, offsetof(kaonfile::EndRecord, checksum)));
  }

  /// A cluster's record.
  struct Cluster {
    kaonfile::RecordHeader& header;
    std::map<std::uint32_t, kaonfile::ColumnPages> columns; ///< by number
    std::span<std::byte> pages;

    /// Returns the first page of a column.
    [[nodiscard]] kaonfile::PageEntry& page(std::uint32_t column) {
      return columns.at(column).pages.at(0);
    }
    /// Returns the bytes of a page.
    [[nodiscard]] std::span<std::byte> stored(kaonfile::PageEntry& page) const {
      return page.isShort ? std::span(page.bytes).first(page.size)
                          : pages.subspan(page.position, page.size);
    }
  };
  template <class Edit>
  void editCluster(std::size_t number, Edit edit) {
    editPages(kaonfile::RecordKind::cluster, number, edit);
  }
  /// Edits a cluster or a tags record.
  template <class Edit>
  void editPages(kaonfile::RecordKind kind, std::size_t number, Edit edit) {
    const std::size_t position = record(kind, number);
    const kaonfile::FileContents contents = readContents();
    const kaonfile::CategoryContents& category =
        contents.categories.at(at<kaonfile::RecordHeader>(position).category);
    const Schema& schema = category.schema;
    Cluster cluster = clusterAt(position, contents.file, category);
    const std::uint64_t metaSize = cluster.header.metaSize;
    edit(cluster);
    const std::uint64_t forgedSize = std::exchange(cluster.header.metaSize, metaSize);
    Buffer meta;
    kaonfile::ClusterMetaWriter writer(schema, meta);
    for (auto& [column, described] : cluster.columns) {
      for (kaonfile::PageEntry& page : described.pages)
        if (!page.isShort && page.size <= cluster.pages.size() &&
            page.position <= cluster.pages.size() - page.size)
          page.checksum = kaonfile::pageChecksum(cluster.stored(page));
      writer.add(column, described);
    }
    writer.finish();
    replaceMeta(position, meta.bytes());
    if (forgedSize == metaSize)
      return;
    at<kaonfile::RecordHeader>(position).metaSize = forgedSize;
    seal(position, meta.size());
  }

  /// Edits the bytes of a cluster's block after its checksum, `edit(std::vector<std::byte>&)`.
  template <class Edit>
  void editBlock(std::size_t number, std::uint32_t block, Edit edit) {
    const std::size_t position = record(kaonfile::RecordKind::cluster, number);
    sealBlocks(position); // removes the seals
    const auto old = metaAt(position);
    const auto place = [&](std::uint32_t i) {
      return detail::loadAs<std::uint32_t>(old.data() + kaonfile::blockPlace(i));
    };
    const auto body = old.subspan(place(block) + sizeof(std::uint64_t),
                                  place(block + 1) - place(block) - sizeof(std::uint64_t));
    std::vector<std::byte> bytes(body.begin(), body.end());
    edit(bytes);
    std::vector<std::byte> meta(old.begin(), old.begin() + place(block));
    const auto put = [&meta](std::span<const std::byte> more) {
      meta.insert(meta.end(), more.begin(), more.end());
    };
    const std::uint64_t sum = checksum(bytes);
    put(std::as_bytes(std::span(&sum, 1)));
    put(bytes);
    put(old.subspan(place(block + 1)));
    const auto grown = static_cast<std::uint32_t>(meta.size() - old.size());
    for (std::uint32_t i = block + 1; i <= kaonfile::blocksIn(old); ++i) {
      const std::uint32_t moved = place(i) + grown;
      std::memcpy(meta.data() + kaonfile::blockPlace(i), &moved, sizeof moved);
    }
    replaceMeta(position, meta);
  }

  /// Edits the header of any record.
  template <class Edit>
  void editRecord(kaonfile::RecordKind kind, std::size_t number, Edit edit) {
    const std::size_t position = record(kind, number);
    auto& header = at<kaonfile::RecordHeader>(position);
    const std::uint64_t metaSize = header.metaSize;
    sealBlocks(position); // removes the seals
    edit(header);
    const std::uint64_t forgedSize = std::exchange(header.metaSize, metaSize);
    sealBlocks(position);
    header.metaSize = forgedSize;
    seal(position, metaSize);
  }

  /// Edits the meta bytes of any record, `edit(std::span<std::byte>)`.
  template <class Edit>
  void editMeta(kaonfile::RecordKind kind, std::size_t number, Edit edit) {
    const std::size_t position = record(kind, number);
    const std::uint64_t size = at<kaonfile::RecordHeader>(position).metaSize;
    edit(std::span(m_bytes.data() + position + sizeof(kaonfile::RecordHeader), size));
    seal(position, size);
  }

  /// Removes all seals, as in files of earlier versions.
  void removeSeals() {
    std::size_t position = kaonfile::aligned(sizeof(kaonfile::FileHeader));
    while (position < m_bytes.size()) {
      sealBlocks(position); // removes the seals
      auto& header = at<kaonfile::RecordHeader>(position);
      if (header.kind == kaonfile::RecordKind::end)
        break;
      if (header.kind != kaonfile::RecordKind::cluster && header.kind != kaonfile::RecordKind::tags)
        header.entries = 0;
      seal(position, header.metaSize);
      position = kaonfile::behind(position, header);
    }
    editHeader([](kaonfile::FileHeader& header) { header.flags = 0; });
    editEnd([&](kaonfile::EndRecord& end) {
      end.header = at<kaonfile::FileHeader>(0);
      end.metaChecksum = checksum(std::as_bytes(std::span(&end.header, 1)));
    });
  }

  /// Removes the last bytes.
  void cut(std::size_t bytes) { m_bytes.shrink(m_bytes.size() - bytes); }

  /// The contents of the index.
  struct Index {
    struct Category {
      std::string name;
      std::vector<TableDefinition> tables;
      std::vector<kaonfile::IndexCluster> clusters;
      std::vector<kaonfile::IndexCluster> tags;
      std::vector<kaonfile::Bounds> keyBounds;
      std::uint32_t keys = 0;
    };
    std::vector<Category> categories;
    std::map<std::string, kaonfile::StoredDocument> documents;
  };
  template <class Edit>
  void editIndex(Edit edit) {
    Index index = readIndex();
    edit(index);
    replaceIndex(written(index));
  }
  /// Edits the index's bytes, `edit(std::vector<std::byte>&)`.
  template <class Edit>
  void editIndexBytes(Edit edit) {
    std::vector<std::byte> bytes = indexBytes();
    edit(bytes);
    replaceIndex(bytes);
  }

private:
  template <class T>
  [[nodiscard]] T& at(std::size_t position) {
    return *reinterpret_cast<T*>(m_bytes.data() + position);
  }

  [[nodiscard]] std::size_t record(kaonfile::RecordKind kind, std::size_t number) {
    std::size_t position = kaonfile::aligned(sizeof(kaonfile::FileHeader));
    for (;;) {
      const auto& header = at<kaonfile::RecordHeader>(position);
      if (header.magic != kaonfile::recordMagic)
        throw std::runtime_error("the file lacks the record");
      if (header.kind == kind && number-- == 0)
        return position;
      position = kaonfile::behind(position, header);
    }
  }

  [[nodiscard]] std::span<const std::byte> metaAt(std::size_t position) {
    return bytes().subspan(position + sizeof(kaonfile::RecordHeader),
                           at<kaonfile::RecordHeader>(position).metaSize);
  }

  [[nodiscard]] kaonfile::FileContents readContents() const {
    return kaonfile::readContents(*io::memorySource("forgery", bytes()));
  }

  /// Seals the blocks of a cluster or of tags; a second call removes the seals.
  void sealBlocks(std::size_t position) {
    const auto header = at<kaonfile::RecordHeader>(position);
    if (header.kind != kaonfile::RecordKind::cluster && header.kind != kaonfile::RecordKind::tags)
      return;
    kaonfile::ClusterIdentity identity;
    const auto& file = at<kaonfile::FileHeader>(0);
    identity.file = {file.fileId, file.flags};
    identity.kind = header.kind;
    identity.category = header.category;
    identity.index.firstEntry = header.firstEntry;
    identity.index.entries = header.entries;
    kaonfile::sealBlocks({m_bytes.data() + position + sizeof header, header.metaSize},
                         identity.seal());
  }

  [[nodiscard]] Cluster clusterAt(std::size_t position, const kaonfile::FileIdentity& file,
                                  const kaonfile::CategoryContents& category) {
    auto& header = at<kaonfile::RecordHeader>(position);
    const std::uint64_t pages =
        kaonfile::aligned(position + sizeof header + static_cast<std::size_t>(header.metaSize));
    Cluster cluster{
        header, {}, {m_bytes.data() + pages, static_cast<std::size_t>(header.pagesSize)}};
    const auto source = io::memorySource("forgery", bytes());
    kaonfile::ClusterMeta meta(*source, file, category);
    meta.open({position, header.metaSize, header.pagesSize, header.firstEntry, header.entries,
               kaonfile::blocksIn(metaAt(position))},
              header.kind);
    for (const std::uint32_t column : meta.columns())
      cluster.columns[column] = *meta.column(column);
    return cluster;
  }

  /// Replaces the meta bytes of a record without sealing them, and moves the bytes after them.
  void replaceMeta(std::size_t position, std::span<const std::byte> meta) {
    const std::uint64_t old = at<kaonfile::RecordHeader>(position).metaSize;
    const std::size_t oldEnd = kaonfile::aligned(position + sizeof(kaonfile::RecordHeader) + old);
    const std::size_t end =
        kaonfile::aligned(position + sizeof(kaonfile::RecordHeader) + meta.size());
    const std::uint64_t moved = end - oldEnd; // modulo 2^64
    const bool hasIndex = old != meta.size() && isComplete();
    Index index;
    if (hasIndex)
      index = readIndex();
    std::vector<std::byte> file(bytes().begin(),
                                bytes().begin() + position + sizeof(kaonfile::RecordHeader));
    file.insert(file.end(), meta.begin(), meta.end());
    file.resize(end);
    file.insert(file.end(), bytes().begin() + oldEnd, bytes().end());
    m_bytes.clear();
    m_bytes.append(file);
    at<kaonfile::RecordHeader>(position).metaSize = meta.size();
    sealBlocks(position);
    seal(position, meta.size());
    if (!hasIndex)
      return;
    editEnd([&](kaonfile::EndRecord& record) { record.indexPosition += moved; });
    const auto move = [&](std::uint64_t& place) { place += place > position ? moved : 0; };
    for (Index::Category& category : index.categories)
      for (auto* const holders : {&category.clusters, &category.tags})
        for (kaonfile::IndexCluster& holder : *holders) {
          if (holder.position == position)
            holder.metaSize = meta.size();
          move(holder.position);
        }
    for (auto& [name, document] : index.documents)
      move(document.position);
    replaceIndex(written(index));
  }

  [[nodiscard]] bool isComplete() {
    return m_bytes.size() >= sizeof(kaonfile::EndRecord) &&
           at<kaonfile::EndRecord>(m_bytes.size() - sizeof(kaonfile::EndRecord)).magic ==
               kaonfile::recordMagic;
  }

  void seal(std::size_t position, std::uint64_t metaSize) {
    auto& header = at<kaonfile::RecordHeader>(position);
    header.metaChecksum =
        checksum(bytes().subspan(position + sizeof header, static_cast<std::size_t>(metaSize)));
    header.checksum =
        checksum(kaonfile::bytesBefore(header, offsetof(kaonfile::RecordHeader, checksum)));
  }

  /// Returns the body of the index.
  [[nodiscard]] std::vector<std::byte> indexBytes() {
    Buffer scratch;
    const auto body =
        kaonfile::bodyOf(metaAt(record(kaonfile::RecordKind::index, 0)), scratch, "forgery");
    return {body.begin(), body.end()};
  }

  [[nodiscard]] Index readIndex() {
    Index index;
    const kaonfile::FileContents contents = readContents();
    for (const kaonfile::CategoryContents& category : contents.categories) {
      Index::Category& made = index.categories.emplace_back();
      made.name = category.name;
      for (const Table& table : category.schema.tables())
        made.tables.push_back(table.definition());
      made.clusters = category.clusters;
      made.tags = category.tags;
      made.keyBounds = category.keyBounds;
      made.keys = static_cast<std::uint32_t>(category.keyTables().size());
    }
    index.documents.insert(contents.documents.begin(), contents.documents.end());
    return index;
  }

  /// Returns tables in their form in files, even if they are wrong.
  static Buffer schemaBytesOf(const Index::Category& category) {
    std::vector<kaonfile::SchemaHead> head(1);
    std::vector<kaonfile::SchemaTable> tables;
    std::vector<kaonfile::SchemaMember> members;
    std::string texts, memberTexts;
    const auto put = [](std::string& all, const std::string& text) {
      all += text;
      return static_cast<std::uint32_t>(text.size());
    };
    for (const TableDefinition& table : category.tables) {
      tables.push_back({put(texts, table.name), put(texts, table.type),
                        put(texts, table.description), put(texts, table.group), table.parent,
                        table.rowSize, static_cast<std::uint32_t>(table.members.size()), table.kind,
                        table.layout, table.use, 0});
      for (const MemberDefinition& member : table.members)
        members.push_back({put(memberTexts, member.name), put(memberTexts, member.unit),
                           put(memberTexts, member.description), member.extent, member.offset,
                           member.type, member.precision.kind, member.precision.bits, 0,
                           member.missing, member.precision.low, member.precision.step,
                           member.precision.last, 0});
    }
    texts += memberTexts;
    head[0] = {0, static_cast<std::uint32_t>(tables.size()),
               static_cast<std::uint32_t>(members.size()),
               static_cast<std::uint32_t>(category.name.size()), texts.size()};
    Buffer all;
    for (const auto part : {std::as_bytes(std::span(head)), std::as_bytes(std::span(tables)),
                            std::as_bytes(std::span(members)), std::as_bytes(std::span(texts)),
                            std::as_bytes(std::span(category.name))})
      all.append(part);
    return all;
  }

  [[nodiscard]] static std::vector<std::byte> written(const Index& index) {
    std::vector<std::byte> out(sizeof(kaonfile::IndexHead) +
                               index.categories.size() * sizeof(kaonfile::IndexCategory) +
                               index.documents.size() * sizeof(kaonfile::IndexDocument));
    const auto put = [&out](std::span<const std::byte> more) {
      out.resize((out.size() + 7) / 8 * 8);
      out.insert(out.end(), more.begin(), more.end());
      return out.size() - more.size();
    };
    std::size_t place = 0;
    const auto set = [&](const auto& thing) {
      std::memcpy(out.data() + place, &thing, sizeof thing);
      place += sizeof thing;
    };
    set(kaonfile::IndexHead{static_cast<std::uint32_t>(index.categories.size()),
                            static_cast<std::uint32_t>(index.documents.size()), 0, 0});
    for (const Index::Category& category : index.categories) {
      kaonfile::IndexCategory made;
      const Buffer schema = schemaBytesOf(category);
      made.schema = put(schema.bytes());
      made.schemaSize = schema.size();
      made.clusters = put(std::as_bytes(std::span(category.clusters)));
      put(std::as_bytes(std::span(category.tags)));
      made.clusterCount = static_cast<std::uint32_t>(category.clusters.size());
      made.tagsCount = static_cast<std::uint32_t>(category.tags.size());
      made.bounds = put(std::as_bytes(std::span(category.keyBounds)));
      made.keys = category.keys;
      set(made);
    }
    for (const auto& [name, document] : index.documents) {
      kaonfile::IndexDocument made = document;
      made.name = put(std::as_bytes(std::span(name)));
      made.nameSize = name.size();
      made.text = document.knownText ? put(std::as_bytes(std::span(*document.knownText))) : 0;
      made.textSize = document.knownText ? document.knownText->size() : 0;
      set(made);
    }
    return out;
  }

  void replaceIndex(std::span<const std::byte> body) {
    const Buffer shrunk = kaonfile::shrunk(body, uncompressed());
    const auto meta = shrunk.bytes();
    const std::size_t position = record(kaonfile::RecordKind::index, 0);
    auto header = at<kaonfile::RecordHeader>(position);
    auto end = at<kaonfile::EndRecord>(m_bytes.size() - sizeof(kaonfile::EndRecord));
    header.metaSize = meta.size();
    end.indexSize = meta.size();
    end.checksum = checksum(kaonfile::bytesBefore(end, offsetof(kaonfile::EndRecord, checksum)));
    m_bytes.shrink(position);
    m_bytes.append(std::as_bytes(std::span(&header, 1)));
    m_bytes.append(meta);
    m_bytes.append(std::vector<std::byte>(kaonfile::aligned(m_bytes.size()) - m_bytes.size()));
    m_bytes.append(std::as_bytes(std::span(&end, 1)));
    seal(position, meta.size());
  }

  Buffer m_bytes;
};

} // namespace kaon::test
