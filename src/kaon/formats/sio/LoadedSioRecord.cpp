#include <kaon/formats/sio/LoadedSioRecord.h>

#include <kaon/base/Error.h>
#include <kaon/codec/Contexts.h>
#include <kaon/codec/Decompressors.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/formats/sio/SioRecord.h>

#include <algorithm>
#include <libdeflate.h>

namespace kaon::sio {
namespace {

[[noreturn]] void failDamaged(const SioContainer& container, std::uint64_t position,
                              std::string_view what) {
  fail(ErrorKind::corrupt, container.where(position), ": ", what, "; the file is damaged");
}

/// Decompresses zlib to exactly these bytes. Some writers count the padding of a record.
bool decompress(std::span<const std::byte> stored, std::span<std::byte> out) {
  constexpr std::size_t mostPadding = 3;
  codec::requireDecompressor(Codec::zlib);
  libdeflate_decompressor* const context = codec::deflateDecompressor();
  std::size_t taken = 0;
  return context &&
         libdeflate_zlib_decompress_ex(context, stored.data(), stored.size(), out.data(),
                                       out.size(), &taken, nullptr) == LIBDEFLATE_SUCCESS &&
         stored.size() - taken <= mostPadding;
}

} // namespace

void LoadedSioRecord::load(const SioContainer& container, io::ByteRange range,
                           std::span<const std::byte> stored) {
  constexpr std::uint64_t mostGrowth = 1032; // of zlib
  m_isLoaded = false;
  m_container = &container;
  m_position = range.offset;
  const auto record =
      stored.empty() ? container.bytes().view(range.offset, range.count, m_scratch) : stored;
  const auto header = readRecordHeader(record);
  if (!header || header->bytesInFile() != range.count)
    failDamaged(container, m_position,
                "differs from the record at this place when the file was opened");
  const auto data = record.subspan(header->headerBytes);
  if (!header->isCompressed) {
    findBlocks(data);
  } else {
    if (header->bytes / mostGrowth > header->storedBytes)
      failDamaged(container, m_position, "claims to hold more than it can");
    if (!decompress(data, m_bytes.assign(header->bytes)))
      failDamaged(container, m_position, "does not decompress to the expected bytes");
    findBlocks(m_bytes.bytes());
  }
  m_isLoaded = true;
}

void LoadedSioRecord::findBlocks(std::span<const std::byte> bytes) {
  m_blocks.clear();
  while (!bytes.empty()) {
    const auto word = [&](std::size_t number) {
      return loadBigEndian<std::uint32_t>(bytes.data() + 4 * number);
    };
    if (bytes.size() < blockHeaderBytes || word(1) != blockMark)
      failDamaged(*m_container, m_position, "contains data that are not a block");
    const std::uint64_t size = word(0), nameBytes = word(3);
    const std::uint64_t begin = blockHeaderBytes + (nameBytes + 3) / 4 * 4;
    if (size > bytes.size() || size % 4 != 0 || begin > size)
      failDamaged(*m_container, m_position, "has a block that does not fit into it");
    m_blocks.push_back({{detail::valuesAt<char>(bytes.data()) + blockHeaderBytes,
                         static_cast<std::size_t>(nameBytes)},
                        word(2),
                        bytes.subspan(begin, size - begin)});
    bytes = bytes.subspan(size);
  }
  if (!std::ranges::is_sorted(m_blocks, {}, &RecordBlock::name)) // LCIO's blocks are sorted
    std::ranges::stable_sort(m_blocks, {}, &RecordBlock::name);
}

const RecordBlock* LoadedSioRecord::find(std::string_view name) const noexcept {
  const auto block = std::ranges::lower_bound(m_blocks, name, {}, &RecordBlock::name);
  return block == m_blocks.end() || block->name != name ? nullptr : &*block;
}

const RecordBlock& LoadedSioRecord::get(std::string_view name) const {
  const RecordBlock* const block = find(name);
  if (!block)
    fail(ErrorKind::corrupt, m_container->where(m_position), ": has no block '", name,
         "'; the file is damaged");
  return *block;
}

} // namespace kaon::sio
