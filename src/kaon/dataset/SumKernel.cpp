#include <kaon/dataset/SumKernel.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kaon/dataset/SumKernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kaon::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void addRounds(const float* values, std::size_t rounds, double* sums) {
  const hn::CappedTag<double, 8> d;
  const hn::Rebind<float, decltype(d)> df;
  constexpr std::size_t width = hn::MaxLanes(decltype(d)());
  constexpr std::size_t vectors = sumLanes / width;
  hn::Vec<decltype(d)> sum[vectors];
  for (std::size_t k = 0; k < vectors; ++k)
    sum[k] = hn::LoadU(d, sums + k * width);
  for (; rounds > 0; --rounds, values += sumLanes)
    for (std::size_t k = 0; k < vectors; ++k)
      sum[k] = hn::Add(sum[k], hn::PromoteTo(d, hn::LoadU(df, values + k * width)));
  for (std::size_t k = 0; k < vectors; ++k)
    hn::StoreU(sum[k], d, sums + k * width);
}

} // namespace kaon::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kaon::detail {
namespace {
HWY_EXPORT(addRounds);
} // namespace

std::size_t addToLanes(std::span<const float> values, std::array<double, sumLanes>& sums) noexcept {
  const std::size_t rounds = values.size() / sumLanes;
  HWY_DYNAMIC_DISPATCH(addRounds)(values.data(), rounds, sums.data());
  return rounds * sumLanes;
}

} // namespace kaon::detail
#endif
