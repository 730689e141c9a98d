#include <kaon/tools/Recover.h>

#include <kaon/base/Error.h>
#include <kaon/files/Format.h>
#include <kaon/files/PathBytes.h>
#include <kaon/formats/kaonfile/SalvagedFile.h>
#include <kaon/formats/kaonfile/SoundCopy.h>
#include <kaon/io/ByteSink.h>

#include <filesystem>

namespace kaon {

Recovery recover(const std::string& in, const std::string& out, const Progress& progress) {
  std::error_code ignored; // the new file does not exist yet
  if (std::filesystem::equivalent(in, out, ignored))
    fail(ErrorKind::usage, out, ": is the file to be read; write to another one");
  if (&formatToWrite(out, {}) != &formatToWrite(".kaon", {}))
    fail(ErrorKind::usage, out, ": recover writes only .kaon files; use convert for other formats");
  const kaonfile::SalvagedPart part = kaonfile::openSalvaged(bytesAt(in, {}));
  kaonfile::copySound(part, io::fileSink(out), progress);
  return part.report;
}

} // namespace kaon
