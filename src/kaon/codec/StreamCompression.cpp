#include <kaon/codec/StreamCompression.h>

#include <kaon/base/OfThread.h>
#include <kaon/base/Stop.h>
#include <kaon/codec/Contexts.h>
#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <lz4.h>
#include <utility>
#include <zstd.h>

namespace kaon::codec {
namespace {

/// Returns the most bytes that compressed ones may take.
std::size_t mostBytesOf(std::size_t size) { return size - (size + 31) / 32; }

bool compressZstd(int level, std::size_t size, const BytesAt& bytes, PartOutput& out) {
  auto& memory = ofThread<Buffer>();
  ZSTD_CCtx* const context = zstdCompressor();
  if (!context || ZSTD_isError(ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters)) ||
      ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)) ||
      ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(context, size)))
    return false;
  const std::uint64_t end = out.size() + mostBytesOf(size);
  const std::span<std::byte> room = memory.assign(partBytes);
  for (std::size_t first = 0; first < size;) {
    checkStop();
    const Bytes part = bytes(first, std::min(partBytes, size - first));
    first += part.size();
    ZSTD_inBuffer in{part.data(), part.size(), 0};
    const bool isLast = first == size;
    for (std::size_t left = 1; isLast ? left > 0 : in.pos < in.size;) {
      ZSTD_outBuffer to{room.data(), room.size(), 0};
      left = ZSTD_compressStream2(context, &to, &in, isLast ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left))
        return false;
      out.append(room.first(to.pos));
      if (out.size() > end)
        return false;
    }
  }
  return true;
}

/// Reads the sequences of an LZ4 block: literals, then a match with earlier bytes. The last
/// sequence has only literals.
class Lz4Sequences {
public:
  explicit Lz4Sequences(Bytes block) : m_block(block) {}

  /// Moves to the next sequence. Returns false if the block is damaged.
  [[nodiscard]] bool next() {
    if (m_at >= m_block.size())
      return false;
    const auto token = std::to_integer<unsigned>(m_block[m_at++]);
    std::size_t count = token >> 4;
    if (!extend(count) || count > m_block.size() - m_at)
      return false;
    m_literals = m_block.subspan(m_at, count);
    m_at += count;
    m_isLast = m_at == m_block.size();
    m_matchBegin = m_at;
    m_matchBits = token & 15;
    if (m_isLast)
      return m_matchBits == 0;
    if (m_block.size() - m_at < 2)
      return false;
    m_distance = std::to_integer<std::size_t>(m_block[m_at]) |
                 std::to_integer<std::size_t>(m_block[m_at + 1]) << 8;
    m_at += 2;
    m_matched = m_matchBits;
    if (!extend(m_matched))
      return false;
    m_matched += 4;
    return m_distance > 0;
  }
  [[nodiscard]] bool isLast() const noexcept { return m_isLast; }
  [[nodiscard]] Bytes literals() const noexcept { return m_literals; }
  [[nodiscard]] std::size_t distance() const noexcept { return m_distance; }
  [[nodiscard]] std::size_t matched() const noexcept { return m_matched; }
  /// The token's lower half and the bytes that store the match.
  [[nodiscard]] unsigned matchBits() const noexcept { return m_matchBits; }
  [[nodiscard]] Bytes matchBytes() const noexcept {
    return m_block.subspan(m_matchBegin, m_at - m_matchBegin);
  }
  /// The position behind the sequence.
  [[nodiscard]] std::size_t position() const noexcept { return m_at; }

private:
  /// Adds the further bytes of a length of 15 or more.
  [[nodiscard]] bool extend(std::size_t& length) {
    if (length < 15)
      return true;
    while (m_at < m_block.size()) {
      const auto more = std::to_integer<std::size_t>(m_block[m_at++]);
      length += more;
      if (more < 255)
        return true;
    }
    return false;
  }

  Bytes m_block;
  std::size_t m_at = 0;
  Bytes m_literals;
  bool m_isLast = false;
  std::size_t m_matchBegin = 0;
  unsigned m_matchBits = 0;
  std::size_t m_distance = 0;
  std::size_t m_matched = 0;
};

