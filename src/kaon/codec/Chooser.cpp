#include <kaon/codec/Chooser.h>

#include <kaon/codec/BitPacking.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace kaon::codec {
namespace {

/// An encoding and how fast a core decodes pages of 64 KiB of numbers with it, in bytes per
/// nanosecond, by the workload "encodings": with the codec lz4 and with a stronger one. 0: of no
/// use.
struct Candidate {
  Encoding encoding;
  double speedWithLz4;
  double speed;
};

/// Of candidates that cost the same the first is taken.
constexpr std::array<Candidate, 9> forNumbers{{{Encoding::packed, 50, 50},
                                               {Encoding::quantised, 35, 5},
                                               {Encoding::frequent, 20, 4.5},
                                               {Encoding::runs, 24, 9},
                                               {Encoding::dictionary, 8, 3.5},
                                               // LZ4 does not shrink what merely occurs more often.
                                               {Encoding::parts, 0, 6},
                                               {Encoding::bitPlanes, 13, 4},
                                               {Encoding::bytePlanes, 6, 2},
                                               {Encoding::compressed, 2.8, 1.4}}};
/// Planes of structs are many and short.
constexpr std::array<Candidate, 2> forStructs{
    {{Encoding::bytePlanes, 3.6, 0.72}, {Encoding::compressed, 3.6, 1.2}}};

std::span<const Candidate> candidates(Element element) {
  if (element.isNumber())
    return forNumbers;
  return forStructs;
}

bool isOfUse(const Candidate& candidate, Element element, Codec codec) {
  if (codec == Codec::lz4 && candidate.speedWithLz4 == 0)
    return false;
  switch (candidate.encoding) {
  case Encoding::quantised:
    return element.precision.kind == Precision::Kind::range;
  case Encoding::parts:
  case Encoding::bytePlanes:
    return element.size > 1;
  default:
    return true;
  }
}

/// The time to decode a page, in stored bytes: as many as a core gets in that time from a store
/// that gives it 0.18 bytes per nanosecond. Who asks for zlib or lzma values bytes more: their time
/// counts as if it were Zstandard's, or twice that of LZMA that gets whole rows, not some planes.
double decodingCost(const Candidate& candidate, Element element, Codec codec, std::size_t bytes) {
  constexpr double storeSpeed = 0.18;
  double speed = codec == Codec::lz4 ? candidate.speedWithLz4 : candidate.speed;
  if (candidate.encoding == Encoding::dictionary) // so many values, whatever their size
    speed *= element.size / 4.0;
  if (codec == Codec::lzma && !element.isNumber() && candidate.encoding == Encoding::compressed)
    speed /= 2;
  return static_cast<double>(bytes) * storeSpeed / speed;
}

constexpr std::size_t sampleRuns = 3;
constexpr std::size_t sampleRunValues = blockValues; // else a block would have gaps, ill for delta

/// Runs of values from the beginning, the middle and the end of the page.
std::span<const std::byte> sampleOf(std::span<const std::byte> page, std::size_t size,
                                    Buffer& memory) {
  const std::size_t count = page.size() / size;
  if (count <= 2 * sampleRuns * sampleRunValues || size > 8)
    return page;
  memory.clear();
  for (std::size_t run = 0; run < sampleRuns; ++run) {
    const std::size_t first = run * (count - sampleRunValues) / (sampleRuns - 1);
    memory.append(page.subspan(first * size, sampleRunValues * size));
  }
  return memory.bytes();
}

} // namespace

bool EncodingChooser::isConstant(std::span<const std::byte> page) const {
  return page.size() > m_element.size &&
         std::memcmp(page.data(), page.data() + m_element.size, page.size() - m_element.size) == 0;
}

bool EncodingChooser::isTrialDue() const {
  return !m_examined || m_pages >= m_interval || (m_drifted && m_pages >= leastInterval);
}

Encoding EncodingChooser::choose(std::span<const std::byte> page) {
  if (m_forced)
    return *m_forced;
  if (page.empty())
    return Encoding::raw;
  if (m_forbidden != Encoding::constant && isConstant(page))
    return Encoding::constant;
  if (m_how.codec == Codec::none)
    return Encoding::raw;
  if (isTrialDue())
    examine(page);
  return m_encoding;
}

