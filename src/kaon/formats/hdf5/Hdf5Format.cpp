#include <kaon/formats/hdf5/Hdf5Format.h>

#include <kaon/base/Error.h>
#ifdef KAON_HAS_HDF5
#include <kaon/formats/hdf5/Hdf5File.h>
#include <kaon/formats/hdf5/Hdf5FileWriter.h>
#endif

#include <array>
#include <cstring>
#include <string>

namespace kaon::hdf5 {

bool isHdf5File(std::span<const std::byte> firstBytes) {
  constexpr std::array<unsigned char, 8> signature{0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n'};
  return firstBytes.size() >= signature.size() &&
         std::memcmp(firstBytes.data(), signature.data(), signature.size()) == 0;
}

#ifdef KAON_HAS_HDF5

std::unique_ptr<File> openHdf5File(std::unique_ptr<io::ByteSource> bytes,
                                   const OpenOptions& /*options*/) {
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
