#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/io/ByteSource.h>
#include <kaon/model/Schema.h>
#include <kaon/store/Format.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::store {

/// What a file's index says of one category.
struct CategoryContents {
  std::string name;
  Schema schema;
  std::uint64_t entries = 0;
  std::vector<IndexCluster> clusters;
  std::vector<IndexCluster> tags;
  /// Of each cluster, of each key; none if they are not known.
  std::vector<Bounds> keyBounds;

  [[nodiscard]] std::vector<std::uint32_t> keyTables() const;
};

/// What a file's index says; or, for a file that was not finished or was cut, what its records say.
struct FileContents {
  std::uint64_t fileId = 0;
  std::vector<CategoryContents> categories;
  std::map<std::string, IndexDocument, std::less<>> documents; ///< by name; where their records are
  std::vector<IndexOther> others;
  std::uint64_t end = 0;    ///< where a further record may begin
  std::string warning;      ///< "", or that and why only a part of the file is read
  std::string indexMistake; ///< "", or what is wrong with the index of a file that is complete
};

/// Reads what the file says about itself, in at most two reads if it is complete. Throws
/// Error(version) if it is something else, Error(corrupt) if it is damaged.
[[nodiscard]] FileContents readContents(const io::ByteSource& bytes);

/// The header of the record at `position`, if there is a sound one whose bytes lie in the file.
[[nodiscard]] std::optional<RecordHeader> recordAt(const io::ByteSource& source,
                                                   std::uint64_t fileId, std::uint64_t position);

/// Takes in a record of which header and meta bytes are sound. False, or Error(corrupt), if it does
/// not follow from those taken in before; `file` is for the message.
[[nodiscard]] bool addRecord(FileContents& contents, const RecordHeader& header,
                             std::uint64_t position, std::span<const std::byte> meta,
                             const std::string& file);

/// A record that is expected, for messages too.
struct RecordPlace {
  const std::string& file;
  std::uint64_t fileId;
  RecordKind kind;
  std::uint64_t position;
};

/// Checks a record, header and meta bytes, and returns its header. Throws Error(corrupt).
RecordHeader checkRecord(std::span<const std::byte> record, const RecordPlace& place);

/// Reads and checks a record of which the size is known. Returns its meta bytes, which lie in the
/// source or in `scratch`, aligned. Throws Error(corrupt).
[[nodiscard]] std::span<const std::byte> readRecord(const io::ByteSource& source,
                                                    const RecordPlace& place,
                                                    std::uint64_t metaSize, RecordHeader& header,
                                                    Buffer& scratch);

/// Reads a document's text. Throws Error(corrupt).
[[nodiscard]] std::string readDocument(const io::ByteSource& bytes, std::uint64_t fileId,
                                       std::string_view name, const IndexDocument& place);

/// The meta bytes of an index record.
[[nodiscard]] Buffer indexBytes(const FileContents& contents);

} // namespace kaon::store
