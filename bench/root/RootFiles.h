#pragma once

#include "common/Harness.h"

#include <ROOT/RNTupleReadOptions.hxx>
#include <ROOT/RNTupleReader.hxx>
#include <ROOT/RNTupleWriteOptions.hxx>
#include <TBranch.h>
#include <TBufferFile.h>
#include <TFile.h>
#include <TTree.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

/// ROOT's number for a codec and its level, 100 * codec + level. The levels are kaon's. ROOT's
/// default levels (LZ4 4, which is LZ4-HC, and zstd 5) write several times slower.
struct RootCodec {
  const char* name;
  int settings;
};
inline constexpr std::array<RootCodec, 3> rootCodecs{{{"none", 0}, {"lz4", 401}, {"zstd", 501}}};
inline constexpr std::array<RootCodec, 5> allRootCodecs{
    {{"none", 0}, {"lz4", 401}, {"zstd", 501}, {"zlib", 101}, {"lzma", 201}}};

[[nodiscard]] inline ROOT::RNTupleWriteOptions writeOptions(const RootCodec& codec) {
  ROOT::RNTupleWriteOptions options;
  options.SetCompression(static_cast<std::uint32_t>(codec.settings));
  return options;
}

/// Returns options without read-ahead, which costs time if the file is in the page cache.
[[nodiscard]] inline ROOT::RNTupleReadOptions readOptions() {
  ROOT::RNTupleReadOptions options;
  options.SetClusterCache(ROOT::RNTupleReadOptions::EClusterCache::kOff);
  return options;
}

/// Calls `use(first entry in its cluster, first entry of all, entries)` for pieces of a file's
/// clusters of at most `most` entries each.
template <class Use>
void forEachPiece(ROOT::RNTupleReader& reader, std::size_t most, Use use) {
  const ROOT::RNTupleDescriptor& descriptor = reader.GetDescriptor();
  for (const auto& cluster : descriptor.GetClusterIterable())
    for (std::size_t first = 0; first < cluster.GetNEntries(); first += most)
      use(ROOT::RNTupleLocalIndex(cluster.GetId(), first), cluster.GetFirstEntryIndex() + first,
          std::min<std::size_t>(most, cluster.GetNEntries() - first));
}

/// Removes a file. Keeps it for kaon to read, as WORKLOAD.tree.lz4.root, if the options say so.
inline void leaveFile(const Options& options, const std::string& path, const std::string& kind,
                      const RootCodec& codec) {
  if (options.keep.empty())
    std::filesystem::remove(path);
  else
    std::filesystem::rename(
        path, std::filesystem::path(path).replace_extension(kind + "." + codec.name + ".root"));
}

[[nodiscard]] inline std::unique_ptr<TFile> openFile(const std::string& path, const char* mode,
                                                     int compression = 0) {
  std::unique_ptr<TFile> file(TFile::Open(path.c_str(), mode, "", compression));
  if (!file || file->IsZombie())
    throw std::runtime_error(path + ": cannot be opened");
  return file;
}

/// Reads a branch of numbers basket by basket, in the form of the file, which is big-endian.
template <class T>
class BasketReader {
public:
  BasketReader(TTree& tree, const char* name) : m_branch(tree.GetBranch(name)) {
    if (!m_branch)
      throw std::runtime_error(std::string("no branch ") + name);
  }

  /// Reads the entries of the next basket. Returns their number.
  std::size_t next() {
    const int entries = m_branch->GetBulkRead().GetEntriesSerialized(m_entry, m_buffer);
    if (entries <= 0)
      throw std::runtime_error(std::string(m_branch->GetName()) + ": cannot be read in bulk");
    m_entry += entries;
    return static_cast<std::size_t>(entries);
  }
  [[nodiscard]] Long64_t nextEntry() const { return m_entry; }

  /// Returns the first `count` values of the basket. They are valid until the next call.
  [[nodiscard]] std::span<const T> values(std::size_t count) {
    if (m_values.size() < count)
      m_values.resize(count);
    const char* const stored = m_buffer.GetCurrent();
    for (std::size_t i = 0; i < count; ++i)
      m_values[i] = fromBigEndian(stored + i * sizeof(T));
    return {m_values.data(), count};
  }

private:
  [[nodiscard]] static T fromBigEndian(const char* bytes) {
    if constexpr (sizeof(T) == 1) {
      return static_cast<T>(*bytes);
    } else {
      using Bits = std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint32_t>;
      Bits bits;
      std::memcpy(&bits, bytes, sizeof bits);
      if constexpr (sizeof(T) == 2)
        return std::bit_cast<T>(__builtin_bswap16(bits));
      else
        return std::bit_cast<T>(__builtin_bswap32(bits));
    }
  }

  TBranch* m_branch;
  TBufferFile m_buffer{TBuffer::kWrite, 1024 * 1024};
  Long64_t m_entry = 0;
  std::vector<T> m_values;
};

[[nodiscard]] inline double sizeOf(const std::string& path) {
  return static_cast<double>(std::filesystem::file_size(path));
}

} // namespace bench
