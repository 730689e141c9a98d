#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/model/Storage.h>

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

/// The decoded bytes of a cluster unless a user says otherwise: 16 MiB, but where there are very
/// many columns 4 KiB each, that pages do not get too small to be compressed well.
[[nodiscard]] constexpr std::size_t usualClusterBytes(std::size_t columns) {
  constexpr std::size_t least = 16 * 1024 * 1024, ofColumn = 4 * 1024;
  return std::max(least, columns * ofColumn);
}

} // namespace detail

/// How files are written.
struct WriterOptions {
  Compression codec = zstd(1);
  /// Of all collections; else as their model says, or the file that they come from.
  std::optional<Layout> layout = {};
  /// Of single collections, by name; goes before all else. Of parameters and values, such as
  /// records of no model's datatype, there is only the precision.
  std::map<std::string, Storage, std::less<>> storage = {};
  /// Forced ones, by column: "MCParticles.PDG"; "MCParticles" is its counts, or its rows.
  std::map<std::string, codec::Scheme, std::less<>> encodings = {};
  Favour favour = Favour::balance; ///< of what is found best for the others

  // A cluster is written when the entries gathered reach one of these; it bounds the memory.
  std::size_t clusterBytes = 0;      ///< decoded; 0: usualClusterBytes()
  std::uint32_t clusterEntries = 0;  ///< 0: any number
  std::size_t pageBytes = 64 * 1024; ///< decoded bytes of a page's largest column; in rows, of all
                                     ///< columns of the collection or group
  /// Memory of all that the writer gathers, encodes and keeps, however many categories, columns and
  /// fillers there are; 0: 64 MiB, or four times clusterBytes if that is more. Where it is short,
  /// clusters get smaller, and those that wait for others go to a file without a name beside the
  /// one that is written.
  std::size_t memoryBudget = 0;
  [[nodiscard]] std::size_t bytesOfMemory() const noexcept {
    constexpr std::size_t least = 64 * 1024 * 1024;
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 4;
    return memoryBudget > 0 ? memoryBudget : std::max(least, 4 * std::min(clusterBytes, most));
  }
  /// Those of a cluster of a category with so many columns.
  [[nodiscard]] std::size_t bytesOfCluster(std::size_t columns) const noexcept {
    return std::min(clusterBytes > 0 ? clusterBytes : detail::usualClusterBytes(columns),
                    std::max<std::size_t>(bytesOfMemory() / 2, 1));
  }

  /// Parameters of one number, which every frame of a category has or none: read by the ten
  /// million without touching the events.
  std::vector<std::string> tags = {};
  /// Integer parameters by which events are found. Also integers of collections with one object in
  /// every frame, such as "EventHeader.eventNumber". The file has them sorted, by the first
  /// of them, then by the second; see Find.h.
  std::vector<std::string> keys = {};
  /// Each entry, be it of a frame or of a batch, gets the values "provenance.file" and
  /// "provenance.entry": File::id() and entry that it was read from, 0 for new ones. The file's
  /// name stands in the document "source:ID".
  bool provenance = false;
  /// What the files that frames come from say about themselves goes into the new file, merged by
  /// its rules; see Writer::metadata().
  bool copyMetadata = true;

  /// Goes on behind what the file at the path contains, which stays as it is unless the writer
  /// finishes. One whose last writer was killed is finished first, with a warning.
  bool append = false;

  /// "kaon", "rntuple", "ttree", "podio", "hipo", "podio-sio", "lcio", "hdf5"; empty: what the
  /// path's suffix says, kaon where that says nothing.
  std::string format = {};

  /// What of them is for the sink.
  [[nodiscard]] SinkOptions forSink() const {
    return {.codec = codec,
            .pageBytes = pageBytes,
            .encodings = encodings,
            .favour = favour,
            .spareBytes = bytesOfMemory() / 8,
            .keys = keys,
            .keyBytes = bytesOfMemory() / 4,
            .format = format};
  }
  /// What of them is about tables.
  [[nodiscard]] detail::StorageRules rules() const;
};

} // namespace kaon
