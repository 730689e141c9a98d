#include "fuzz/Reading.h"

#include <kaon/formats/hipo/HipoFile.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  kaon::fuzz::readWhole("f.hipo", [&] {
    return kaon::hipo::openHipoFile(
        kaon::io::memorySource("f.hipo", kaon::fuzz::bytesOf(data, size)), {});
  });
  return 0;
}
