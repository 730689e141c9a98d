#include "common/Floats.h"

#include "common/Random.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace bench {
namespace {

float sumOfBlock(std::span<const float> values) {
  constexpr std::size_t lanes = 64; // enough to hide the latency of additions
  std::array<float, lanes> sums{};
  std::size_t i = 0;
  for (; i + lanes <= values.size(); i += lanes)
    for (std::size_t k = 0; k < lanes; ++k)
      sums[k] += values[i + k];
  float total = 0;
  for (; i < values.size(); ++i)
    total += values[i];
  for (const float lane : sums)
    total += lane;
  return total;
}

} // namespace

std::vector<float> makeFloats(std::size_t count) {
  Random random;
  std::vector<float> values(count);
  for (float& value : values)
    value = static_cast<float>(0.5 / std::sqrt(1.0 - rounded(0.9999 * random.uniform())));
  return values;
}

double sum(std::span<const float> values) {
  constexpr std::size_t block = 8192;
  double total = 0;
  for (std::size_t i = 0; i < values.size(); i += block)
    total += static_cast<double>(sumOfBlock(values.subspan(i, std::min(block, values.size() - i))));
  return total;
}

} // namespace bench
