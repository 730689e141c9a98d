#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/formats/sio/BlockReader.h>
#include <kaon/formats/sio/SioContainer.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace kaon::sio {

/// A part of a record. Its name and content point into the record.
struct RecordBlock {
  std::string_view name;
  std::uint32_t version = 0; ///< see blockVersion()
  std::span<const std::byte> content;
};

/// A decompressed record and its blocks. The memory is reused for the next record.
class LoadedSioRecord {
public:
  /// Loads the record at `range`. `stored` has its bytes if they were fetched already. They, or the
  /// file, must outlive this. Throws Error(corrupt) for records that do not decompress or are not a
  /// sequence of blocks. Throws Error(io).
  void load(const SioContainer& container, io::ByteRange range,
            std::span<const std::byte> stored = {});

  [[nodiscard]] bool isLoaded() const noexcept { return m_isLoaded; }
  void clear() noexcept { m_isLoaded = false; }
  /// The blocks, sorted by name.
  [[nodiscard]] std::span<const RecordBlock> blocks() const noexcept { return m_blocks; }
  /// Returns the first block of this name, or null.
  [[nodiscard]] const RecordBlock* find(std::string_view name) const noexcept;
  /// Throws Error(corrupt) if the block is missing.
  [[nodiscard]] const RecordBlock& get(std::string_view name) const;
  [[nodiscard]] BlockReader reader(const RecordBlock& block) const {
    return {block.content, {m_container->name(), m_position, block.name}};
  }

private:
  void findBlocks(std::span<const std::byte> bytes);

  const SioContainer* m_container = nullptr;
  std::uint64_t m_position = 0;
  Buffer m_bytes, m_scratch;
  std::vector<RecordBlock> m_blocks;
  bool m_isLoaded = false;
};

} // namespace kaon::sio
