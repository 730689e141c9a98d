#include <kaon/expression/FormulaKernel.h>

#include <kaon/detail/base/Memory.h>
#include <kaon/math/FourVector.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kaon/expression/FormulaKernel.cpp"
#include <hwy/foreach_target.h>

#include <kaon/math/LaneFormulas.h>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <type_traits>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace kaon::expression::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace momentum = kaon::detail::HWY_NAMESPACE;

using momentum::Lanes;

// The functions of single values. Those of lanes are found by their arguments.
using detail::arcTangent2;
using detail::energyOf;
using detail::etaOf;
using detail::exponential;
using detail::logarithm;
using detail::massOf;
using detail::phiOf;
using detail::pOf;
using detail::ptOf;
using detail::pxOf;
using detail::pyOf;
using detail::pzOf;
using detail::rapidityOf;
using detail::sineCosine;
using detail::squareRoot;
using detail::thetaOf;

// Formulas of one value, and of the lanes of vectors. supports() tells whether the result is valid
// for all lanes; the last argument decides if the range is limited.

struct ForAll {
  HWY_INLINE static bool supports(auto... /*arguments*/) { return true; }
};
struct ForAngles {
  template <class L>
  HWY_INLINE static bool supports(L angle) {
    return areAngles(angle);
  }
  template <class L>
  HWY_INLINE static bool supports(L /*other*/, L angle) {
    return areAngles(angle);
  }
};
struct ForNearZero {
  template <class L>
  HWY_INLINE static bool supports(L x) {
    return areNear(x);
  }
  template <class L>
  HWY_INLINE static bool supports(L /*other*/, L x) {
    return areNear(x);
  }
};

struct SquareRoot : ForAll {
  HWY_INLINE static auto of(auto... x) { return squareRoot(x...); }
};
struct Px : ForAngles {
  HWY_INLINE static auto of(auto... x) { return pxOf(x...); }
};
struct Py : ForAngles {
  HWY_INLINE static auto of(auto... x) { return pyOf(x...); }
};
struct Pz : ForNearZero {
  HWY_INLINE static auto of(auto... x) { return pzOf(x...); }
};
struct Pt : ForAll {
  HWY_INLINE static auto of(auto... x) { return ptOf(x...); }
};
struct P : ForAll {
  HWY_INLINE static auto of(auto... x) { return pOf(x...); }
};
struct Energy : ForAll {
  HWY_INLINE static auto of(auto... x) { return energyOf(x...); }
};
struct Mass : ForAll {
  HWY_INLINE static auto of(auto... x) { return massOf(x...); }
};
struct Exponential : ForNearZero {
  HWY_INLINE static auto of(auto... x) { return exponential(x...); }
};
struct Logarithm : ForAll {
  HWY_INLINE static auto of(auto... x) { return logarithm(x...); }
};
struct ArcTangent2 : ForAll {
  HWY_INLINE static auto of(auto... x) { return arcTangent2(x...); }
};
struct Phi : ForAll {
  HWY_INLINE static auto of(auto... x) { return phiOf(x...); }
};
struct Eta : ForAll {
  HWY_INLINE static auto of(auto... x) { return etaOf(x...); }
};
struct Theta : ForAll {
  HWY_INLINE static auto of(auto... x) { return thetaOf(x...); }
};
struct Rapidity : ForAll {
  HWY_INLINE static auto of(auto... x) { return rapidityOf(x...); }
};
struct Sine : ForAngles {
  HWY_INLINE static auto of(auto x) { return sineCosine(x).sine; }
};
struct Cosine : ForAngles {
  HWY_INLINE static auto of(auto x) { return sineCosine(x).cosine; }
};
struct DeltaR {
  template <class T>
  HWY_INLINE static T of(T eta1, T phi1, T eta2, T phi2) {
    return deltaR(eta1, phi1, eta2, phi2);
  }
  template <class T>
  HWY_INLINE static Lanes<T> of(Lanes<T> eta1, Lanes<T> phi1, Lanes<T> eta2, Lanes<T> phi2) {
    return ptOf(eta1 - eta2, azimuthBetween(phi1, phi2));
  }
  template <class T>
  HWY_INLINE static bool supports(Lanes<T> /*eta1*/, Lanes<T> phi1, Lanes<T> /*eta2*/,
                                  Lanes<T> phi2) {
    return hn::AllFalse(typename Lanes<T>::Tag(),
                        azimuthBetween(phi1, phi2) > std::numbers::pi_v<T>);
  }
};

