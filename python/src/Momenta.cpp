#include "Arrays.h"
#include "Module.h"

#include <kaon/math/MomentumMembers.h>
#include <kaon/math/ParticleData.h>

#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;

namespace kaon::python {
namespace {

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::pair<std::map<std::string, std::string>, bool>
momentumMembers(const std::vector<std::string>& names) {
  const detail::MomentumMembers momentum = detail::momentumMembers(names);
  std::map<std::string, std::string> members;
  for (const auto& [component, member] : momentum.members)
    members.emplace(component, member);
  return {std::move(members), momentum.isMassless};
}

nb::object particleMasses(const Numbers& numbers) {
  nb::object masses = emptyArray(Scalar::Float64, numbers.size());
  double* const mass = dataOf<double>(masses);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    mass[i] = detail::particleMass(numbers.data()[i]);
  return masses;
}

} // namespace

void bindMomenta(nb::module_& module) {
  module.def("momentum_members", &momentumMembers, "names"_a,
             "The members of objects that hold components of four-momenta, by component, and "
             "whether the objects have no mass.");
  module.def("particle_masses", &particleMasses, "numbers"_a,
             "The masses of particles in GeV, given their PDG numbers as float64; NaN for unknown "
             "particles.");
}

} // namespace kaon::python
