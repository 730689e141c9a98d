#include <kaon/codec/Chooser.h>

#include <kaon/codec/BitPacking.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace kaon::codec {
namespace {

/// In the order of the time to decode them.
constexpr std::array<Encoding, 9> forNumbers{
    Encoding::packed,    Encoding::quantised,  Encoding::frequent,
    Encoding::runs,      Encoding::dictionary, Encoding::parts,
    Encoding::bitPlanes, Encoding::bytePlanes, Encoding::compressed};
constexpr std::array<Encoding, 2> forStructs{Encoding::bytePlanes, Encoding::compressed};

std::span<const Encoding> candidates(Element element) {
  if (element.isNumber())
    return forNumbers;
  return forStructs;
}

/// Whether an encoding can be of use with a codec.
bool isOfUse(Encoding encoding, Element element, Codec codec) {
  switch (encoding) {
  case Encoding::parts: // LZ4 does not shrink what merely occurs more often
    return codec != Codec::lz4 && element.size > 1;
  case Encoding::quantised:
    return element.precision.kind == Precision::Kind::range;
  case Encoding::bytePlanes:
    return element.size > 1;
  default:
    return true;
  }
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
  if (isConstant(page))
    return Encoding::constant;
  if (m_how.codec == Codec::none)
    return Encoding::raw;
  if (isTrialDue())
    examine(page);
  return m_encoding;
}

/// The smallest, or an earlier one that is hardly larger.
EncodingChooser::Trial EncodingChooser::best(std::span<const Trial> trials) {
  const std::size_t smallest = std::ranges::min_element(trials, {}, &Trial::size)->size;
  return *std::ranges::find_if(
      trials, [smallest](const Trial& trial) { return trial.size <= smallest + smallest / 50; });
}

/// Tries all on a sample, and what is not clearly worse there on the whole page.
EncodingChooser::Trial EncodingChooser::tryOn(std::span<const std::byte> page) const {
  thread_local Buffer memory;
  std::vector<Trial> trials;
  for (const Encoding encoding : candidates(m_element))
    if (isOfUse(encoding, m_element, m_how.codec))
      trials.push_back({encoding, 0});
  const auto sample = sampleOf(page, m_element.size, memory);
  trials = tryEach(trials, sample);
  if (sample.size() < page.size()) {
    // What a codec needs to begin with weighs more in a sample, hence the room for error.
    const std::size_t limit = std::ranges::min_element(trials, {}, &Trial::size)->size * 9 / 8;
    std::erase_if(trials, [limit](const Trial& trial) { return trial.size > limit; });
    trials = tryEach(trials, page);
  }
  return best(trials);
}

/// Raw and those of the encodings that apply to the values, in the same order.
std::vector<EncodingChooser::Trial>
EncodingChooser::tryEach(std::span<const Trial> which, std::span<const std::byte> values) const {
  thread_local Buffer out;
  std::vector<Trial> trials{{Encoding::raw, values.size()}};
  for (const Trial& trial : which) {
    out.clear();
    if (trial.encoding != Encoding::raw &&
        codec::encode(trial.encoding, m_element, values, m_how, out))
      trials.push_back({trial.encoding, out.size()});
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
    if (tryOne(Encoding::packed)) {
      ++m_pages;
      return Encoding::packed;
    }
  }
  out.append(page);
  remember(page.size(), page.size());
  return Encoding::raw;
}

} // namespace kaon::codec