/// Values of type T, computed as type As.
template <class T, class As>
struct ValuesAs {
  using Tag = typename Lanes<As>::Tag;
  using Stored = hn::Rebind<T, Tag>;
  HWY_INLINE static Lanes<As> load(const T* from) {
    if constexpr (std::is_same_v<T, As>)
      return Lanes<As>(hn::LoadU(Tag(), from));
    else
      return Lanes<As>(hn::PromoteTo(Tag(), hn::LoadU(Stored(), from)));
  }
  HWY_INLINE static void store(Lanes<As> values, T* to) {
    if constexpr (std::is_same_v<T, As>)
      hn::StoreU(values.lanes, Tag(), to);
    else
      hn::StoreU(hn::DemoteTo(Stored(), values.lanes), Stored(), to);
  }
};

template <class Formula, class T, class As, std::size_t... Number>
void compute(const ElementwiseOperands& operands, std::index_sequence<Number...>) {
  using Values = ValuesAs<T, As>;
  const std::size_t width = hn::Lanes(typename Values::Tag());
  T* const result = detail::valuesAt<T>(operands.result);
  const auto values = [&](std::size_t number) {
    return detail::valuesAt<T>(operands.values[number]);
  };
  const auto one = [&](std::size_t number, std::size_t i) {
    return static_cast<As>(values(number)[operands.isConstant[number] ? 0 : i]);
  };
  const auto lanes = [&](std::size_t number, std::size_t i) {
    return operands.isConstant[number] ? Lanes<As>(static_cast<As>(*values(number)))
                                       : Values::load(values(number) + i);
  };
  const auto computeEach = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      result[i] = static_cast<T>(Formula::of(one(Number, i)...));
  };
  std::size_t i = 0;
  for (; i + width <= operands.size; i += width) {
    if (Formula::supports(lanes(Number, i)...))
      Values::store(Formula::of(lanes(Number, i)...), result + i);
    else
      computeEach(i, i + width);
  }
  computeEach(i, operands.size);
}

template <class Formula, class T, std::size_t arity, class As = T>
void compute(const ElementwiseOperands& operands) {
  compute<Formula, T, As>(operands, std::make_index_sequence<arity>());
}

ElementwiseKernel kernelOfDoubles(Operation operation) {
  switch (operation) {
  case Operation::squareRoot:
    return &compute<SquareRoot, double, 1>;
  case Operation::deltaR:
    return &compute<DeltaR, double, 4>;
  case Operation::px:
    return &compute<Px, double, 2>;
  case Operation::py:
    return &compute<Py, double, 2>;
  case Operation::pz:
    return &compute<Pz, double, 2>;
  case Operation::pt:
    return &compute<Pt, double, 2>;
  case Operation::p:
    return &compute<P, double, 3>;
  case Operation::energy:
    return &compute<Energy, double, 4>;
  case Operation::mass:
    return &compute<Mass, double, 4>;
  case Operation::sine:
    return &compute<Sine, double, 1>;
  case Operation::cosine:
    return &compute<Cosine, double, 1>;
  case Operation::exponential:
    return &compute<Exponential, double, 1>;
  case Operation::logarithm:
    return &compute<Logarithm, double, 1>;
  case Operation::arcTangent2:
    return &compute<ArcTangent2, double, 2>;
  case Operation::phi:
    return &compute<Phi, double, 2>;
  case Operation::eta:
    return &compute<Eta, double, 3>;
  case Operation::theta:
    return &compute<Theta, double, 3>;
  case Operation::rapidity:
    return &compute<Rapidity, double, 2>;
  default:
    return nullptr;
  }
}

ElementwiseKernel kernelOfFloats(Operation operation) {
  switch (operation) {
  case Operation::squareRoot:
    return &compute<SquareRoot, float, 1>;
  case Operation::deltaR:
    return &compute<DeltaR, float, 4>;
  case Operation::sine:
    return &compute<Sine, float, 1, double>;
  case Operation::cosine:
    return &compute<Cosine, float, 1, double>;
  case Operation::exponential:
    return &compute<Exponential, float, 1, double>;
  case Operation::logarithm:
    return &compute<Logarithm, float, 1, double>;
  case Operation::arcTangent2:
    return &compute<ArcTangent2, float, 2, double>;
  default:
    return nullptr;
  }
}

} // namespace kaon::expression::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kaon::expression {
namespace {
HWY_EXPORT(kernelOfDoubles);
HWY_EXPORT(kernelOfFloats);
} // namespace

ElementwiseKernel formulaKernel(Operation operation, Scalar type) {
  switch (type) {
  case Scalar::Float64:
    return HWY_DYNAMIC_DISPATCH(kernelOfDoubles)(operation);
  case Scalar::Float32:
    return HWY_DYNAMIC_DISPATCH(kernelOfFloats)(operation);
  default:
    return nullptr;
  }
}

} // namespace kaon::expression
#endif
