#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/codec/Codec.h>
#include <kaon/codec/Element.h>
#include <kaon/codec/Encoding.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace kaon {

/// What counts more where an encoding takes fewer bytes than another that decodes faster.
///   size     bytes alone
///   balance  time as if the bytes came from a busy store, 0.18 bytes per nanosecond for a core
///   speed    time as if they came from a disk of one's own, 0.7 bytes per nanosecond
enum class Favour : std::uint8_t { balance, size, speed };

/// The one of this name. Throws Error(name) with a suggestion.
[[nodiscard]] Favour favourNamed(std::string_view name);

} // namespace kaon

namespace kaon::codec {

struct EncodingRow;

/// Chooses how the pages of one column are stored, by trial: no rule that knows only the type finds
/// the best for every column. What is tried depends on the codec that the user named:
///   none              raw and constant, which are used from a file without being decoded
///   lz4               also all but parts; quantised where the element's precision is a range
///   zstd, zlib, lzma  also parts
/// What costs least is taken: the bytes stored and the time to decode them. That is known of each
/// encoding and codec and counts as the bytes that a core would get from a store meanwhile; with
/// zstd 0.4 % of the page for packed, 3 % for parts, 13 % for compressed, 25 % for planes of rows.
/// Favour says how fast that store is. Raw is taken where nothing else saves 2 %.
///
/// A trial takes the time of a few pages, so it is repeated only after 8, 16, ... and at last every
/// 512 pages, and earlier if pages become smaller or larger than they were when tried. For one
/// thread at a time.
class EncodingChooser {
public:
  EncodingChooser(Element element, Compression how, std::optional<Scheme> forced = {},
                  Favour favour = Favour::balance)
      : m_element(element), m_how(how), m_favour(favour), m_forced(forced) {}

  /// From now on this scheme is not tried, nor any of the encoding if it has no transform: for
  /// measuring what it is worth.
  void forbid(const Scheme& scheme) { m_forbidden = scheme; }

  /// The scheme for this page of whole values: constant or the one found best lately. encode() may
  /// refuse it for this page nevertheless.
  [[nodiscard]] Scheme choose(std::span<const std::byte> page);

  /// Appends the page as chosen and says how; raw if nothing makes it smaller. A forced encoding
  /// that does not apply to the page gives way to raw, too.
  Encoding encode(std::span<const std::byte> page, Buffer& out);

private:
  struct Trial {
    Scheme scheme;
    std::size_t size = 0;
    double cost = 0; ///< its bytes, and the time to decode it as bytes
  };
  [[nodiscard]] bool isConstant(std::span<const std::byte> page) const;
  [[nodiscard]] bool isTrialDue() const;
  [[nodiscard]] bool isForbidden(const Scheme& scheme) const;
  void examine(std::span<const std::byte> page);
  [[nodiscard]] Trial bestFor(std::span<const std::byte> page) const;
  [[nodiscard]] std::vector<Trial> tryAll(std::span<const std::byte> values,
                                          std::span<const Trial> among = {}) const;
  [[nodiscard]] double decodingCost(const EncodingRow& row, std::size_t bytes) const;
  void remember(std::size_t stored, std::size_t values);

  static constexpr std::size_t leastInterval = 8; // pages
  static constexpr std::size_t mostInterval = 512;

  Element m_element;
  Compression m_how;
  Favour m_favour;
  std::optional<Scheme> m_forced;
  std::optional<Scheme> m_forbidden;
  Scheme m_scheme;
  bool m_examined = false;
  bool m_drifted = false;
  double m_ratio = 1;      // stored to raw when examined
  std::size_t m_pages = 0; // since then
  std::size_t m_interval = leastInterval;
};

} // namespace kaon::codec
