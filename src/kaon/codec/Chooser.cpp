#include <kaon/codec/Chooser.h>

#include <kaon/base/OfThread.h>
#include <kaon/codec/BitPacking.h>
#include <kaon/codec/EncodingTable.h>
#include <kaon/codec/PageEncoding.h>
#include <kaon/codec/PartEncoding.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace kaon::codec {
namespace {

const DecodingSpeed& speedOf(const EncodingRow& row, Element element) {
  return element.isNumber() ? row.numbers : row.structs;
}
/// Returns the speed of the codec's part; 0 if the encoding is not tried.
double codecSpeed(const DecodingSpeed& speed, Codec codec) {
  return codec == Codec::lz4 ? speed.lz4 : codec == Codec::lzma ? speed.lzma : speed.zstd;
}

/// Bytes per nanosecond that a core restores from a transform, for values of 4 bytes, measured by
/// the workload "encodings". A value takes the same time for any size.
constexpr double restoringSpeed = 16;

/// Returns the increase in cost if each byte takes a nanosecond to decode. It is larger for rows,
/// because their users read whole events and want speed.
double weightOf(EncodingGoal goal, Element element) {
  if (goal == EncodingGoal::size)
    return 0;
  const double weight = element.isNumber() ? 0.3 : 1;
  return goal == EncodingGoal::speed ? 5 * weight : weight;
}

constexpr std::size_t sampleRuns = 3;
constexpr std::size_t sampleRunValues = blockValues; // a whole block: gaps would be bad for delta

/// Returns runs of values from the beginning, the middle and the end of the page.
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

/// Returns all schemes of an encoding to try.
std::vector<Scheme> schemesOf(const EncodingRow& row, Element element) {
  if (!row.areTransformsTried || !element.isNumber())
    return {row.encoding};
  std::vector<Scheme> schemes;
  for (const Transform transform : row.transforms)
    schemes.emplace_back(row.encoding, transform);
  return schemes;
}

double ratioOf(std::size_t stored, std::span<const std::byte> page) {
  return static_cast<double>(stored) / static_cast<double>(page.size());
}

} // namespace

/// Returns the schemes of trials that cost at most `cost`.
std::vector<Scheme> EncodingChooser::schemesWithin(double cost, std::span<const Trial> trials) {
  std::vector<Scheme> schemes;
  for (const Trial& trial : trials)
    if (trial.cost <= cost)
      schemes.push_back(trial.scheme);
  return schemes;
}

/// Returns the nanoseconds per byte to decode a page of `bytes` bytes, if a codec makes `ofCodec`
/// of them.
double EncodingChooser::decodingTime(const EncodingRow& row, const Scheme& scheme,
                                     std::size_t bytes, std::size_t ofCodec) const {
  const DecodingSpeed& speed = speedOf(row, m_element);
  const double perSize = static_cast<double>(m_element.size) / 4;
  double time =
      static_cast<double>(ofCodec) / static_cast<double>(bytes) / codecSpeed(speed, m_how.codec);
  if (speed.rest > 0)
    time += 1 / (row.isPerValue ? speed.rest * perSize : speed.rest);
  if (row.areTransformsTried && scheme.transform.value_or(Transform::none) != Transform::none)
    time += 1 / (restoringSpeed * perSize);
  return time;
}

bool EncodingChooser::isForbidden(const Scheme& scheme) const {
  return m_forbidden && m_forbidden->encoding == scheme.encoding &&
         (!m_forbidden->transform || m_forbidden->transform == scheme.transform);
}

bool EncodingChooser::isConstant(std::span<const std::byte> page) const {
  return page.size() > m_element.size &&
         std::memcmp(page.data(), page.data() + m_element.size, page.size() - m_element.size) == 0;
}

bool EncodingChooser::isTrialDue() const {
  return !m_examined || m_pages >= m_interval || (m_drifted && m_pages >= leastInterval);
}

Scheme EncodingChooser::choose(std::span<const std::byte> page) {
  if (m_forced)
    return *m_forced;
  if (page.empty())
    return Encoding::raw;
  if (!isForbidden(Encoding::constant) && isConstant(page))
    return Encoding::constant;
  if (m_how.codec == Codec::none)
    return Encoding::raw;
  if (isTrialDue())
    examine(page);
  return m_scheme;
}

std::optional<Scheme> EncodingChooser::chooseForParts(std::span<const std::byte> sample) const {
  if (m_forced)
    return canEncodeInParts(*m_forced, m_element, m_how.codec) ? m_forced : std::nullopt;
  if (m_how.codec == Codec::none)
    return Encoding::raw;
  if (!canEncodeInParts(Encoding::compressed, m_element, m_how.codec))
    return std::nullopt;
  std::vector<Scheme> schemes;
  for (const EncodingRow& row : encodingTable())
    for (const Scheme& scheme : schemesOf(row, m_element))
      if (canEncodeInParts(scheme, m_element, m_how.codec))
        schemes.push_back(scheme);
  const std::vector<Trial> trials = tryEach(sample, schemes);
  const Trial best = *std::ranges::min_element(trials, {}, &Trial::cost);
  const bool isSmaller = best.size <= sample.size() - sample.size() / 50;
  return isSmaller ? best.scheme : Scheme(Encoding::raw);
}

EncodingChooser::Trial EncodingChooser::bestFor(std::span<const std::byte> page) const {
  if (const auto best = bestOfSimilar(page))
    return *best;
  return bestOfAll(page);
}

