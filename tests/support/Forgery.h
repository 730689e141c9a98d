#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/base/Bytes.h>
#include <kaon/base/Hash.h>
#include <kaon/formats/kaon/ContentsReader.h>
#include <kaon/formats/kaon/Format.h>
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

/// A .kaon file whose structures can be changed: their checksums are made to fit afterwards, as by
/// one who wants to be believed.
class Forgery {
public:
  explicit Forgery(std::span<const std::byte> file) { m_bytes.append(file); }

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return m_bytes.bytes(); }

  template <class Edit>
  void editHeader(Edit edit) {
    auto& header = at<store::FileHeader>(0);
    edit(header);
    header.checksum = checksum(store::bytesBefore(header, offsetof(store::FileHeader, checksum)));
  }

  template <class Edit>
  void editEnd(Edit edit) {
    auto& end = at<store::EndRecord>(m_bytes.size() - sizeof(store::EndRecord));
    edit(end);
    end.checksum = checksum(store::bytesBefore(end, offsetof(store::EndRecord, checksum)));
  }

  /// The parts of a cluster's record.
  struct Cluster {
    store::RecordHeader& header;
    store::ClusterHead& head;
    std::span<store::ClusterGroup> groups;
    std::span<store::ClusterColumn> columns;
    std::span<store::PageEntry> entries;
    std::span<store::Bounds> bounds;
    std::span<store::ClusterBoundary> boundaries;
    std::span<std::byte> pages;

    /// The first page of a column.
    [[nodiscard]] store::PageEntry& page(std::uint32_t column) const {
      for (const store::ClusterColumn& each : columns)
        if (each.column == column)
          return entries[each.firstPage];
      throw std::runtime_error("the cluster lacks the column");
    }
    /// The bytes of a page.
    [[nodiscard]] std::span<std::byte> stored(const store::PageEntry& page) const {
      return pages.subspan(page.position, page.size);
    }
  };
  template <class Edit>
  void editCluster(std::size_t number, Edit edit) {
    editPages(store::RecordKind::cluster, number, edit);
  }
  /// A cluster, or tags.
  template <class Edit>
  void editPages(store::RecordKind kind, std::size_t number, Edit edit) {
    const std::size_t position = record(kind, number);
    Cluster cluster = clusterAt(position);
    const std::span<std::byte> pages = cluster.pages;
    const std::span<store::PageEntry> entries = cluster.entries;
    const std::uint64_t metaSize = cluster.header.metaSize;
    edit(cluster);
    for (store::PageEntry& page : entries)
      if (page.size <= pages.size() && page.position <= pages.size() - page.size)
        page.checksum = checksum(pages.subspan(page.position, page.size));
    seal(position, metaSize);
  }

  /// The header of any record.
  template <class Edit>
  void editRecord(store::RecordKind kind, std::size_t number, Edit edit) {
    const std::size_t position = record(kind, number);
    auto& header = at<store::RecordHeader>(position);
    const std::uint64_t metaSize = header.metaSize;
    edit(header);
    seal(position, metaSize);
  }

  /// The meta bytes of any record, `edit(std::span<std::byte>)`.
  template <class Edit>
  void editMeta(store::RecordKind kind, std::size_t number, Edit edit) {
    const std::size_t position = record(kind, number);
    const std::uint64_t size = at<store::RecordHeader>(position).metaSize;
    edit(std::span(m_bytes.data() + position + sizeof(store::RecordHeader), size));
    seal(position, size);
  }

  /// Takes away the last bytes.
  void cut(std::size_t bytes) { m_bytes.shrink(m_bytes.size() - bytes); }

  /// What the index says.
  struct Index {
    struct Category {
      std::string name;
      std::vector<TableDefinition> tables;
      std::vector<store::IndexCluster> clusters;
      std::vector<store::IndexCluster> tags;
      std::vector<store::Bounds> keyBounds;
      std::uint32_t keys = 0;
    };
    std::vector<Category> categories;
    std::map<std::string, store::IndexDocument> documents;
  };
  template <class Edit>
  void editIndex(Edit edit) {
    Index index = readIndex();
    edit(index);
    replaceIndex(written(index));
  }
  /// Changes the index's bytes, `edit(std::vector<std::byte>&)`.
  template <class Edit>
  void editIndexBytes(Edit edit) {
    const auto meta = indexBytes();
    std::vector<std::byte> bytes(meta.begin(), meta.end());
    edit(bytes);
    replaceIndex(bytes);
  }

