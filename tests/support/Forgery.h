#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/base/Bytes.h>
#include <kaon/base/Hash.h>
#include <kaon/store/Format.h>

#include <cstddef>
#include <cstdint>
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
  void editTrailer(Edit edit) {
    auto& trailer = at<store::FileTrailer>(m_bytes.size() - sizeof(store::FileTrailer));
    edit(trailer);
    trailer.checksum =
        checksum(store::bytesBefore(trailer, offsetof(store::FileTrailer, checksum)));
  }

  /// The parts of a cluster's record.
  struct Cluster {
    store::RecordHeader& header;
    store::ClusterHead& head;
    std::span<store::ClusterGroup> groups;
    std::span<store::ClusterColumn> columns;
    std::span<store::PageEntry> entries;
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
    const std::size_t position = record(store::RecordKind::cluster, number);
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

  /// What the index says.
  struct Index {
    struct Cluster {
      std::uint64_t position = 0;
      std::uint64_t firstEntry = 0;
      std::uint32_t entries = 0;
    };
    struct Category {
      std::string name;
      std::vector<Table> tables;
      std::vector<Cluster> clusters;
    };
    std::vector<Category> categories;
    std::map<std::string, std::string> documents;
  };
  template <class Edit>
  void editIndex(Edit edit) {
    Index index = readIndex();
    edit(index);
    replaceIndex(written(index).bytes());
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
      const std::uint64_t pages = store::aligned(position + sizeof header + header.metaSize);
      position = store::aligned(pages + header.pagesSize);
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
    const auto boundaries = take(static_cast<store::ClusterBoundary*>(nullptr), head.boundaries);
    const std::uint64_t pages = store::aligned(position + sizeof header + header.metaSize);
    return {header,
            head,
            groups,
            columns,
            entries,
            boundaries,
            {m_bytes.data() + pages, static_cast<std::size_t>(header.pagesSize)}};
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
    ByteReader in(indexBytes(), "index");
    Index index;
    index.categories.resize(in.get<std::uint32_t>());
    for (Index::Category& category : index.categories) {
      category.name = in.getString();
      category.tables.resize(in.get<std::uint32_t>());
      for (Table& table : category.tables)
        table = store::readTable(in);
      category.clusters.resize(in.get<std::uint32_t>());
      for (Index::Cluster& cluster : category.clusters) {
        cluster.position = in.get<std::uint64_t>();
        cluster.firstEntry = in.get<std::uint64_t>();
        cluster.entries = in.get<std::uint32_t>();
      }
    }
    const auto documents = in.get<std::uint32_t>();
    for (std::uint32_t i = 0; i < documents; ++i) {
      std::string name = in.getString();
      index.documents[name] = in.getString();
    }
    return index;
  }

  [[nodiscard]] static ByteWriter written(const Index& index) {
    ByteWriter out;
    out.put(static_cast<std::uint32_t>(index.categories.size()));
    for (const Index::Category& category : index.categories) {
      out.put(category.name);
      out.put(static_cast<std::uint32_t>(category.tables.size()));
      for (const Table& table : category.tables)
        store::writeTable(out, table);
      out.put(static_cast<std::uint32_t>(category.clusters.size()));
      for (const Index::Cluster& cluster : category.clusters) {
        out.put(cluster.position);
        out.put(cluster.firstEntry);
        out.put(cluster.entries);
      }
    }
    out.put(static_cast<std::uint32_t>(index.documents.size()));
    for (const auto& [name, text] : index.documents) {
      out.put(name);
      out.put(text);
    }
    return out;
  }

  void replaceIndex(std::span<const std::byte> meta) {
    const std::size_t position = record(store::RecordKind::index, 0);
    auto header = at<store::RecordHeader>(position);
    auto trailer = at<store::FileTrailer>(m_bytes.size() - sizeof(store::FileTrailer));
    header.metaSize = meta.size();
    m_bytes.shrink(position);
    m_bytes.append(std::as_bytes(std::span(&header, 1)));
    m_bytes.append(meta);
    m_bytes.append(std::vector<std::byte>(store::aligned(m_bytes.size()) - m_bytes.size()));
    m_bytes.append(std::as_bytes(std::span(&trailer, 1)));
    seal(position, meta.size());
  }

  Buffer m_bytes;
};

} // namespace kaon::test
