#pragma once

#include <kaon/formats/kaonfile/ClusterIdentity.h>
#include <kaon/formats/kaonfile/FileStructs.h>
#include <kaon/model/Schema.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::kaonfile {

/// The contents of one category by the file's index.
struct CategoryContents {
  std::uint32_t number = 0; ///< in the order of the categories
  std::string name;
  Schema schema;
  std::uint64_t entries = 0;
  std::vector<IndexCluster> clusters;
  std::vector<IndexCluster> tags;
  /// For each cluster, the bounds of each key; empty if unknown.
  std::vector<Bounds> keyBounds;

  [[nodiscard]] std::vector<std::uint32_t> keyTables() const;
};

/// The place of a document.
struct StoredDocument : IndexDocument {
  std::optional<std::string> knownText; ///< of short documents, which the index contains
};

/// The contents of a file by its index. For unfinished or cut files, by its records.
struct FileContents {
  FileIdentity file;
  std::vector<CategoryContents> categories;
  std::map<std::string, StoredDocument, std::less<>> documents; ///< By name.
  std::vector<IndexOther> others;
  std::uint64_t end = 0;      ///< End of the last record; further records may follow.
  std::uint64_t finished = 0; ///< Bytes of the file when it was finished last, if read by records.
  std::string warning;        ///< Empty, or why only a part of the file is read.
  std::string indexMistake;   ///< Empty, or the mistake in the index of a complete file.
  bool isDamaged = false;     ///< There is more damage than a missing end.

  [[nodiscard]] bool hasCategory(std::string_view name) const;
  /// Returns the numbers of entries for messages: "12 of 'events', 1 of 'runs'".
  [[nodiscard]] std::string entriesText() const;
};

} // namespace kaon::kaonfile
