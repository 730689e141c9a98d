#include <kaon/base/Buffer.h>

#include <array>
#include <bit>
#include <new>
#include <span>

namespace kaon {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr bool keepsSpares = false; // so that the use of released memory is found
#else
constexpr bool keepsSpares = true;
#endif

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
    for (const Blocks& blocks : m_blocks)
      for (std::byte* const bytes : std::span(blocks.bytes).first(blocks.size))
        ::operator delete(bytes, std::align_val_t{Buffer::alignment});
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
    ::operator delete(bytes, std::align_val_t{alignment});
}

Buffer::Memory Buffer::allocate(std::size_t capacity) {
  SpareMemory* const spares = SpareMemory::keeps(capacity) ? SpareMemory::get() : nullptr;
  std::byte* bytes = spares ? spares->take(capacity) : nullptr;
  if (!bytes)
    bytes = static_cast<std::byte*>(::operator new(capacity, std::align_val_t{alignment}));
  return Memory(bytes, Release(capacity));
}

void Buffer::enlarge(std::size_t capacity) {
  capacity = std::max(capacity, m_capacity + m_capacity / 2);
  if (SpareMemory::keeps(capacity))
    capacity = std::bit_ceil(capacity);
  Memory grown = allocate(capacity);
  if (m_size > 0)
    std::memcpy(grown.get(), data(), m_size);
  m_bytes = std::move(grown);
  m_capacity = capacity;
}

} // namespace kaon
