#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/codec/Codec.h>
#include <kaon/codec/Encoding.h>
#include <kaon/codec/SimilarColumns.h>
#include <kaon/detail/codec/Element.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace kaon::codec {

struct EncodingRow;

/// Chooses how to store the pages of one column, by trial: no rule that knows only the type finds
/// the best encoding for every column. The encodings tried depend on the user's codec:
///   none              raw and constant, which are read from a file without decoding
///   lz4               also all others but parts; quantised if the element's precision is a range
///   zstd, zlib, lzma  also parts
/// The cheapest one is taken. The cost is: bytes stored * (1 + weight * time to decode a byte). The
/// time is known for each encoding, and for each byte that a codec makes for it. The goal
/// determines the weight. Raw is taken if no other encoding saves 2 %.
///
/// A trial takes the time of a few pages. It is therefore repeated only after 8, 16, ... and at
/// last every 512 pages, and earlier if the size of pages changes. The first trial of a column is
/// shorter if the columns before were similar: see SimilarColumns. For one thread at a time.
class EncodingChooser {
public:
  /// `others` must have the same codec and goal, and outlive this object.
  EncodingChooser(Element element, Compression how, std::optional<Scheme> forced = {},
                  EncodingGoal goal = EncodingGoal::balance, SimilarColumns* others = nullptr)
      : m_element(element), m_how(how), m_goal(goal), m_forced(forced), m_others(others) {}

  /// Excludes this scheme from trials; without a transform, all schemes of the encoding. For
  /// measurements of its benefit.
  void forbid(const Scheme& scheme) { m_forbidden = scheme; }

  /// Returns the scheme for this page of whole values: constant, or the best of the last trial.
  /// encode() may still refuse it for this page.
  [[nodiscard]] Scheme choose(std::span<const std::byte> page);
  /// Returns the scheme for a page that is encoded in parts, by trial on a sample of its values;
  /// nothing if a forced scheme needs the whole page. See PartEncoding.h.
  [[nodiscard]] std::optional<Scheme> chooseForParts(std::span<const std::byte> sample) const;

  /// Appends the page with the chosen scheme and returns its encoding; raw if no scheme makes it
  /// smaller. A forced encoding that does not apply to the page is replaced by raw, too.
  Encoding encode(std::span<const std::byte> page, Buffer& out);
  /// As encode(), but appends nothing to `out` if the result is raw: the caller has the page and
  /// may not need a copy.
  Encoding shrink(std::span<const std::byte> page, Buffer& out);

private:
  struct Trial {
    Scheme scheme;
    std::size_t size = 0;
    double cost = 0; ///< bytes, increased by the time to decode them
  };
  [[nodiscard]] bool isConstant(std::span<const std::byte> page) const;
  [[nodiscard]] bool isTrialDue() const;
  [[nodiscard]] bool isForbidden(const Scheme& scheme) const;
  void examine(std::span<const std::byte> page);
  [[nodiscard]] Trial bestFor(std::span<const std::byte> page) const;
  [[nodiscard]] std::optional<Trial> bestOfSimilar(std::span<const std::byte> page) const;
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
  EncodingGoal m_goal;
  std::optional<Scheme> m_forced;
  SimilarColumns* m_others;
  std::optional<Scheme> m_forbidden;
  Scheme m_scheme;
  bool m_examined = false;
  bool m_drifted = false;
  double m_ratio = 1;      // stored to raw size at the last trial
  std::size_t m_pages = 0; // since the last trial
  std::size_t m_interval = leastInterval;
};

} // namespace kaon::codec
