#include <kaon/formats/hdf5/Hdf5Format.h>

#include "support/Contents.h"
#include "support/Errors.h"
#include "support/RoundTrip.h"
#include "support/Tables.h"

#include <kaon/batch/BatchBuilder.h>
#include <kaon/io/ByteSink.h>
#include <kaon/io/ByteSource.h>

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

// What kaon writes as HDF5 it reads back the same. What h5py makes of it, and kaon of h5py's files,
// is in tests/python/test_hdf5_files.py.

namespace kaon::hdf5 {
namespace {

using test::contentsOf;
using test::expectError;

/// An HDF5 file in memory, as RoundTrip wants it.
struct Hdf5Writing {
  explicit Hdf5Writing(const SinkOptions& options = {})
      : sink(createHdf5File(io::memorySink("memory.h5", bytes), options)), writer(*sink) {}
  Buffer bytes;
  std::unique_ptr<Sink> sink;
  Sink& writer;
  [[nodiscard]] std::unique_ptr<File> finished() {
    writer.finish();
    return openHdf5File(io::memorySource("memory.h5", bytes.bytes()), {});
  }
};

class Hdf5RoundTrip : public testing::TestWithParam<std::tuple<Compression, std::size_t, Layout>> {
};
INSTANTIATE_TEST_SUITE_P(
    Options, Hdf5RoundTrip,
    testing::Combine(testing::Values(uncompressed(), zlib(6), zstd()),
                     testing::Values(std::size_t{16}, std::size_t{64} << 10), // bytes of a chunk
                     testing::Values(Layout::split, Layout::row)));

TEST_P(Hdf5RoundTrip, givesBackAnyEvents) {
  const auto& [codec, pageBytes, layout] = GetParam();
  test::expectRandomEventsBack<Hdf5Writing>({.codec = codec, .pageBytes = pageBytes}, layout);
}

} // namespace
} // namespace kaon::hdf5
