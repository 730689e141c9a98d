#include <kaon/formats/root/ntuple/Usage.h>

#include <kaon/formats/root/container/Blocks.h>
#include <kaon/formats/root/ntuple/Elements.h>

#include <algorithm>

namespace kaon::root {
namespace {

void add(ColumnUsage& usage, codec::Encoding encoding, Codec codec, std::uint64_t bytes) {
  const auto isSame = [&](const StoredForm& form) {
    return form.encoding == encoding && form.codec == codec;
  };
  const auto known = std::ranges::find_if(usage.forms, isSame);
  if (known != usage.forms.end())
    known->bytes += bytes;
  else
    usage.forms.push_back({encoding, codec, bytes});
}

} // namespace

ColumnUsage usageOf(const NTuple& ntuple, std::uint32_t number) {
  const Column& column = ntuple.mapping.schema.columns()[number];
  const Table table = ntuple.mapping.schema.table(column.table);
  const std::uint32_t size = column.role == ColumnRole::member
                                 ? sizeOf(table.members[column.member].type)
                                 : column.elementSize;
  ColumnUsage usage;
  for (const std::uint32_t source : ntuple.storedColumns(column)) {
    const StoredColumn& stored = ntuple.descriptor.columns[source];
    for (const Cluster& cluster : ntuple.clusters) {
      const Cluster::Column pages = cluster.column(source);
      usage.values += pages.elements * size / column.elementSize;
      usage.decodedBytes += pages.elements * size;
      for (const PageLocator& page : cluster.pagesOf(pages)) {
        usage.storedBytes += page.place.bytes;
        const bool isRaw = page.place.bytes == pageBytes(stored, page.elements);
        const auto encoding = isSplit(stored.type) ? codec::Encoding::bytePlanes
                              : isRaw              ? codec::Encoding::raw
                                                   : codec::Encoding::compressed;
        add(usage, encoding, isRaw ? Codec::none : codecOf(pages.compression), page.place.bytes);
      }
    }
  }
  std::ranges::sort(usage.forms, std::ranges::greater{}, &StoredForm::bytes);
  return usage;
}

} // namespace kaon::root
