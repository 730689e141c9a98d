#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/codec/AlikeColumns.h>
#include <kaon/codec/Codec.h>
#include <kaon/codec/Element.h>
#include <kaon/codec/Encoding.h>
#include <kaon/codec/Favour.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace kaon::codec {

struct EncodingRow;

/// Chooses how the pages of one column are stored, by trial: no rule that knows only the type finds
/// the best for every column. What is tried depends on the codec that the user named:
///   none              raw and constant, which are used from a file without being decoded
///   lz4               also all but parts; quantised where the element's precision is a range
///   zstd, zlib, lzma  also parts
/// What costs least is taken: bytes stored * (1 + weight * time to decode a byte). That time is
/// known of each encoding, and of each byte that a codec has to make for it; Favour says the
/// weight. Raw is taken where nothing else saves 2 %.
///
/// A trial takes the time of a few pages, so it is repeated only after 8, 16, ... and at last every
/// 512 pages, and earlier if pages become smaller or larger than they were when tried. The first
/// one of a column is shorter where the columns before were alike: see AlikeColumns. For one thread
/// at a time.
class EncodingChooser {
public:
  /// `others`, of the same codec and favour, outlives it.
  EncodingChooser(Element element, Compression how, std::optional<Scheme> forced = {},
                  Favour favour = Favour::balance, AlikeColumns* others = nullptr)
      : m_element(element), m_how(how), m_favour(favour), m_forced(forced), m_others(others) {}

  /// From now on this scheme is not tried, nor any of the encoding if it has no transform: for
  /// measuring what it is worth.
  void forbid(const Scheme& scheme) { m_forbidden = scheme; }

  /// The scheme for this page of whole values: constant or the one found best lately. encode() may
  /// refuse it for this page nevertheless.
  [[nodiscard]] Scheme choose(std::span<const std::byte> page);

  /// Appends the page as chosen and says how; raw if nothing makes it smaller. A forced encoding
  /// that does not apply to the page gives way to raw, too.
  Encoding encode(std::span<const std::byte> page, Buffer& out);
  /// The same, but appends nothing to `out` where that is raw: who has the page may have no need of
  /// a copy.
  Encoding shrink(std::span<const std::byte> page, Buffer& out);

private:
  struct Trial {
    Scheme scheme;
    std::size_t size = 0;
    double cost = 0; ///< its bytes, and more for the time to decode them
  };
  [[nodiscard]] bool isConstant(std::span<const std::byte> page) const;
  [[nodiscard]] bool isTrialDue() const;
  [[nodiscard]] bool isForbidden(const Scheme& scheme) const;
  void examine(std::span<const std::byte> page);
  [[nodiscard]] Trial bestFor(std::span<const std::byte> page) const;
  [[nodiscard]] std::optional<Trial> bestOfAlike(std::span<const std::byte> page) const;
  [[nodiscard]] Trial bestOfAll(std::span<const std::byte> page) const;
  [[nodiscard]] static std::vector<Scheme> schemesWithin(double cost,
                                                         std::span<const Trial> trials);
  [[nodiscard]] std::vector<Trial> tryEach(std::span<const std::byte> values,
                                           std::span<const Scheme> among = {}) const;
  [[nodiscard]] double decodingTime(const EncodingRow& row, const Scheme& scheme, std::size_t bytes,
                                    std::size_t ofCodec) const;
  void remember(std::size_t stored, std::size_t values);

  static constexpr std::size_t leastInterval = 8; // pages
  static constexpr std::size_t mostInterval = 512;

  Element m_element;
  Compression m_how;
  Favour m_favour;
  std::optional<Scheme> m_forced;
  AlikeColumns* m_others;
  std::optional<Scheme> m_forbidden;
  Scheme m_scheme;
  bool m_examined = false;
  bool m_drifted = false;
  double m_ratio = 1;      // stored to raw when examined
  std::size_t m_pages = 0; // since then
  std::size_t m_interval = leastInterval;
};

} // namespace kaon::codec
