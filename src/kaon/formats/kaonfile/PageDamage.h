#pragma once

#include <kaon/batch/EntrySelection.h>
#include <kaon/formats/kaonfile/FileContents.h>
#include <kaon/io/ByteSource.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace kaon::kaonfile {

/// Entries whose values cannot be read: of one column, or of all.
struct DamagedRange {
  EntryRange entries;
  std::optional<std::uint32_t> column = {};
  std::uint64_t bytes = 0; ///< stored bytes
};

/// The damage in a cluster, or a category.
struct PageDamage {
  std::vector<DamagedRange> ranges;
  std::vector<std::uint64_t> values; ///< number of stored values of each root table, by its number
};

/// Compares the checksums of all pages of a cluster or tags record.
[[nodiscard]] PageDamage damageOf(const io::ByteSource& bytes, FileIdentity file,
                                  const CategoryContents& category, const IndexCluster& index,
                                  RecordKind kind);

/// Compares the checksums of all pages in the clusters of a category, in parallel. Removes its
/// damaged tags records: the clusters have the same values.
[[nodiscard]] PageDamage findDamage(const io::ByteSource& bytes, FileIdentity file,
                                    CategoryContents& category);

} // namespace kaon::kaonfile