/// Tries all on a sample, and what is not clearly worse there on the whole page.
EncodingChooser::Trial EncodingChooser::tryOn(std::span<const std::byte> page) const {
  thread_local Buffer memory;
  const auto sample = sampleOf(page, m_element.size, memory);
  std::vector<Trial> trials = tryAll(sample);
  if (sample.size() < page.size()) {
    // What a codec needs to begin with weighs more in a sample, hence the room for error.
    const double limit = std::ranges::min_element(trials, {}, &Trial::cost)->cost * 9 / 8;
    std::erase_if(trials, [limit](const Trial& trial) { return trial.cost > limit; });
    trials = tryAll(page, trials);
  }
  // Who names a codec wants fewer bytes: raw costs least too easily.
  const std::size_t most = page.size() - page.size() / 50;
  std::erase_if(trials, [most](const Trial& trial) { return trial.size > most; });
  if (trials.empty())
    return {Encoding::raw, page.size(), 0};
  return *std::ranges::min_element(trials, {}, &Trial::cost);
}

/// Raw and those of the candidates that apply to the values, in order; only `among` others, if
/// there are any.
std::vector<EncodingChooser::Trial> EncodingChooser::tryAll(std::span<const std::byte> values,
                                                            std::span<const Trial> among) const {
  thread_local Buffer out;
  std::vector<Trial> trials{{Encoding::raw, values.size(), static_cast<double>(values.size())}};
  for (const Candidate& candidate : candidates(m_element)) {
    const bool isAmong =
        std::ranges::find(among, candidate.encoding, &Trial::encoding) != among.end();
    out.clear();
    if ((among.empty() || isAmong) && candidate.encoding != m_forbidden && isOfUse(candidate, m_element, m_how.codec) &&
        codec::encode(candidate.encoding, m_element, values, m_how, out))
      trials.push_back({candidate.encoding, out.size(),
                        static_cast<double>(out.size()) +
                            decodingCost(candidate, m_element, m_how.codec, values.size())});
  }
  return trials;
}

void EncodingChooser::examine(std::span<const std::byte> page) {
  const Trial found = tryOn(page);
  const bool confirmed = m_examined && found.encoding == m_encoding;
  m_interval = confirmed ? std::min(2 * m_interval, mostInterval) : leastInterval;
  m_encoding = found.encoding;
  m_ratio = static_cast<double>(found.size) / static_cast<double>(page.size());
  m_examined = true;
  m_drifted = false;
  m_pages = 0;
}

/// Small pages differ from each other for no reason, so they do not tell that the data changed.
void EncodingChooser::remember(std::size_t stored, std::size_t values) {
  constexpr double noticeable = 0.05;
  constexpr std::size_t telling = 4096;
  ++m_pages;
  const double ratio = static_cast<double>(stored) / static_cast<double>(values);
  if (values >= telling && std::abs(ratio - m_ratio) > noticeable * m_ratio)
    m_drifted = true;
}

Encoding EncodingChooser::encode(std::span<const std::byte> page, Buffer& out) {
  const std::size_t before = out.size();
  const Encoding chosen = choose(page);
  if (chosen == Encoding::constant && !m_forced) {
    out.append(page.first(m_element.size));
    return chosen;
  }
  const auto tryOne = [&](Encoding encoding) {
    if (encoding != Encoding::raw && codec::encode(encoding, m_element, page, m_how, out) &&
        out.size() - before < page.size())
      return true;
    out.shrink(before);
    return false;
  };
  if (tryOne(chosen)) {
    remember(out.size() - before, page.size());
    return chosen;
  }
  if (chosen != Encoding::raw && !m_forced) {
    // The data are not any more what they were.
    m_drifted = true;
    if (m_forbidden != Encoding::packed && tryOne(Encoding::packed)) {
      ++m_pages;
      return Encoding::packed;
    }
  }
  out.append(page);
  remember(page.size(), page.size());
  return Encoding::raw;
}

} // namespace kaon::codec
