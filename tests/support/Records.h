#pragma once

#include <kaon/base/Bytes.h>
#include <kaon/formats/kaonfile/FileStructs.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kaon::test {

/// A record of a .kaon file and its bytes [begin, end).
struct Record {
  kaonfile::RecordHeader header;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  [[nodiscard]] kaonfile::RecordKind kind() const noexcept { return header.kind; }
  /// Returns where its pages begin.
  [[nodiscard]] std::uint64_t pages() const noexcept { return end - header.pagesSize; }
};

/// Returns the records of a whole file, in order.
[[nodiscard]] inline std::vector<Record> recordsOf(std::span<const std::byte> file) {
  std::vector<Record> records;
  std::uint64_t position = kaonfile::aligned(sizeof(kaonfile::FileHeader));
  while (position < file.size()) {
    Record record{detail::loadAs<kaonfile::RecordHeader>(file.data() + position), position, 0};
    record.end = position + sizeof record.header + record.header.metaSize;
    if (record.header.pagesSize > 0)
      record.end = kaonfile::aligned(record.end) + record.header.pagesSize;
    records.push_back(record);
    position = kaonfile::aligned(record.end);
  }
  return records;
}

/// Returns the records of one kind.
[[nodiscard]] inline std::vector<Record> recordsOf(std::span<const std::byte> file,
                                                   kaonfile::RecordKind kind) {
  std::vector<Record> records = recordsOf(file);
  std::erase_if(records, [kind](const Record& record) { return record.kind() != kind; });
  return records;
}

} // namespace kaon::test
