#include "fuzz/Reading.h"

#include <kaon/formats/sio/SioFile.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  kaon::fuzz::readWhole("f.sio", [&] {
    return kaon::sio::openSioFile(kaon::io::memorySource("f.sio", kaon::fuzz::bytesOf(data, size)),
                                  {});
  });
  return 0;
}
