#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/formats/sio/BlockReader.h>
#include <kaon/formats/sio/Container.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace kaon::sio {

/// A part of a record. Its texts and bytes are the record's.
struct Block {
  std::string_view name;
  std::uint32_t version = 0; ///< see blockVersion()
  std::span<const std::byte> content;
};

/// A record, decompressed, and the blocks in it. Memory is used again for the next one.
class LoadedRecord {
public:
  /// `stored` are the bytes of this range, if they are at hand; they, or the file, outlive it.
  /// Throws Error(corrupt) for what does not decompress, or is no sequence of blocks, Error(io).
  void load(const Container& container, io::ByteRange range,
            std::span<const std::byte> stored = {});

  [[nodiscard]] bool isLoaded() const noexcept { return m_isLoaded; }
  void clear() noexcept { m_isLoaded = false; }
  /// By name.
  [[nodiscard]] std::span<const Block> blocks() const noexcept { return m_blocks; }
  /// The first one of this name; null if there is none.
  [[nodiscard]] const Block* find(std::string_view name) const noexcept;
  /// Throws Error(corrupt) if there is none.
  [[nodiscard]] const Block& get(std::string_view name) const;
  [[nodiscard]] BlockReader reader(const Block& block) const {
    return {block.content, {m_container->name(), m_position, block.name}};
  }

private:
  void findBlocks(std::span<const std::byte> bytes);

  const Container* m_container = nullptr;
  std::uint64_t m_position = 0;
  Buffer m_bytes, m_scratch;
  std::vector<Block> m_blocks;
  bool m_isLoaded = false;
};

} // namespace kaon::sio
