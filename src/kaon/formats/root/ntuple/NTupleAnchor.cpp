#include <kaon/formats/root/ntuple/NTupleAnchor.h>

#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>
#include <kaon/formats/root/container/BigEndian.h>
#include <kaon/formats/root/objects/ObjectHeader.h>

namespace kaon::root {
namespace {

EnvelopeLink getLink(BigEndianReader& reader) {
  EnvelopeLink link;
  link.place.position = reader.get<std::uint64_t>();
  link.place.bytes = reader.get<std::uint64_t>();
  link.length = reader.get<std::uint64_t>();
  return link;
}

} // namespace

NTupleAnchor readAnchor(const RootContainer& container, const RecordKey& key) {
  Buffer storage;
  BigEndianReader reader(container.payload(key, storage),
                         container.name() + ": the anchor of the RNTuple '" + key.name + "'");
  const std::uint32_t count = reader.get<std::uint32_t>() & ~hasByteCount;
  const std::size_t behindCount = reader.position();
  reader.skip(sizeof(std::uint16_t)); // the version of the class
  const std::size_t begin = reader.position();
  const auto epoch = reader.get<std::uint16_t>();
  if (epoch != 1)
    fail(ErrorKind::version, reader.where(), ": is of version ", epoch,
         " of the format; kaon reads version 1");
  // The other parts of the version; additions of later versions can be skipped.
  reader.skip(3 * sizeof(std::uint16_t));
  NTupleAnchor anchor;
  anchor.header = getLink(reader);
  anchor.footer = getLink(reader);
  anchor.maxKeySize = reader.get<std::uint64_t>();
  if (behindCount + count < reader.position())
    reader.failHere("claims to be shorter than it is; the file is damaged");
  reader.seek(behindCount + count); // later versions may be longer
  const auto covered = reader.bytes().subspan(begin, reader.position() - begin);
  if (reader.get<std::uint64_t>() != checksum(covered))
    reader.failHere("does not match its checksum; the file is damaged");
  return anchor;
}

} // namespace kaon::root