/// Joins the LZ4 blocks of consecutive parts to one block. The last literals of a block become the
/// first ones of the next sequence; they are read again when it is written.
class Lz4Joiner {
public:
  Lz4Joiner(std::size_t size, const BytesAt& bytes, PartOutput& out)
      : m_size(size), m_bytes(bytes), m_out(out) {}

  /// Appends the block of the bytes from `first` on, but its last literals.
  void add(Bytes block, std::size_t first) {
    Lz4Sequences sequences(block);
    std::size_t lastLiterals = 0, begin = 0, behindFirst = 0;
    for (bool isFirst = true; sequences.next(); isFirst = false) {
      lastLiterals = sequences.literals().size();
      if (isFirst) {
        if (m_literals == 0)
          m_begin = first;
        m_literals += lastLiterals;
        if (sequences.isLast())
          return;
        putSequence(sequences.matchBits());
        m_out.append(sequences.matchBytes());
        behindFirst = begin = sequences.position();
      }
      if (sequences.isLast())
        break;
      begin = sequences.position();
    }
    m_out.append(block.subspan(behindFirst, begin - behindFirst));
    m_literals = lastLiterals;
    m_begin = first + std::min(partBytes, m_size - first) - lastLiterals;
  }
  /// The number of literals that wait.
  [[nodiscard]] std::size_t waiting() const noexcept { return m_literals; }
  void finish() { putSequence(0); }

private:
  /// Writes the token and the waiting literals.
  void putSequence(unsigned matchBits) {
    Buffer head;
    put(static_cast<std::uint8_t>(std::min<std::size_t>(m_literals, 15) << 4 | matchBits), head);
    if (m_literals >= 15) {
      std::size_t rest = m_literals - 15;
      for (; rest >= 255; rest -= 255)
        put(std::uint8_t{255}, head);
      put(static_cast<std::uint8_t>(rest), head);
    }
    m_out.append(head.bytes());
    while (m_literals > 0) {
      const Bytes part = m_bytes(m_begin, std::min(partBytes, m_literals));
      m_out.append(part);
      m_begin += part.size();
      m_literals -= part.size();
    }
  }

  std::size_t m_size;
  const BytesAt& m_bytes;
  PartOutput& m_out;
  std::size_t m_begin = 0;    // of the waiting literals
  std::size_t m_literals = 0; // that wait
};

bool compressLz4(int level, std::size_t size, const BytesAt& bytes, PartOutput& out) {
  if (size > LZ4_MAX_INPUT_SIZE)
    return false;
  auto& memory = ofThread<Buffer>();
  const std::uint64_t end = out.size() + mostBytesOf(size);
  const std::span<std::byte> room = memory.assign(LZ4_COMPRESSBOUND(partBytes));
  Lz4Joiner joiner(size, bytes, out);
  for (std::size_t first = 0; first < size; first += partBytes) {
    checkStop();
    const Bytes part = bytes(first, std::min(partBytes, size - first));
    const int count =
        LZ4_compress_fast(detail::valuesAt<char>(part.data()), detail::valuesAt<char>(room.data()),
                          static_cast<int>(part.size()), static_cast<int>(room.size()), level);
    if (count <= 0)
      return false;
    joiner.add(room.first(static_cast<std::size_t>(count)), first);
    if (out.size() + joiner.waiting() > end)
      return false;
  }
  joiner.finish();
  return out.size() <= end;
}

bool decompressZstd(Bytes stored, std::size_t size, const std::function<void(Bytes)>& use,
                    const BytesUsed& used) {
  auto& memory = ofThread<Buffer>();
  ZSTD_DCtx* const context = zstdDecompressor();
  if (!context || ZSTD_isError(ZSTD_DCtx_reset(context, ZSTD_reset_session_only)))
    return false;
  const std::span<std::byte> room = memory.assign(partBytes);
  std::size_t made = 0, left = 1;
  for (std::size_t at = 0; at < stored.size();) {
    const Bytes part = stored.subspan(at, std::min(partBytes, stored.size() - at));
    ZSTD_inBuffer in{part.data(), part.size(), 0};
    bool isRoomFull = false;
    while (in.pos < in.size || isRoomFull) {
      ZSTD_outBuffer to{room.data(), room.size(), 0};
      left = ZSTD_decompressStream(context, &to, &in);
      if (ZSTD_isError(left) || to.pos > size - made)
        return false;
      isRoomFull = to.pos == to.size && left > 0;
      made += to.pos;
      use(room.first(to.pos));
    }
    used(part);
    at += part.size();
  }
  return left == 0 && made == size;
}

