#include "fuzz/Reading.h"

#include <kaon/base/Hash.h>
#include <kaon/formats/root/RootFile.h>
#include <kaon/formats/root/ntuple/Envelope.h>
#include <kaon/formats/root/ntuple/NTupleDescriptor.h>

#include <bit>
#include <cstring>
#include <vector>

// Reads the trees, RNTuples, frames and objects of a ROOT file after the checksums of uncompressed
// RNTuples were corrected.

namespace kaon::root {
namespace {

/// The checksum of bytes, at their end.
void seal(std::span<std::byte> bytes, std::uint64_t position, std::uint64_t count) {
  constexpr std::size_t size = sizeof(std::uint64_t);
  if (count < size || position > bytes.size() || count > bytes.size() - position)
    return;
  const auto covered =
      bytes.subspan(static_cast<std::size_t>(position), static_cast<std::size_t>(count) - size);
  const std::uint64_t sum = checksum(covered);
  std::memcpy(covered.data() + covered.size(), &sum, size);
}

void sealNTuple(std::span<std::byte> bytes, const RootContainer& container, const RecordKey& key) {
  constexpr std::size_t versionBytes = 6, anchorBytes = 64;
  const std::uint64_t anchorBegin = key.position + key.keyBytes + versionBytes;
  if (anchorBegin > bytes.size() ||
      bytes.size() - anchorBegin < anchorBytes + sizeof(std::uint64_t))
    return;
  const auto covered = bytes.subspan(static_cast<std::size_t>(anchorBegin), anchorBytes);
  std::uint64_t sum = checksum(covered);
  if constexpr (std::endian::native == std::endian::little)
    sum = __builtin_bswap64(sum);
  std::memcpy(covered.data() + anchorBytes, &sum, sizeof sum);
  const NTupleAnchor anchor = readAnchor(container, key);
  const auto sealLink = [&](const EnvelopeLink& link) {
    seal(bytes, link.place.position, link.place.bytes);
  };
  sealLink(anchor.header);
  // Footers and page lists repeat the checksum of the header.
  const auto repeatHeader = [&](const EnvelopeLink& link, std::uint64_t offset) {
    const auto& [position, stored] = anchor.header.place;
    if (stored < sizeof sum || position + stored > bytes.size() ||
        link.place.position > bytes.size() ||
        bytes.size() - link.place.position < offset + sizeof sum)
      return;
    std::memmove(bytes.data() + link.place.position + offset,
                 bytes.data() + position + stored - sizeof sum, sizeof sum);
  };
  constexpr std::uint64_t inFooter = 16, inPageList = 8;
  repeatHeader(anchor.footer, inFooter);
  sealLink(anchor.footer);
  for (const ClusterGroup& group : readDescriptor(container, anchor, "f.root").groups) {
    repeatHeader(group.pageList, inPageList);
    sealLink(group.pageList);
  }
}

void correctChecksums(std::span<std::byte> bytes) {
  try {
    const RootContainer container(io::memorySource("f.root", bytes));
    for (const ListedObject& object : container.objects())
      if (object.key.className == "ROOT::RNTuple")
        sealNTuple(bytes, container, object.key);
  } catch (const Error&) { // it is not readable
  }
}

} // namespace
} // namespace kaon::root

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto input = kaon::fuzz::bytesOf(data, size);
  std::vector<std::byte> file(input.begin(), input.end());
  kaon::root::correctChecksums(file);
  kaon::fuzz::readWhole("f.root", [&] {
    return kaon::root::openRootFile(kaon::io::memorySource("f.root", file), {.verify = false});
  });
  return 0;
}
