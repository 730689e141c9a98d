#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/codec/Codec.h>
#include <kaon/codec/Element.h>
#include <kaon/codec/Encoding.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace kaon::codec {

/// Chooses how the pages of one column are stored, by trial: no rule that knows only the type finds
/// the best for every column. What is tried depends on the codec that the user named:
///   none              raw and constant, which are used from a file without being decoded
///   lz4               also all but parts; quantised where the element's precision is a range
///   zstd, zlib, lzma  also parts, but not bitPlanes
/// What costs least is taken: the bytes stored and the time to decode them. That is known of each
/// encoding and codec and counts as the bytes that a core would get from a busy store meanwhile;
/// with zstd 0.4 % of the page for packed, 3 % for parts, 13 % for compressed, 25 % for planes of
/// rows. Raw is taken where nothing else saves 2 %.
///
/// A trial takes the time of a few pages, so it is repeated only after 8, 16, ... and at last every
/// 512 pages, and earlier if pages become smaller or larger than they were when tried. For one
/// thread at a time.
class EncodingChooser {
public:
  EncodingChooser(Element element, Compression how, std::optional<Encoding> forced = {})
      : m_element(element), m_how(how), m_forced(forced) {}

  /// From now on this encoding is not tried, for measuring what it is worth.
  void forbid(Encoding encoding) { m_forbidden = encoding; }

  /// The encoding for this page of whole values: constant or the one found best lately. encode()
  /// may refuse it for this page nevertheless.
  [[nodiscard]] Encoding choose(std::span<const std::byte> page);

  /// Appends the page as chosen and says how; raw if nothing makes it smaller. A forced encoding
  /// that does not apply to the page gives way to raw, too.
  Encoding encode(std::span<const std::byte> page, Buffer& out);

private:
  struct Trial {
    Encoding encoding = Encoding::raw;
    std::size_t size = 0;
    double cost = 0; ///< its bytes, and the time to decode it as bytes
  };
  [[nodiscard]] bool isConstant(std::span<const std::byte> page) const;
  [[nodiscard]] bool isTrialDue() const;
  void examine(std::span<const std::byte> page);
  [[nodiscard]] Trial bestFor(std::span<const std::byte> page) const;
  [[nodiscard]] std::vector<Trial> tryAll(std::span<const std::byte> values,
                                          std::span<const Trial> among = {}) const;
  void remember(std::size_t stored, std::size_t values);

  static constexpr std::size_t leastInterval = 8; // pages
  static constexpr std::size_t mostInterval = 512;

  Element m_element;
  Compression m_how;
  std::optional<Encoding> m_forced;
  std::optional<Encoding> m_forbidden;
  Encoding m_encoding = Encoding::raw;
  bool m_examined = false;
  bool m_drifted = false;
  double m_ratio = 1;      // stored to raw when examined
  std::size_t m_pages = 0; // since then
  std::size_t m_interval = leastInterval;
};

} // namespace kaon::codec
