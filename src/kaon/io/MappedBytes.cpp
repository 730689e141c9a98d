#include <kaon/io/MappedBytes.h>

#include <kaon/detail/base/Memory.h>

#include <cerrno>
#include <csignal>
#include <memory>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

namespace kaon::io {

/// Addresses whose faults are handled. Ranges are reused, but never deleted, because the signal
/// handler reads them without a lock.
struct GuardedRange {
  std::atomic<std::uint32_t> version = 0; ///< odd while `begin` and `end` change
  std::atomic<std::uintptr_t> begin = 0;
  std::atomic<std::uintptr_t> end = 0; ///< equal to `begin` if unused
  std::atomic<bool> isDamaged = false;
  GuardedRange* next = nullptr;     ///< of all ranges
  GuardedRange* nextFree = nullptr; ///< of the unused ranges
};

namespace {

static_assert(std::atomic<std::uintptr_t>::is_always_lock_free, "for the signal handler");

constinit std::mutex changing; // guards the ranges and the handler, except in the handler
constinit std::atomic<GuardedRange*> ranges = nullptr;
GuardedRange* freeRanges = nullptr;
std::size_t usedRanges = 0;
bool isHandling = false;
struct sigaction earlier {}; // the handler before kaon's
std::uintptr_t pageBytes = 0;

void setBounds(GuardedRange& range, std::uintptr_t begin, std::uintptr_t end) noexcept {
  range.version.fetch_add(1);
  range.begin.store(begin);
  range.end.store(end);
  range.version.fetch_add(1);
}

[[nodiscard]] bool contains(const GuardedRange& range, std::uintptr_t address) noexcept {
  const std::uint32_t version = range.version.load();
  const std::uintptr_t begin = range.begin.load(), end = range.end.load();
  return version % 2 == 0 && address >= begin && address < end && range.version.load() == version;
}

/// Replaces the page at an address of a map with zeros. Returns false for other addresses.
[[nodiscard]] bool replacePage(std::uintptr_t address) noexcept {
  for (GuardedRange* range = ranges.load(); range; range = range->next)
    if (contains(*range, address)) {
      range->isDamaged.store(true);
      void* const page = detail::memoryAt(address / pageBytes * pageBytes);
      return ::mmap(page, pageBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
             page;
    }
  return false;
}

void handleFault(int signal, ::siginfo_t* info, void* context) {
  const int error = errno;
  const bool isOfSystem = info->si_code > 0; // not of ::kill()
  const bool isReplaced = isOfSystem && replacePage(detail::addressOf(info->si_addr));
  errno = error;
  if (isReplaced)
    return;
  if ((earlier.sa_flags & SA_SIGINFO) != 0)
    return earlier.sa_sigaction(signal, info, context);
  if (earlier.sa_handler != SIG_DFL && earlier.sa_handler != SIG_IGN)
    return earlier.sa_handler(signal);
  if (!isOfSystem && earlier.sa_handler == SIG_IGN)
    return;
  // The program ends when the fault occurs again, or when the signal is delivered again.
  (void)::signal(signal, SIG_DFL);
  if (!isOfSystem)
    (void)::raise(signal);
}

[[nodiscard]] bool isOurs(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == &handleFault;
}

void beginHandling() noexcept {
  if (isHandling)
    return;
  pageBytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  struct sigaction ours {};
  ours.sa_sigaction = &handleFault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  (void)::sigemptyset(&ours.sa_mask);
  isHandling =
      ::sigaction(SIGBUS, nullptr, &earlier) == 0 && ::sigaction(SIGBUS, &ours, nullptr) == 0;
}

/// Restores the earlier handler. Keeps kaon's if a later handler may call it.
void endHandling() noexcept {
  struct sigaction now {};
  if (isHandling && ::sigaction(SIGBUS, nullptr, &now) == 0 && isOurs(now))
    isHandling = ::sigaction(SIGBUS, &earlier, nullptr) != 0;
}

/// Guards a range. A caller that maps it later cannot fail for lack of memory then.
[[nodiscard]] GuardedRange& newRange() {
  const std::scoped_lock lock(changing);
  if (!freeRanges) {
    auto range = std::make_unique<GuardedRange>();
    range->next = ranges.load();
    freeRanges = range.get();
    ranges.store(range.release());
  }
  GuardedRange& range = *freeRanges;
  freeRanges = range.nextFree;
  range.isDamaged.store(false);
  if (usedRanges++ == 0)
    beginHandling();
  return range;
}

void release(GuardedRange& range) noexcept {
  const std::scoped_lock lock(changing);
  setBounds(range, 0, 0);
  range.nextFree = freeRanges;
  freeRanges = &range;
  if (--usedRanges == 0)
    endHandling();
}

} // namespace

MappedBytes::MappedBytes(const std::string& name, const FileDescriptor& file, std::size_t size)
    : m_data(nullptr), m_size(size), m_range(&newRange()) {
  void* const map = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number(), 0);
  if (map == MAP_FAILED) {
    const int error = errno;
    release(*m_range);
    errno = error;
    failWithErrno(name, "cannot map into memory");
  }
  m_data = static_cast<const std::byte*>(map);
  const auto begin = detail::addressOf(map);
  setBounds(*m_range, begin, begin + (size + pageBytes - 1) / pageBytes * pageBytes);
}

MappedBytes::~MappedBytes() {
  release(*m_range);
  ::munmap(const_cast<std::byte*>(m_data), m_size);
}

void MappedBytes::unload(std::span<const std::byte> bytes) noexcept {
  // Whole pages of the system only: their neighbours may be in use.
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = (detail::addressOf(bytes.data()) + page - 1) / page * page;
  const auto end = (detail::addressOf(bytes.data()) + bytes.size()) / page * page;
  if (begin < end)
    (void)::madvise(detail::memoryAt(begin), end - begin, MADV_DONTNEED);
}

bool MappedBytes::isDamaged() const noexcept { return m_range->isDamaged.load(); }

} // namespace kaon::io
