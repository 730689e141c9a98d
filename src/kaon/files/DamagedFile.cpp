#include <kaon/files/DamagedFile.h>

#include <kaon/base/Error.h>
#include <kaon/files/Format.h>
#include <kaon/files/ListedEntries.h>
#include <kaon/files/PathBytes.h>
#include <kaon/formats/kaonfile/Salvage.h>
#include <kaon/formats/kaonfile/SalvagedFile.h>

#include <utility>

namespace kaon {

DamagedFile openDamaged(const std::string& path, const OpenOptions& options) {
  return openDamaged(bytesAt(path, options), options);
}

DamagedFile openDamaged(std::unique_ptr<io::ByteSource> bytes, const OpenOptions& options) {
  if (!kaonfile::hasRecords(*bytes)) {
    const Format& format = formatOf(*bytes);
    if (&format != &formats().front())
      fail(ErrorKind::usage, bytes->name(), ": only damage of .kaon files can be skipped, not of ",
           format.name, " files");
  }
  kaonfile::SalvagedPart part = kaonfile::openSalvaged(std::move(bytes), options);
  return {withEntries(std::move(part.file), options), std::move(part.report)};
}

} // namespace kaon
