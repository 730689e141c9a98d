#include <kaon/formats/sio/lcio/EventHeader.h>

#include <kaon/base/Error.h>
#include <kaon/formats/sio/lcio/LcioVersion.h>

namespace kaon::sio::lcio {

void EventHeader::read(BlockReader& in) {
  constexpr std::string_view subsetSuffix = "_References";
  runNumber = in.get<std::int32_t>();
  eventNumber = in.get<std::int32_t>();
  timeStamp = in.get<std::int64_t>();
  detectorName = in.text();
  collections.resize(in.count(2 * sizeof(std::uint32_t)));
  for (ListedCollection& collection : collections) {
    collection.name = in.text();
    collection.type = in.text();
    collection.isSubset = collection.type.ends_with(subsetSuffix);
    if (collection.isSubset)
      collection.type.remove_suffix(subsetSuffix.size());
  }
}

void RunHeader::read(BlockReader& in) {
  runNumber = in.get<std::int32_t>();
  detectorName = in.text();
  description = in.text();
  activeSubdetectors.resize(in.count(sizeof(std::uint32_t)));
  for (std::string_view& name : activeSubdetectors)
    name = in.text();
}

void checkVersion(const LoadedSioRecord& record, const RecordBlock& block) {
  if (block.version < firstVersion || block.version >= endVersion)
    fail(ErrorKind::version, record.reader(block).place().text(), ": is of LCIO's version ",
         block.version >> 16, ".", block.version & 0xFFFF,
         "; kaon reads versions from 0.9 up to 2.x");
}

} // namespace kaon::sio::lcio
