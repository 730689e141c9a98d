#include <kaon/formats/kaonfile/ClusterIdentity.h>

#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>

#include <cstring>

namespace kaon::kaonfile {
namespace {

/// Returns whether the file begins with a sound header of another file.
bool isOfAnotherFile(const io::ByteSource& bytes, std::uint64_t fileId) {
  if (bytes.size() < sizeof(FileHeader))
    return false;
  try {
    Buffer scratch;
    const auto header =
        detail::loadAs<FileHeader>(bytes.view(0, sizeof(FileHeader), scratch).data());
    return header.magic == fileMagic && header.fileId != fileId &&
           header.checksum == checksum(bytesBefore(header, offsetof(FileHeader, checksum)));
  } catch (const Error&) {
    return false; // The original mistake is reported instead.
  }
}

} // namespace

std::uint64_t ClusterIdentity::seal() const noexcept {
  if (!file.isSealed())
    return 0;
  const SealedFields place{file.id, index.firstEntry, index.entries, category, kind, 0};
  return checksum(std::as_bytes(std::span(&place, 1)));
}

std::string_view ClusterIdentity::mistakeIn(const RecordHeader& header) const noexcept {
  if (header.fileId != file.id)
    return "it belongs to another file";
  if (header.metaSize != index.metaSize || header.pagesSize != index.pagesSize ||
      header.firstEntry != index.firstEntry || header.entries != index.entries)
    return "it has other entries than the index says";
  if (header.kind != kind || header.category != category)
    return "it is of another kind or category than the index says";
  return "";
}

void sealBlocks(std::span<std::byte> meta, std::uint64_t seal) noexcept {
  const std::uint32_t blocks = blocksIn(meta);
  for (std::uint32_t block = 0; seal != 0 && block < blocks; ++block) {
    const auto begin = detail::loadAs<std::uint32_t>(meta.data() + blockPlace(block));
    const auto end = detail::loadAs<std::uint32_t>(meta.data() + blockPlace(block + 1));
    if (begin == end)
      continue;
    const std::uint64_t sum = detail::loadAs<std::uint64_t>(meta.data() + begin) ^ seal;
    std::memcpy(meta.data() + begin, &sum, sizeof sum);
  }
}

std::string causeOfDamage(const io::ByteSource& bytes, std::uint64_t fileId) {
  return isOfAnotherFile(bytes, fileId)
             ? "; another file was written over it after it was opened: open it again"
             : "; the file is damaged";
}

} // namespace kaon::kaonfile
