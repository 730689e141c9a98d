#include "fuzz/Reading.h"
#include "fuzz/Seals.h"

#include <kaon/formats/kaonfile/FileReader.h>
#include <kaon/formats/kaonfile/SalvagedFile.h>
#include <kaon/formats/kaonfile/Verify.h>

#include <vector>

// Reads, salvages and verifies a file after its checksums were corrected.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto input = kaon::fuzz::bytesOf(data, size);
  std::vector<std::byte> file(input.begin(), input.end());
  kaon::fuzz::Seals(file).correct();
  const auto source = [&] { return kaon::io::memorySource("f.kaon", file); };
  kaon::fuzz::readWhole("f.kaon", [&] { return kaon::kaonfile::openFile(source()); });
  kaon::fuzz::readWhole(
      "f.kaon", [&] { return kaon::kaonfile::openSalvaged(source()).file; },
      {kaon::ErrorKind::corrupt, kaon::ErrorKind::version, kaon::ErrorKind::memory});
  kaon::fuzz::expectErrors({kaon::ErrorKind::version}, "f.kaon",
                           [&] { (void)kaon::kaonfile::verify(*source()); });
  return 0;
}
