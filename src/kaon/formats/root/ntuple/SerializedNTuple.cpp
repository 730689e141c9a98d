#include <kaon/formats/root/ntuple/SerializedNTuple.h>

#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>
#include <kaon/formats/root/container/Blocks.h>
#include <kaon/formats/root/ntuple/Elements.h>
#include <kaon/formats/root/ntuple/Envelope.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace kaon::root {
namespace {

constexpr std::array<std::string_view, columnTypes> typeNames{
    "Bit",         "Byte",        "Char",         "Int8",         "UInt8",       "Int16",
    "UInt16",      "Int32",       "UInt32",       "Int64",        "UInt64",      "Real16",
    "Real32",      "Real64",      "Index32",      "Index64",      "Switch",      "SplitInt16",
    "SplitUInt16", "SplitInt32",  "SplitUInt32",  "SplitInt64",   "SplitUInt64", "SplitReal16",
    "SplitReal32", "SplitReal64", "SplitIndex32", "SplitIndex64", "Real32Trunc", "Real32Quant"};

SerializedForm formOf(const StoredColumn& column) {
  SerializedForm form;
  form.type = typeNames[static_cast<std::size_t>(column.type)];
  form.bits = column.bits;
  if (column.type == NTupleColumnType::Real32Quant) {
    form.low = column.low;
    form.step = (column.high - column.low) / (std::ldexp(1., column.bits) - 1);
  }
  return form;
}

} // namespace

std::vector<SerializedPage> serializedPages(const NTuple& ntuple, std::uint32_t column,
                                            EntryRange entries) {
  std::vector<SerializedPage> pages;
  const auto stored = ntuple.storedColumns(ntuple.mapping.schema.columns()[column]);
  for (std::size_t number = 0; number < ntuple.clusters.size() && !stored.empty(); ++number) {
    const Cluster& cluster = ntuple.clusters[number];
    const EntryRange all{cluster.firstEntry, cluster.firstEntry + cluster.entries};
    if (all.first >= entries.last || all.last <= entries.first)
      continue;
    const std::uint32_t representation = ntuple.representation(number, stored);
    const StoredColumn& info = ntuple.descriptor.columns[representation];
    for (const PageLocator& place : cluster.pagesOf(cluster.column(representation))) {
      SerializedPage& page = pages.emplace_back();
      page.column = column;
      page.entries = all;
      page.firstElement = place.firstElement;
      page.elements = place.elements;
      page.form = formOf(info);
      page.decompressedBytes = pageBytes(info, place.elements);
      page.hasChecksum = place.hasChecksum;
      page.position = place.place.position;
      page.storedBytes = place.place.bytes + (place.hasChecksum ? pageChecksumBytes : 0);
    }
  }
  return pages;
}

void readSerialized(const NTuple& ntuple, SerializedPage& page, const io::FetchedRanges& fetched,
                    Buffer& room) {
  const auto known = fetched.find(page.position, page.storedBytes);
  const auto all = known ? *known
                         : readBlob(ntuple.container.bytes(), {page.position, page.storedBytes},
                                    ntuple.descriptor.maxKeySize, room, ntuple.name);
  page.bytes = all.first(all.size() - (page.hasChecksum ? pageChecksumBytes : 0));
  if (page.hasChecksum)
    page.checksum = detail::loadAs<std::uint64_t>(page.bytes.data() + page.bytes.size());
  const bool isSound = !page.hasChecksum || !ntuple.container.options().verify ||
                       page.checksum == checksum(page.bytes);
  if (!isSound || !canBecome(page.bytes.size(), page.decompressedBytes))
    fail(ErrorKind::corrupt, ntuple.name, ": the page at byte ", page.position,
         isSound ? " claims to hold more than it can" : " does not match its checksum",
         "; the file is damaged");
}

} // namespace kaon::root
