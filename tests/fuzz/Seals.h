#pragma once

#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>
#include <kaon/formats/kaonfile/ClusterIdentity.h>
#include <kaon/formats/kaonfile/ClusterMeta.h>
#include <kaon/formats/kaonfile/ContentsReader.h>
#include <kaon/formats/kaonfile/FileStructs.h>
#include <kaon/io/ByteSource.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace kaon::fuzz {

/// Corrects the checksums of a .kaon file with any bytes, as far as its structures can be found.
/// Readers then see changes that checksums would reveal.
class Seals {
public:
  explicit Seals(std::span<std::byte> file) : m_file(file) {}

  void correct() {
    if (m_file.size() < sizeof(kaonfile::FileHeader))
      return;
    sealBefore<kaonfile::FileHeader>(0, offsetof(kaonfile::FileHeader, checksum));
    for (std::size_t at = kaonfile::aligned(sizeof(kaonfile::FileHeader));
         at + sizeof(kaonfile::RecordHeader) <= m_file.size(); at += kaonfile::alignment)
      sealRecord(at);
    try {
      sealPages();
    } catch (const Error&) { // the index is not readable
    }
  }

private:
  using Record = kaonfile::RecordHeader;

  template <class T>
  [[nodiscard]] T at(std::size_t position) const {
    return detail::loadAs<T>(m_file.data() + position);
  }
  template <class T>
  void put(std::size_t position, const T& value) {
    std::memcpy(m_file.data() + position, &value, sizeof value);
  }
  /// Corrects the checksum of a struct, which covers the bytes before it.
  template <class T>
  void sealBefore(std::size_t position, std::size_t sum) {
    put(position + sum, checksum(m_file.subspan(position, sum)));
  }
  [[nodiscard]] std::span<std::byte> metaAt(std::size_t position, const Record& record) {
    const auto rest = m_file.subspan(position + sizeof record);
    return rest.first(
        static_cast<std::size_t>(std::min<std::uint64_t>(record.metaSize, rest.size())));
  }
  [[nodiscard]] static bool hasBlocks(const Record& record) {
    return record.kind == kaonfile::RecordKind::cluster ||
           record.kind == kaonfile::RecordKind::tags;
  }

  void sealRecord(std::size_t position) {
    const auto record = at<Record>(position);
    if (record.magic != kaonfile::recordMagic)
      return;
    const std::span<std::byte> meta = metaAt(position, record);
    if (hasBlocks(record))
      sealBlocks(record, meta);
    put(position + offsetof(Record, metaChecksum), checksum(meta));
    sealBefore<Record>(position, offsetof(Record, checksum));
  }

  void sealBlocks(const Record& record, std::span<std::byte> meta) {
    const auto header = at<kaonfile::FileHeader>(0);
    const kaonfile::ClusterIdentity identity{
        .file = {header.fileId, header.flags},
        .kind = record.kind,
        .category = record.category,
        .index = {.firstEntry = record.firstEntry, .entries = record.entries}};
    const std::uint64_t seal = identity.seal();
    const std::uint32_t blocks = kaonfile::blocksIn(meta);
    for (std::uint32_t block = 0; block < blocks; ++block) {
      if (kaonfile::blockPlace(block + 1) + sizeof(std::uint32_t) > meta.size())
        return;
      const auto place = [&](std::uint32_t i) {
        return std::size_t{detail::loadAs<std::uint32_t>(meta.data() + kaonfile::blockPlace(i))};
      };
      const std::size_t begin = place(block), end = place(block + 1);
      if (end > meta.size() || begin > end || end - begin < sizeof(std::uint64_t))
        continue;
      const std::uint64_t sum =
          checksum(meta.subspan(begin + sizeof sum, end - begin - sizeof sum)) ^ seal;
      std::memcpy(meta.data() + begin, &sum, sizeof sum);
    }
  }

  /// Corrects the checksums of pages. They are found by their wrong value.
  void sealPages() {
    const auto source = io::memorySource("f.kaon", m_file);
    const kaonfile::FileContents contents = kaonfile::readContents(*source);
    for (const kaonfile::CategoryContents& category : contents.categories)
      for (const auto* const holders : {&category.clusters, &category.tags})
        for (const kaonfile::IndexCluster& holder : *holders)
          try {
            sealPages(*source, contents.file, category, holder,
                      holders == &category.clusters ? kaonfile::RecordKind::cluster
                                                    : kaonfile::RecordKind::tags);
          } catch (const Error&) { // the cluster is not readable
          }
  }
  void sealPages(const io::ByteSource& source, const kaonfile::FileIdentity& file,
                 const kaonfile::CategoryContents& category, const kaonfile::IndexCluster& holder,
                 kaonfile::RecordKind kind) {
    if (holder.position > m_file.size() || m_file.size() - holder.position < sizeof(Record))
      return;
    const auto record = at<Record>(holder.position);
    const std::span<std::byte> meta = metaAt(holder.position, record);
    const std::uint64_t pages = kaonfile::aligned(holder.position + sizeof record + meta.size());
    kaonfile::ClusterMeta columns(source, file, category);
    columns.open(holder, kind);
    std::vector<kaonfile::PageEntry> wrong;
    for (const std::uint32_t column : columns.columns())
      for (const kaonfile::PageEntry& page : columns.column(column)->pages)
        if (!page.isShort)
          wrong.push_back(page);
    for (const kaonfile::PageEntry& page : wrong) {
      if (pages > m_file.size() || page.position > m_file.size() - pages ||
          page.size > m_file.size() - pages - page.position)
        continue;
      const std::uint32_t sum = kaonfile::pageChecksum(m_file.subspan(
          static_cast<std::size_t>(pages + page.position), static_cast<std::size_t>(page.size)));
      const auto stored = std::as_bytes(std::span(&page.checksum, 1));
      if (const auto found = std::ranges::search(meta, stored); !found.empty())
        std::memcpy(found.data(), &sum, sizeof sum);
    }
    sealRecord(holder.position);
  }

  std::span<std::byte> m_file;
};

} // namespace kaon::fuzz