/// Keeps the last bytes, to which LZ4's matches refer, and hands over the earlier ones.
class Lz4Window {
public:
  Lz4Window(std::size_t size, const std::function<void(Bytes)>& use)
      : m_left(size), m_use(use), m_room(memory().assign(history + partBytes)) {}

  [[nodiscard]] bool putLiterals(Bytes literals) {
    while (!literals.empty()) {
      const std::size_t count = std::min(literals.size(), space());
      if (count > m_left)
        return false;
      std::memcpy(m_room.data() + m_end, literals.data(), count);
      advance(count);
      literals = literals.subspan(count);
    }
    return true;
  }
  [[nodiscard]] bool putMatch(std::size_t distance, std::size_t matched) {
    if (matched > m_left)
      return false;
    while (matched > 0) {
      const std::size_t count = std::min(matched, space());
      if (distance > m_end)
        return false;
      std::byte* const to = m_room.data() + m_end;
      if (distance >= count)
        std::memcpy(to, to - distance, count);
      else
        for (std::size_t i = 0; i < count; ++i)
          to[i] = to[i - distance];
      advance(count);
      matched -= count;
    }
    return true;
  }
  [[nodiscard]] bool finish() {
    m_use(m_room.subspan(m_used, m_end - m_used));
    return m_left == 0;
  }

private:
  static constexpr std::size_t history = std::size_t{64} << 10;
  static Buffer& memory() { return ofThread<Buffer>(); }

  /// Returns the free space, after making some.
  [[nodiscard]] std::size_t space() {
    if (m_end == m_room.size()) {
      m_use(m_room.subspan(m_used, m_end - m_used));
      std::memmove(m_room.data(), m_room.data() + m_end - history, history);
      m_end = m_used = history;
    }
    return m_room.size() - m_end;
  }
  void advance(std::size_t count) {
    m_end += count;
    m_left -= count;
  }

  std::size_t m_left;
  const std::function<void(Bytes)>& m_use;
  std::span<std::byte> m_room;
  std::size_t m_end = 0;
  std::size_t m_used = 0;
};

bool decompressLz4(Bytes stored, std::size_t size, const std::function<void(Bytes)>& use,
                   const BytesUsed& used) {
  Lz4Window window(size, use);
  Lz4Sequences sequences(stored);
  std::size_t done = 0;
  const auto drop = [&](std::size_t position) {
    if (position >= done + partBytes) {
      used(stored.subspan(done, position - done));
      done = position;
    }
  };
  while (sequences.next()) {
    for (Bytes literals = sequences.literals(); !literals.empty();) {
      const Bytes part = literals.first(std::min(partBytes, literals.size()));
      if (!window.putLiterals(part))
        return false;
      literals = literals.subspan(part.size());
      drop(static_cast<std::size_t>(part.data() + part.size() - stored.data()));
    }
    if (sequences.isLast()) {
      used(stored.subspan(done));
      return window.finish();
    }
    if (!window.putMatch(sequences.distance(), sequences.matched()))
      return false;
    drop(sequences.position());
  }
  return false;
}

} // namespace

bool compressInParts(Compression how, std::size_t size, const BytesAt& bytes, PartOutput& out) {
  const std::uint64_t before = out.size();
  if (how.codec == Codec::zstd ? compressZstd(how.level, size, bytes, out)
                               : compressLz4(how.level, size, bytes, out))
    return true;
  out.shrink(before);
  return false;
}

bool decompressInParts(Codec codec, Bytes stored, std::size_t size,
                       const std::function<void(Bytes)>& use, const BytesUsed& used) {
  return codec == Codec::zstd ? decompressZstd(stored, size, use, used)
                              : decompressLz4(stored, size, use, used);
}

} // namespace kaon::codec
