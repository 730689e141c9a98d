#include <kaon/math/ParticleMasses.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace kaon::detail {
namespace {

struct Particle {
  double number;
  double mass; ///< in GeV
};

constexpr double deuteron = 1.875612945, triton = 2.80892113668;
constexpr double helium3 = 2.80839161112, alpha = 3.7273794118;

/// Sorted by number.
constexpr Particle particles[] = {{11, 0.00051099895}, // e
                                  {12, 0},             // nu_e
                                  {13, 0.1056583755},  // mu
                                  {14, 0},             // nu_mu
                                  {15, 1.77693},       // tau
                                  {16, 0},             // nu_tau
                                  {22, 0},             // gamma
                                  {23, 91.188},        // Z
                                  {24, 80.369},        // W
                                  {25, 125.2},         // H
                                  {45, deuteron},
                                  {46, triton},
                                  {47, alpha},
                                  {49, helium3},
                                  {111, 0.1349768},      // pi0
                                  {113, 0.77526},        // rho0
                                  {130, 0.497611},       // K_L
                                  {211, 0.13957039},     // pi+
                                  {221, 0.547862},       // eta
                                  {223, 0.78266},        // omega
                                  {310, 0.497611},       // K_S
                                  {311, 0.497611},       // K0
                                  {321, 0.493677},       // K+
                                  {331, 0.95778},        // eta'
                                  {333, 1.019461},       // phi
                                  {411, 1.86966},        // D+
                                  {421, 1.86484},        // D0
                                  {431, 1.96835},        // D_s
                                  {443, 3.0969},         // J/psi
                                  {511, 5.27972},        // B0
                                  {521, 5.27941},        // B+
                                  {531, 5.36693},        // B_s
                                  {553, 9.4604},         // Upsilon
                                  {2112, 0.93956542052}, // n
                                  {2212, 0.93827208816}, // p
                                  {3112, 1.197449},      // Sigma-
                                  {3122, 1.115683},      // Lambda
                                  {3212, 1.192642},      // Sigma0
                                  {3222, 1.18937},       // Sigma+
                                  {3312, 1.32171},       // Xi-
                                  {3322, 1.31486},       // Xi0
                                  {3334, 1.67245},       // Omega
                                  {4122, 2.28646},       // Lambda_c
                                  {5122, 5.6196},        // Lambda_b
                                  {100443, 3.686097},    // psi(2S)
                                  {1000010020, deuteron},
                                  {1000010030, triton},
                                  {1000020030, helium3},
                                  {1000020040, alpha}};

static_assert(std::ranges::is_sorted(particles, {}, &Particle::number));

} // namespace

double particleMass(double number) noexcept {
  const auto* const found =
      std::ranges::lower_bound(particles, std::abs(number), {}, &Particle::number);
  return found != std::end(particles) && found->number == std::abs(number)
             ? found->mass
             : std::numeric_limits<double>::quiet_NaN();
}

} // namespace kaon::detail
