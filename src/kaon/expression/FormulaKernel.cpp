#include <kaon/expression/FormulaKernel.h>

#include <kaon/detail/base/Memory.h>
#include <kaon/math/FourVector.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kaon/expression/FormulaKernel.cpp"
#include <hwy/foreach_target.h>

#include <kaon/math/MomentumLanes.h>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <type_traits>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace kaon::expression::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace momentum = kaon::detail::HWY_NAMESPACE;

using momentum::V;

// Formulas of one value (ofOne), and of a vector of values (ofLanes). ofLanes returns whether its
// result is valid for all lanes.

struct SquareRoot {
  template <class T>
  static T ofOne(T x) {
    return std::sqrt(x);
  }
  template <class L>
  HWY_INLINE static bool ofLanes(L& result, L x) {
    result = hn::Sqrt(x);
    return true;
  }
};

struct DeltaR {
  template <class T>
  static T ofOne(T eta1, T phi1, T eta2, T phi2) {
    return deltaR(eta1, phi1, eta2, phi2);
  }
  template <class L>
  HWY_INLINE static bool ofLanes(L& result, L eta1, L phi1, L eta2, L phi2) {
    const hn::DFromV<L> d;
    constexpr auto pi = std::numbers::pi_v<hn::TFromD<hn::DFromV<L>>>;
    const L eta = hn::Sub(eta1, eta2), oneWay = hn::Abs(hn::Sub(phi1, phi2));
    const L phi = hn::Min(oneWay, hn::Abs(hn::Sub(hn::Set(d, 2 * pi), oneWay)));
    result = hn::Sqrt(hn::Add(hn::Mul(eta, eta), hn::Mul(phi, phi)));
    return hn::AllFalse(d, hn::Gt(phi, hn::Set(d, pi)));
  }
};

struct Px {
  static double ofOne(double pt, double phi) { return detail::pxOf(pt, phi); }
  HWY_INLINE static bool ofLanes(V& result, V pt, V phi) {
    result = hn::Mul(pt, momentum::sinesCosines(phi).cosine);
    return momentum::areAngles(phi);
  }
};

struct Py {
  static double ofOne(double pt, double phi) { return detail::pyOf(pt, phi); }
  HWY_INLINE static bool ofLanes(V& result, V pt, V phi) {
    result = hn::Mul(pt, momentum::sinesCosines(phi).sine);
    return momentum::areAngles(phi);
  }
};

struct Pz {
  static double ofOne(double pt, double eta) { return detail::pzOf(pt, eta); }
  HWY_INLINE static bool ofLanes(V& result, V pt, V eta) {
    result = hn::Mul(pt, momentum::hyperbolicSines(eta));
    return momentum::areNear(eta);
  }
};

struct Pt {
  static double ofOne(double px, double py) { return detail::ptOf(px, py); }
  HWY_INLINE static bool ofLanes(V& result, V px, V py) {
    result = hn::Sqrt(hn::Add(hn::Mul(px, px), hn::Mul(py, py)));
    return true;
  }
};

struct P {
  static double ofOne(double px, double py, double pz) { return detail::pOf(px, py, pz); }
  HWY_INLINE static bool ofLanes(V& result, V px, V py, V pz) {
    result = hn::Sqrt(momentum::squares(px, py, pz));
    return true;
  }
};

struct Energy {
  static double ofOne(double px, double py, double pz, double mass) {
    return detail::energyOf(px, py, pz, mass);
  }
  HWY_INLINE static bool ofLanes(V& result, V px, V py, V pz, V mass) {
    result = momentum::energies(px, py, pz, mass);
    return true;
  }
};

struct Mass {
  static double ofOne(double px, double py, double pz, double energy) {
    return detail::massOf(px, py, pz, energy);
  }
  HWY_INLINE static bool ofLanes(V& result, V px, V py, V pz, V energy) {
    const V square = hn::Sub(hn::Mul(energy, energy), momentum::squares(px, py, pz));
    result = hn::CopySign(hn::Sqrt(hn::Abs(square)), square);
    return true;
  }
};

