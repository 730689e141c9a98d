#include <kaon/io/MappedBytes.h>

#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

namespace kaon::io {

void mapAtOnce([[maybe_unused]] std::span<const std::byte> bytes) noexcept {
#ifdef MADV_POPULATE_READ
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  if (bytes.empty())
    return;
  const auto first = reinterpret_cast<std::uintptr_t>(bytes.data());
  const std::uintptr_t begin = first / page * page;
  (void)::madvise(reinterpret_cast<void*>(begin), first + bytes.size() - begin, MADV_POPULATE_READ);
#endif
}

} // namespace kaon::io
