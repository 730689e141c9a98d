#include <kaon/detail/math/MomentumKernel.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kaon/math/MomentumKernel.cpp"
#include <hwy/foreach_target.h>

#include <kaon/math/LaneFormulas.h>

HWY_BEFORE_NAMESPACE();
namespace kaon::detail::HWY_NAMESPACE {
static_assert(hn::MaxLanes(Doubles::Tag()) <= momentumRoom + 1);

/// Computes the four-vectors of as many particles as a vector has lanes; returns false if an angle
/// is too large.
HWY_INLINE bool toMomentaOf(Doubles pt, Doubles eta, Doubles phi, Doubles mass,
                            FourVector<double>* momenta) {
  if (!areNear(eta) || !areAngles(phi))
    return false;
  const Doubles px = pxOf(pt, phi), py = pyOf(pt, phi), pz = pzOf(pt, eta);
  hn::StoreInterleaved4(px.lanes, py.lanes, pz.lanes, energyOf(px, py, pz, mass).lanes,
                        Doubles::Tag(), &momenta->px);
  return true;
}

void toMomentaAny(const float* pt, const float* eta, const float* phi, const float* mass,
                  std::size_t size, FourVector<double>* momenta) {
  const Doubles::Tag d;
  const hn::Rebind<float, Doubles::Tag> df;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t begin = 0; begin < size; begin += lanes) {
    const std::size_t count = size - begin < lanes ? size - begin : lanes;
    bool isDone = false;
    const auto compute = [&](auto load) {
      isDone = toMomentaOf(load(pt + begin), load(eta + begin), load(phi + begin),
                           load(mass + begin), momenta + begin);
    };
#if HWY_TARGET <= HWY_AVX2 // full vectors are masked, too: branches on `count` are mispredicted
    compute([&, wanted = hn::FirstN(df, count)](const float* from) {
      return Doubles(hn::PromoteTo(d, hn::MaskedLoad(wanted, df, from)));
    });
#else // partial loads would read beyond the end
    if (count == lanes)
      compute([&](const float* from) { return Doubles(hn::PromoteTo(d, hn::LoadU(df, from))); });
#endif
    for (std::size_t i = begin; !isDone && i < begin + count; ++i)
      momenta[i] = FourVector<double>::ofPtEtaPhiMass(pt[i], eta[i], phi[i], mass[i]);
  }
}

} // namespace kaon::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kaon::detail {
namespace {
HWY_EXPORT(toMomentaAny);
} // namespace

void toMomenta(const float* pt, const float* eta, const float* phi, const float* mass,
               std::size_t size, FourVector<double>* momenta) noexcept {
  HWY_DYNAMIC_DISPATCH(toMomentaAny)(pt, eta, phi, mass, size, momenta);
}

} // namespace kaon::detail
#endif
