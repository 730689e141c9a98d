#include <kaon/formats/hdf5/Hdf5Format.h>

#include <kaon/base/Error.h>
#ifdef KAON_HAS_HDF5
#include <kaon/formats/hdf5/Hdf5File.h>
#include <kaon/formats/hdf5/Hdf5FileWriter.h>
#include <kaon/io/SourcePart.h>
#endif

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

namespace kaon::hdf5 {

bool isHdf5File(std::span<const std::byte> firstBytes) {
  constexpr std::array<unsigned char, 8> signature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n'};
  return firstBytes.size() >= signature.size() &&
         std::memcmp(firstBytes.data(), signature.data(), signature.size()) == 0;
}

std::uint64_t userBlockOf(const io::ByteSource& bytes) {
  constexpr std::uint64_t least = 512, most = std::uint64_t{1} << 20, signatureBytes = 8;
  std::vector<io::ByteRange> places;
  for (std::uint64_t size = least; size <= most && size + signatureBytes <= bytes.size(); size *= 2)
    places.push_back({size, signatureBytes});
  Buffer scratch;
  const auto views = bytes.views(places, scratch);
  const auto found = std::ranges::find_if(views, isHdf5File);
  return found == views.end() ? 0 : places[static_cast<std::size_t>(found - views.begin())].offset;
}

#ifdef KAON_HAS_HDF5

/// Addresses count from the end of the user block.
std::unique_ptr<File> openHdf5File(std::unique_ptr<io::ByteSource> bytes,
                                   const OpenOptions& /*options*/) {
  Buffer scratch;
  if (!isHdf5File(bytes->view(0, std::min<std::uint64_t>(bytes->size(), 8), scratch))) {
    const std::uint64_t begin = userBlockOf(*bytes), end = bytes->size();
    bytes = io::partOf(std::move(bytes), begin, end);
  }
  return readFile(std::move(bytes));
}

std::unique_ptr<Sink> createHdf5File(std::unique_ptr<io::ByteSink> bytes,
                                     const SinkOptions& options) {
  return std::make_unique<Hdf5FileWriter>(std::move(bytes), options);
}

#else

namespace {

[[noreturn]] void failWithout(const std::string& name) {
  fail(ErrorKind::version, name, ": HDF5 files need libhdf5, and this kaon was built without it; ",
       "install libhdf5-dev and build kaon again");
}

} // namespace

std::unique_ptr<File> openHdf5File(std::unique_ptr<io::ByteSource> bytes,
                                   const OpenOptions& /*options*/) {
  failWithout(bytes->name());
}

std::unique_ptr<Sink> createHdf5File(std::unique_ptr<io::ByteSink> bytes,
                                     const SinkOptions& /*options*/) {
  failWithout(bytes->name());
}

#endif

} // namespace kaon::hdf5
