#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/model/Datatype.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

namespace detail {

struct StorageRules;

/// Returns the default size of a cluster, in decoded bytes: 16 MiB, or 4 KiB per column if that is
/// more. The latter keeps the pages of very many columns large enough to compress well.
[[nodiscard]] constexpr std::size_t usualClusterBytes(std::size_t columns) {
  constexpr std::size_t least = 16 * 1024 * 1024, ofColumn = 4 * 1024;
  return std::max(least, columns * ofColumn);
}

} // namespace detail

/// How files are written.
struct WriterOptions {
  Compression codec = zstd(1);
  /// For all collections. Without it, a collection has the layout of its model, or of the file that
  /// it comes from.
  std::optional<Layout> layout = {};
  /// For single collections, by name; takes precedence over all other settings. For parameters and
  /// values, such as records without a model's datatype, only the precision applies.
  std::map<std::string, Storage, std::less<>> storage = {};
  /// Forced encodings by column, such as "MCParticles.PDG". "MCParticles" names its counts, or its
  /// rows.
  std::map<std::string, codec::Scheme, std::less<>> encodings = {};
  EncodingGoal goal = EncodingGoal::balance; ///< how to choose all others

  // The writer writes a cluster when the collected entries reach one of these limits. This bounds
  // the memory.
  std::size_t clusterBytes = 0;     ///< decoded bytes; 0: usualClusterBytes()
  std::uint32_t clusterEntries = 0; ///< 0: no limit
  /// Decoded bytes of a page's largest column; in layout row, of all columns of the collection or
  /// group.
  std::size_t pageBytes = 64 * 1024;
  /// Memory in bytes for everything that the writer collects, encodes and keeps, for any number of
  /// categories, columns and fillers. 0 means 64 MiB, or four times clusterBytes if that is more.
  /// If memory is short, clusters become smaller. Clusters that wait for others then go to an
  /// unnamed file beside the output file.
  std::size_t memoryBudget = 0;
  [[nodiscard]] std::size_t bytesOfMemory() const noexcept {
    constexpr std::size_t least = 64 * 1024 * 1024;
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 4;
    return memoryBudget > 0 ? memoryBudget : std::max(least, 4 * std::min(clusterBytes, most));
  }
  /// Returns the size of a cluster, in decoded bytes, for a category with this number of columns.
  [[nodiscard]] std::size_t bytesOfCluster(std::size_t columns) const noexcept {
    return std::min(clusterBytes > 0 ? clusterBytes : detail::usualClusterBytes(columns),
                    std::max<std::size_t>(bytesOfMemory() / 2, 1));
  }

  /// Parameters of one number, stored apart from the events: reading ten million of them touches no
  /// other data. If one frame of a category has the parameter, all its frames must have it.
  std::vector<std::string> tags = {};
  /// Integer parameters to find events by. Integers of collections with one object in every frame
  /// also work, such as "EventHeader.eventNumber". The file stores them sorted by the first key,
  /// then by the second. See Category::find().
  std::vector<std::string> keys = {};
  /// Adds the values "provenance.file" and "provenance.entry" to each entry: the File::id() and
  /// entry that it was read from, or 0 for new entries. The document "source:ID" has the file's
  /// name. Works for frames and batches.
  bool provenance = false;
  /// Copies the metadata of the files that frames come from, merged by its rules; see
  /// Writer::metadata().
  bool copyMetadata = true;

  /// Appends to the file at the path, which stays unchanged unless the writer finishes. A file
  /// whose last writer was killed is completed first, with a warning.
  bool append = false;

  /// When bytes are made durable. `cluster` and `flush` need a .kaon file: files of other formats
  /// cannot be read before they are finished.
  Sync sync = Sync::finish;

  /// The format: "kaon", "rntuple", "ttree", "podio", "hipo", "podio-sio", "lcio" or "hdf5". If
  /// empty, the path's suffix decides; kaon for other suffixes.
  std::string format = {};

  /// Returns the options for the sink.
  [[nodiscard]] SinkOptions forSink() const {
    return {.codec = codec,
            .pageBytes = pageBytes,
            .encodings = encodings,
            .goal = goal,
            .spareBytes = bytesOfMemory() / 8,
            .keys = keys,
            .keyBytes = bytesOfMemory() / 4,
            .format = format,
            .sync = sync};
  }
  /// Returns the options for tables.
  [[nodiscard]] detail::StorageRules rules() const;
};

} // namespace kaon
