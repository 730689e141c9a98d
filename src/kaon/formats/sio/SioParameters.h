#pragma once

#include <kaon/formats/podio/ParameterType.h>
#include <kaon/formats/sio/BlockReader.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace kaon::sio {

/// The most different parameters of a category that kaon reads and writes.
inline constexpr std::size_t mostParameters = 10'000;

/// The smallest size of a stored value.
[[nodiscard]] constexpr std::size_t leastBytes(ParameterType type) noexcept {
  return type == ParameterType::float64 ? 8 : 4;
}

/// A parameter in a block.
struct StoredParameter {
  ParameterType type = ParameterType::int32;
  std::string_view key;
  std::uint32_t values = 0;
  BlockReader reader; ///< at the first value
};

/// The maps of parameters in the order in which LCIO and podio store them. Older versions have no
/// map of doubles.
inline constexpr std::array lcioParameters{ParameterType::int32, ParameterType::float32,
                                           ParameterType::float64, ParameterType::string};
inline constexpr std::array oldLcioParameters{ParameterType::int32, ParameterType::float32,
                                              ParameterType::string};
inline constexpr std::array<ParameterType, 0> noLcioParameters{};
inline constexpr std::array podioParameters{ParameterType::int32, ParameterType::float32,
                                            ParameterType::string, ParameterType::float64};
inline constexpr std::array oldPodioParameters{ParameterType::int32, ParameterType::float32,
                                               ParameterType::string};

/// Calls `use(StoredParameter)` for all parameters. Leaves the reader behind them.
template <class Use>
void forParameters(BlockReader& in, std::span<const ParameterType> order, Use use) {
  for (const ParameterType type : order) {
    const std::uint32_t keys = in.count(2 * sizeof(std::uint32_t));
    for (std::uint32_t i = 0; i < keys; ++i) {
      const std::string_view key = in.text();
      const std::uint32_t values = in.count(leastBytes(type));
      use(StoredParameter{type, key, values, in.rest()});
      if (type == ParameterType::string)
        in.skipTexts(values);
      else
        (void)in.take(leastBytes(type) * values);
    }
  }
}

} // namespace kaon::sio
