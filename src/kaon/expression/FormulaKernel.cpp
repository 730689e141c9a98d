#include <kaon/expression/FormulaKernel.h>

#include <kaon/array/FourVector.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kaon/expression/FormulaKernel.cpp"
#include <hwy/foreach_target.h>

#include <kaon/array/MomentumLanes.h>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace kaon::expression::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace momentum = kaon::detail::HWY_NAMESPACE;

using V = momentum::V;

// Formulas, each of one value, and of as many as a vector has lanes; the latter says whether it
// holds for all of these.

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
  static double ofOne(double pt, double phi) { return pxOf(pt, phi); }
  HWY_INLINE static bool ofLanes(V& result, V pt, V phi) {
    result = hn::Mul(pt, momentum::sinesCosines(phi).cosine);
    return momentum::areAngles(phi);
  }
};

struct Py {
  static double ofOne(double pt, double phi) { return pyOf(pt, phi); }
  HWY_INLINE static bool ofLanes(V& result, V pt, V phi) {
    result = hn::Mul(pt, momentum::sinesCosines(phi).sine);
    return momentum::areAngles(phi);
  }
};

struct Pz {
  static double ofOne(double pt, double eta) { return pzOf(pt, eta); }
  HWY_INLINE static bool ofLanes(V& result, V pt, V eta) {
    result = hn::Mul(pt, momentum::hyperbolicSines(eta));
    return momentum::areNear(eta);
  }
};

struct Pt {
  static double ofOne(double px, double py) { return ptOf(px, py); }
  HWY_INLINE static bool ofLanes(V& result, V px, V py) {
    result = hn::Sqrt(hn::Add(hn::Mul(px, px), hn::Mul(py, py)));
    return true;
  }
};

struct P {
  static double ofOne(double px, double py, double pz) { return pOf(px, py, pz); }
  HWY_INLINE static bool ofLanes(V& result, V px, V py, V pz) {
    result = hn::Sqrt(momentum::squares(px, py, pz));
    return true;
  }
};

struct Energy {
  static double ofOne(double px, double py, double pz, double mass) {
    return energyOf(px, py, pz, mass);
  }
  HWY_INLINE static bool ofLanes(V& result, V px, V py, V pz, V mass) {
    result = momentum::energies(px, py, pz, mass);
    return true;
  }
};

struct Mass {
  static double ofOne(double px, double py, double pz, double energy) {
    return massOf(px, py, pz, energy);
  }
  HWY_INLINE static bool ofLanes(V& result, V px, V py, V pz, V energy) {
    const V square = hn::Sub(hn::Mul(energy, energy), momentum::squares(px, py, pz));
    result = hn::CopySign(hn::Sqrt(hn::Abs(square)), square);
    return true;
  }
};

template <class Formula, class T, std::size_t... Number>
void compute(const ElementwiseOperands& operands, std::index_sequence<Number...>) {
  const hn::CappedTag<T, 8> d;
  const std::size_t width = hn::Lanes(d);
  T* const result = reinterpret_cast<T*>(operands.result);
  const auto values = [&](std::size_t number) {
    return reinterpret_cast<const T*>(operands.values[number]);
  };
  const auto one = [&](std::size_t number, std::size_t i) {
    return values(number)[operands.isConstant[number] ? 0 : i];
  };
  const auto lanes = [&](std::size_t number, std::size_t i) {
    return operands.isConstant[number] ? hn::Set(d, *values(number))
                                       : hn::LoadU(d, values(number) + i);
  };
  const auto computeEach = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      result[i] = Formula::ofOne(one(Number, i)...);
  };
  std::size_t i = 0;
  for (; i + width <= operands.size; i += width) {
    hn::Vec<decltype(d)> several;
    if (Formula::ofLanes(several, lanes(Number, i)...))
      hn::StoreU(several, d, result + i);
    else
      computeEach(i, i + width);
  }
  computeEach(i, operands.size);
}

template <class Formula, class T, std::size_t arity>
void compute(const ElementwiseOperands& operands) {
  compute<Formula, T>(operands, std::make_index_sequence<arity>());
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
