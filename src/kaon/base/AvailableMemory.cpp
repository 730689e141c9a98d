#include <kaon/base/AvailableMemory.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>
#include <unistd.h>

namespace kaon {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// Returns the bytes in the line of /proc/meminfo that begins with this name.
std::uint64_t memoryInfo(const std::string& name) {
  std::ifstream file("/proc/meminfo");
  std::string word;
  while (file >> word)
    if (std::uint64_t kibibytes = 0; word == name && file >> kibibytes)
      return kibibytes * 1024;
  return unlimited;
}

/// Returns the number in a file; unlimited if the file is missing or says "max".
std::uint64_t numberIn(const char* path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  return file >> number ? number : unlimited;
}

/// Returns the bytes of the machine's memory.
std::uint64_t machineMemory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long pageBytes = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && pageBytes > 0
             ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(pageBytes)
             : unlimited;
}

} // namespace

std::uint64_t availableMemory() {
  const std::uint64_t ofGroup = std::min(numberIn("/sys/fs/cgroup/memory.max"),
                                         numberIn("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
  return std::min({memoryInfo("MemAvailable:"), machineMemory(), ofGroup});
}

} // namespace kaon
