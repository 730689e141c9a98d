// Runs a fuzz target on each file of the given folders, as libFuzzer's programs do with files:
//
//   kaon_fuzz_hipo FOLDER...
//
// Prints each file's path first, so that the last one is the cause of a crash.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void replay(const std::filesystem::path& path) {
  std::cout << path.string() << std::endl;
  std::ifstream in(path, std::ios::binary);
  const std::vector<char> read{std::istreambuf_iterator<char>(in), {}};
  const std::vector<std::uint8_t> bytes(read.begin(), read.end());
  (void)LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

} // namespace

int main(int argc, char** argv) {
  std::size_t inputs = 0;
  for (int i = 1; i < argc; ++i)
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i]))
      if (entry.is_regular_file()) {
        replay(entry.path());
        ++inputs;
      }
  std::cout << inputs << " inputs" << std::endl;
  return inputs > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
