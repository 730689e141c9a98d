#include <kaon/base/Buffer.h>

#include <array>
#include <bit>
#include <limits>
#include <new>
#include <span>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace kaon {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr bool keepsSpares = false; // so that the use of released memory is found
#else
constexpr bool keepsSpares = true;
#endif

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
/// Memory of at least this size is a map of its own. It grows without a copy, and the system gets
/// it back at once. The allocator would keep up to twice the size of the largest block that it
/// freed, for each thread.
constexpr std::size_t leastMap = std::size_t{1} << 20;

/// Returns the memory that the system mapped. Throws std::bad_alloc if it mapped no memory.
std::byte* mapped(void* memory) {
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  return static_cast<std::byte*>(memory);
}

std::byte* map(std::size_t size) {
  return mapped(::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}
std::byte* remap(std::byte* bytes, std::size_t size, std::size_t newSize) {
  return mapped(::mremap(bytes, size, newSize, MREMAP_MAYMOVE));
}
void unmap(std::byte* bytes, std::size_t size) noexcept { ::munmap(bytes, size); }
#else
constexpr std::size_t leastMap = std::numeric_limits<std::size_t>::max();
std::byte* map(std::size_t /*size*/) { throw std::bad_alloc(); }
std::byte* remap(std::byte* /*bytes*/, std::size_t /*size*/, std::size_t /*newSize*/) {
  throw std::bad_alloc();
}
void unmap(std::byte* /*bytes*/, std::size_t /*size*/) noexcept {}
#endif

std::byte* takeFromSystem(std::size_t capacity) {
  if (capacity >= leastMap)
    return map(capacity);
  return static_cast<std::byte*>(::operator new(capacity, std::align_val_t{Buffer::alignment}));
}

void giveToSystem(std::byte* bytes, std::size_t capacity) noexcept {
  if (capacity >= leastMap)
    unmap(bytes, capacity);
  else
    ::operator delete(bytes, std::align_val_t{Buffer::alignment});
}

/// Released memory of one thread, by power of two.
class SpareMemory {
public:
  static constexpr std::size_t least = 256; // rows of a few objects: aligned memory is expensive
  static constexpr std::size_t most = std::size_t{4} << 20;

  /// Returns the spares of this thread; null while the thread ends.
  static SpareMemory* get() noexcept {
    thread_local SpareMemory spares;
    return ended() ? nullptr : &spares;
  }
  [[nodiscard]] static bool keeps(std::size_t capacity) noexcept {
    return keepsSpares && capacity >= least && capacity <= most;
  }
  [[nodiscard]] std::byte* take(std::size_t capacity) noexcept {
    Blocks& blocks = m_blocks[classOf(capacity)];
    if (blocks.size == 0)
      return nullptr;
    m_total -= capacity;
    return blocks.bytes[--blocks.size];
  }
  [[nodiscard]] bool keep(std::byte* bytes, std::size_t capacity) noexcept {
    if (m_total + capacity > total)
      return false;
    Blocks& blocks = m_blocks[classOf(capacity)];
    if (blocks.size == blocks.bytes.size())
      return false;
    blocks.bytes[blocks.size++] = bytes;
    m_total += capacity;
    return true;
  }

private:
  static constexpr std::size_t total = std::size_t{8} << 20;
  static constexpr std::size_t classes = std::bit_width(most / least);

  /// A fixed array, because nothing here may throw.
  struct Blocks {
    std::array<std::byte*, 64> bytes{};
    std::size_t size = 0;
  };

  SpareMemory() = default;
  ~SpareMemory() {
    ended() = true;
    for (std::size_t number = 0; number < classes; ++number)
      for (std::byte* const bytes : std::span(m_blocks[number].bytes).first(m_blocks[number].size))
        giveToSystem(bytes, least << number);
  }
  /// Static buffers may outlive the spares of their thread.
  static bool& ended() noexcept {
    thread_local bool hasEnded = false;
    return hasEnded;
  }
  [[nodiscard]] static std::size_t classOf(std::size_t capacity) noexcept {
    return static_cast<std::size_t>(std::bit_width(capacity / least)) - 1;
  }

  std::array<Blocks, classes> m_blocks;
  std::size_t m_total = 0;
};

} // namespace

void Buffer::Release::operator()(std::byte* bytes) const noexcept {
  SpareMemory* const spares = SpareMemory::keeps(capacity) ? SpareMemory::get() : nullptr;
  if (!spares || !spares->keep(bytes, capacity))
    giveToSystem(bytes, capacity);
}

Buffer::Memory Buffer::allocate(std::size_t capacity) {
  SpareMemory* const spares = SpareMemory::keeps(capacity) ? SpareMemory::get() : nullptr;
  std::byte* bytes = spares ? spares->take(capacity) : nullptr;
  if (!bytes)
    bytes = takeFromSystem(capacity);
  return Memory(bytes, Release(capacity));
}

void Buffer::enlarge(std::size_t capacity) {
  capacity = std::max(capacity, m_capacity + m_capacity / 2);
  if (SpareMemory::keeps(capacity))
    capacity = std::bit_ceil(capacity);
  if (m_capacity >= leastMap && !SpareMemory::keeps(capacity)) {
    std::byte* const grown = remap(data(), m_capacity, capacity);
    (void)m_bytes.release();
    m_bytes = Memory(grown, Release(capacity));
    m_capacity = capacity;
    return;
  }
  Memory grown = allocate(capacity);
  if (m_size > 0)
    std::memcpy(grown.get(), data(), m_size);
  m_bytes = std::move(grown);
  m_capacity = capacity;
}

} // namespace kaon
