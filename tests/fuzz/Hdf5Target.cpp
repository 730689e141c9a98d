#include "fuzz/Reading.h"

#include <kaon/formats/hdf5/Hdf5Format.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  kaon::fuzz::readWhole("f.h5", [&] {
    return kaon::hdf5::openHdf5File(kaon::io::memorySource("f.h5", kaon::fuzz::bytesOf(data, size)),
                                    {});
  });
  return 0;
}
