#include <kaon/math/ParticleData.h>
#include <kaon/math/ParticleTable.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace kaon::detail {
namespace {

static_assert(std::ranges::is_sorted(particleTable, {}, &ParticleFacts::number));

/// Returns the facts of a particle or of its antiparticle; null if the number is unknown.
const ParticleFacts* factsOf(double number) noexcept {
  const auto* const found =
      std::ranges::lower_bound(particleTable, std::abs(number), {}, &ParticleFacts::number);
  return found != std::end(particleTable) && found->number == std::abs(number) ? found : nullptr;
}

} // namespace

double particleMass(double number) noexcept {
  const ParticleFacts* const facts = factsOf(number);
  return facts ? facts->mass : std::numeric_limits<double>::quiet_NaN();
}

double particleCharge(double number) noexcept {
  const ParticleFacts* const facts = factsOf(number);
  if (!facts)
    return std::numeric_limits<double>::quiet_NaN();
  return (number < 0 ? -1 : 1) * facts->charge / 3.0;
}

} // namespace kaon::detail