struct Sine {
  static double ofOne(double x) { return detail::sineCosine(x).sine; }
  HWY_INLINE static bool ofLanes(V& result, V x) {
    result = momentum::sinesCosines(x).sine;
    return momentum::areAngles(x);
  }
};

struct Cosine {
  static double ofOne(double x) { return detail::sineCosine(x).cosine; }
  HWY_INLINE static bool ofLanes(V& result, V x) {
    result = momentum::sinesCosines(x).cosine;
    return momentum::areAngles(x);
  }
};

struct Exponential {
  static double ofOne(double x) { return detail::exponential(x); }
  HWY_INLINE static bool ofLanes(V& result, V x) {
    result = momentum::exponentialsOf(x, 0);
    return momentum::areNear(x);
  }
};

struct Logarithm {
  static double ofOne(double x) { return detail::logarithm(x); }
  HWY_INLINE static bool ofLanes(V& result, V x) {
    result = momentum::logarithms(x);
    return true;
  }
};

struct ArcTangent2 {
  static double ofOne(double y, double x) { return detail::arcTangent2(y, x); }
  HWY_INLINE static bool ofLanes(V& result, V y, V x) {
    result = momentum::arcTangents2(y, x);
    return true;
  }
};

struct Phi {
  static double ofOne(double px, double py) { return detail::phiOf(px, py); }
  HWY_INLINE static bool ofLanes(V& result, V px, V py) {
    result = momentum::arcTangents2(py, px);
    return true;
  }
};

struct Eta {
  static double ofOne(double px, double py, double pz) { return detail::etaOf(px, py, pz); }
  HWY_INLINE static bool ofLanes(V& result, V px, V py, V pz) {
    V pt;
    (void)Pt::ofLanes(pt, px, py);
    const V zero = momentum::number(0);
    result =
        hn::IfThenElse(hn::Eq(pz, zero), zero, momentum::inverseHyperbolicSines(hn::Div(pz, pt)));
    return true;
  }
};

struct Theta {
  static double ofOne(double px, double py, double pz) { return detail::thetaOf(px, py, pz); }
  HWY_INLINE static bool ofLanes(V& result, V px, V py, V pz) {
    V pt;
    (void)Pt::ofLanes(pt, px, py);
    result = momentum::arcTangents2(pt, pz);
    return true;
  }
};

struct Rapidity {
  static double ofOne(double pz, double energy) { return detail::rapidityOf(pz, energy); }
  HWY_INLINE static bool ofLanes(V& result, V pz, V energy) {
    const V ratio = hn::Div(hn::Add(energy, pz), hn::Sub(energy, pz));
    result = hn::Mul(momentum::logarithms(ratio), momentum::number(0.5));
    return true;
  }
};

/// Values of type T, computed as type As.
template <class T, class As>
struct ValuesAs {
  using Tag = hn::CappedTag<As, 8>;
  using L = hn::Vec<Tag>;
  using Stored = hn::Rebind<T, Tag>;
  HWY_INLINE static L repeated(T value) { return hn::Set(Tag(), static_cast<As>(value)); }
  HWY_INLINE static L load(const T* from) {
    if constexpr (std::is_same_v<T, As>)
      return hn::LoadU(Tag(), from);
    else
      return hn::PromoteTo(Tag(), hn::LoadU(Stored(), from));
  }
  HWY_INLINE static void store(L values, T* to) {
    if constexpr (std::is_same_v<T, As>)
      hn::StoreU(values, Tag(), to);
    else
      hn::StoreU(hn::DemoteTo(Stored(), values), Stored(), to);
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
    return operands.isConstant[number] ? Values::repeated(*values(number))
                                       : Values::load(values(number) + i);
  };
  const auto computeEach = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      result[i] = static_cast<T>(Formula::ofOne(one(Number, i)...));
  };
  std::size_t i = 0;
  for (; i + width <= operands.size; i += width) {
    typename Values::L several;
    if (Formula::ofLanes(several, lanes(Number, i)...))
      Values::store(several, result + i);
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