/// Returns the best scheme among those of similar columns; nothing if the column is not known to be
/// similar.
std::optional<EncodingChooser::Trial>
EncodingChooser::bestOfSimilar(std::span<const std::byte> page) const {
  if (m_examined || !m_others)
    return {};
  std::vector<Scheme> schemes = m_others->schemes(m_element);
  if (schemes.empty())
    return {};
  // A dictionary is always tried: few different values may look similar to others by the schemes in
  // the list. It gives up early on many different values.
  if (std::ranges::find(schemes, Scheme(Encoding::dictionary)) == schemes.end())
    schemes.emplace_back(Encoding::dictionary);
  const std::vector<Trial> trials = tryEach(page, schemes);
  const Trial best = *std::ranges::min_element(trials, {}, &Trial::cost);
  const bool isSmaller = best.scheme != Encoding::raw; // else other schemes might be smaller
  if (!isSmaller || !m_others->areLike(m_element, ratioOf(best.size, page)))
    return {};
  return best;
}

/// Tries all schemes on a sample, and those that are not clearly worse there on the whole page.
EncodingChooser::Trial EncodingChooser::bestOfAll(std::span<const std::byte> page) const {
  auto& memory = ofThread<Buffer>();
  const auto sample = sampleOf(page, m_element.size, memory);
  std::vector<Trial> trials = tryEach(sample);
  if (sample.size() < page.size()) {
    // A codec's start-up bytes count more in a sample, hence the tolerance.
    const double limit = std::ranges::min_element(trials, {}, &Trial::cost)->cost * 9 / 8 + 200;
    trials = tryEach(page, schemesWithin(limit, trials));
  }
  // Users who name a codec want fewer bytes, but raw costs least too easily.
  const std::size_t most = page.size() - page.size() / 50;
  std::erase_if(trials, [most](const Trial& trial) { return trial.size > most; });
  if (trials.empty())
    return {Encoding::raw, page.size(), 0};
  const Trial best = *std::ranges::min_element(trials, {}, &Trial::cost);
  if (m_others)
    m_others->add(m_element, schemesWithin(best.cost * 1.05, trials), ratioOf(best.size, page));
  return best;
}

/// Tries raw and the schemes that apply to the values; only those in `among`, unless it is empty.
std::vector<EncodingChooser::Trial> EncodingChooser::tryEach(std::span<const std::byte> values,
                                                             std::span<const Scheme> among) const {
  auto& out = ofThread<Buffer>();
  std::vector<Trial> trials{{Encoding::raw, values.size(), static_cast<double>(values.size())}};
  for (const EncodingRow& row : encodingTable()) {
    if (codecSpeed(speedOf(row, m_element), m_how.codec) == 0)
      continue;
    for (const Scheme& scheme : schemesOf(row, m_element)) {
      const bool isAmong = among.empty() || std::ranges::find(among, scheme) != among.end();
      out.clear();
      const std::uint64_t before = bytesShrunk();
      if (!isAmong || isForbidden(scheme) || !codec::encode(scheme, m_element, values, m_how, out))
        continue;
      const auto ofCodec = static_cast<std::size_t>(bytesShrunk() - before);
      const double time = decodingTime(row, scheme, values.size(), ofCodec);
      trials.push_back(
          {scheme, out.size(),
           static_cast<double>(out.size()) * (1 + weightOf(m_goal, m_element) * time)});
    }
  }
  return trials;
}

void EncodingChooser::examine(std::span<const std::byte> page) {
  const Trial best = bestFor(page);
  const bool isConfirmed = m_examined && best.scheme == m_scheme;
  m_interval = isConfirmed ? std::min(2 * m_interval, mostInterval) : leastInterval;
  m_scheme = best.scheme;
  m_ratio = ratioOf(best.size, page);
  m_examined = true;
  m_drifted = false;
  m_pages = 0;
}

/// Ignores small pages: they differ from each other by chance, and do not show that the data
/// changed.
void EncodingChooser::remember(std::size_t stored, std::size_t values) {
  constexpr double noticeable = 0.05;
  constexpr std::size_t enoughBytes = 4096;
  ++m_pages;
  const double ratio = static_cast<double>(stored) / static_cast<double>(values);
  if (values >= enoughBytes && std::abs(ratio - m_ratio) > noticeable * m_ratio)
    m_drifted = true;
}

Encoding EncodingChooser::encode(std::span<const std::byte> page, Buffer& out) {
  const Encoding encoding = shrink(page, out);
  if (encoding == Encoding::raw)
    out.append(page);
  return encoding;
}

Encoding EncodingChooser::shrink(std::span<const std::byte> page, Buffer& out) {
  const std::size_t before = out.size();
  const Scheme chosen = choose(page);
  if (chosen == Encoding::constant && !m_forced) {
    out.append(page.first(m_element.size));
    return chosen.encoding;
  }
  const auto makesSmaller = [&](const Scheme& scheme) {
    if (scheme != Encoding::raw && codec::encode(scheme, m_element, page, m_how, out) &&
        out.size() - before < page.size())
      return true;
    out.shrink(before);
    return false;
  };
  if (makesSmaller(chosen)) {
    remember(out.size() - before, page.size());
    return chosen.encoding;
  }
  if (chosen != Encoding::raw && !m_forced) {
    // The data changed since the last trial.
    m_drifted = true;
    if (!isForbidden(Encoding::packed) && makesSmaller(Encoding::packed)) {
      ++m_pages;
      return Encoding::packed;
    }
  }
  remember(page.size(), page.size());
  return Encoding::raw;
}

} // namespace kaon::codec