private:
  template <class T>
  [[nodiscard]] T& at(std::size_t position) {
    return *reinterpret_cast<T*>(m_bytes.data() + position);
  }

  [[nodiscard]] std::size_t record(store::RecordKind kind, std::size_t number) {
    std::size_t position = store::aligned(sizeof(store::FileHeader));
    for (;;) {
      const auto& header = at<store::RecordHeader>(position);
      if (header.magic != store::recordMagic)
        throw std::runtime_error("the file lacks the record");
      if (header.kind == kind && number-- == 0)
        return position;
      position = store::behind(position, header);
    }
  }

  [[nodiscard]] Cluster clusterAt(std::size_t position) {
    auto& header = at<store::RecordHeader>(position);
    std::byte* meta = m_bytes.data() + position + sizeof header;
    auto& head = at<store::ClusterHead>(position + sizeof header);
    meta += sizeof head;
    const auto take = [&meta]<class T>(T*, std::size_t count) {
      const std::span<T> taken(reinterpret_cast<T*>(meta), count);
      meta += taken.size_bytes();
      return taken;
    };
    const auto groups = take(static_cast<store::ClusterGroup*>(nullptr), head.groups);
    const auto columns = take(static_cast<store::ClusterColumn*>(nullptr), head.columns);
    const auto entries = take(static_cast<store::PageEntry*>(nullptr), head.pages);
    const auto bounds = take(static_cast<store::Bounds*>(nullptr), head.bounds);
    const auto boundaries = take(static_cast<store::ClusterBoundary*>(nullptr), head.boundaries);
    const std::uint64_t pages = store::aligned(position + sizeof header + header.metaSize);
    return {header,     head,
            groups,     columns,
            entries,    bounds,
            boundaries, {m_bytes.data() + pages, static_cast<std::size_t>(header.pagesSize)}};
  }

  void seal(std::size_t position, std::uint64_t metaSize) {
    auto& header = at<store::RecordHeader>(position);
    header.metaChecksum =
        checksum(bytes().subspan(position + sizeof header, static_cast<std::size_t>(metaSize)));
    header.checksum = checksum(store::bytesBefore(header, offsetof(store::RecordHeader, checksum)));
  }

  [[nodiscard]] std::span<const std::byte> indexBytes() {
    const std::size_t position = record(store::RecordKind::index, 0);
    return bytes().subspan(position + sizeof(store::RecordHeader),
                           at<store::RecordHeader>(position).metaSize);
  }

  [[nodiscard]] Index readIndex() {
    Index index;
    const auto source = io::memorySource("forgery", bytes());
    const store::FileContents contents = store::readContents(*source);
    for (const store::CategoryContents& category : contents.categories) {
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

  /// Tables as files have them, however wrong they are.
  static Buffer schemaOf(const Index::Category& category) {
    std::vector<store::SchemaHead> head(1);
    std::vector<TableRecord> tables;
    std::vector<MemberRecord> members;
    std::string texts;
    const auto put = [&texts](const std::string& text) {
      const TextPlace place{static_cast<std::uint32_t>(texts.size()),
                            static_cast<std::uint32_t>(text.size())};
      texts += text;
      return place;
    };
    for (const TableDefinition& table : category.tables) {
      tables.push_back({put(table.name), put(table.type), put(table.description), put(table.group),
                        table.parent, table.rowSize, static_cast<std::uint32_t>(members.size()),
                        static_cast<std::uint32_t>(table.members.size()), table.kind, table.layout,
                        table.use, 0, 0});
      for (const MemberDefinition& member : table.members)
        members.push_back({put(member.name), put(member.unit), put(member.description),
                           member.extent, member.offset, member.missing, member.precision.low,
                           member.precision.step, member.type, member.precision.kind,
                           member.precision.bits, 0, 0});
    }
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
    std::vector<std::byte> out(sizeof(store::IndexHead) +
                               index.categories.size() * sizeof(store::IndexCategory) +
                               index.documents.size() * sizeof(store::IndexDocument));
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
    set(store::IndexHead{static_cast<std::uint32_t>(index.categories.size()),
                         static_cast<std::uint32_t>(index.documents.size()), 0, 0});
    for (const Index::Category& category : index.categories) {
      store::IndexCategory made;
      const Buffer schema = schemaOf(category);
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
      store::IndexDocument made = document;
      made.name = put(std::as_bytes(std::span(name)));
      made.nameSize = name.size();
      set(made);
    }
    return out;
  }

  void replaceIndex(std::span<const std::byte> meta) {
    const std::size_t position = record(store::RecordKind::index, 0);
    auto header = at<store::RecordHeader>(position);
    auto end = at<store::EndRecord>(m_bytes.size() - sizeof(store::EndRecord));
    header.metaSize = meta.size();
    end.indexSize = meta.size();
    end.checksum = checksum(store::bytesBefore(end, offsetof(store::EndRecord, checksum)));
    m_bytes.shrink(position);
    m_bytes.append(std::as_bytes(std::span(&header, 1)));
    m_bytes.append(meta);
    m_bytes.append(std::vector<std::byte>(store::aligned(m_bytes.size()) - m_bytes.size()));
    m_bytes.append(std::as_bytes(std::span(&end, 1)));
    seal(position, meta.size());
  }

  Buffer m_bytes;
};

} // namespace kaon::test
