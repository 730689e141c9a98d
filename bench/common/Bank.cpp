#include "common/Bank.h"

#include "common/Digest.h"
#include "common/Random.h"

#include <array>
#include <cmath>

namespace bench {
namespace {

constexpr int mostRows = 40; // of an event

struct Species {
  std::int32_t pid;
  std::uint32_t upTo; // of 100 random numbers
  int charge;
  double mass;
};
constexpr std::array<Species, 10> species{{{211, 24, 1, 0.13957},
                                           {-211, 44, -1, 0.13957},
                                           {2212, 60, 1, 0.938272},
                                           {22, 78, 0, 0.0},
                                           {2112, 86, 0, 0.939565},
                                           {11, 89, -1, 0.000511},
                                           {-11, 90, 1, 0.000511},
                                           {321, 93, 1, 0.493677},
                                           {-321, 95, -1, 0.493677},
                                           {0, 100, 0, 0.13957}}};
constexpr const Species& electron = species[5];
constexpr const Species& unidentified = species[9];

class Generator {
public:
  explicit Generator(Bank& bank) : m_bank(bank) {
    double probability = 0.00033546262790251185; // exp(-8)
    m_rowsUpTo[0] = probability;
    for (std::size_t rows = 1; rows < m_rowsUpTo.size(); ++rows) {
      probability = probability * 8.0 / static_cast<double>(rows);
      m_rowsUpTo[rows] = m_rowsUpTo[rows - 1] + probability;
    }
  }

  void addEvent() {
    const int rows = drawRows();
    Event event;
    event.vx = rounded(0.01 * m_random.normal());
    event.vy = rounded(0.01 * m_random.normal());
    event.vz = rounded(-3.0 + rounded(2.5 * (2.0 * m_random.uniform() - 1.0)));
    const auto bunch = static_cast<double>(m_random.bits() >> 62);
    event.time = static_cast<float>(124.25 + rounded(4.008 * bunch) +
                                    rounded((event.vz + 3.0) / 29.9792458));
    for (int row = 0; row < rows; ++row)
      addRow(event, row == 0);
    m_bank.offsets.push_back(static_cast<std::uint32_t>(m_bank.rows()));
  }

private:
  struct Event {
    double vx, vy, vz;
    float time;
  };

  int drawRows() {
    const double u = m_random.uniform();
    int rows = 0;
    while (rows < mostRows && u >= m_rowsUpTo[static_cast<std::size_t>(rows)])
      ++rows;
    return rows;
  }

  const Species& drawSpecies() {
    const std::uint32_t number = m_random.below(100);
    auto kind = species.begin();
    while (number >= kind->upTo)
      ++kind;
    return *kind;
  }

  // The digests depend on the order in which values are drawn.
  void addRow(const Event& event, bool isTrigger) {
    const Species& kind = isTrigger ? electron : drawSpecies();
    const bool isIdentified = &kind != &unidentified;
    const int charge = isIdentified ? kind.charge : static_cast<int>(m_random.below(3)) - 1;
    m_bank.pid.push_back(kind.pid);
    m_bank.charge.push_back(static_cast<std::int8_t>(charge));
    const double momentum = drawMomentum(isTrigger);
    addMomentum(momentum);
    addVertex(event, charge != 0);
    m_bank.vt.push_back(event.time);
    const double energy = std::sqrt(rounded(momentum * momentum) + rounded(kind.mass * kind.mass));
    const double smearing = rounded(1.0 + rounded((charge != 0 ? 0.01 : 0.02) * m_random.normal()));
    const bool isTimed = m_random.below(100) >= 3;
    m_bank.beta.push_back(isTimed ? static_cast<float>(momentum / energy * smearing) : 0.0F);
    m_bank.chi2pid.push_back(
        charge != 0 && isIdentified ? static_cast<float>(1.2 * m_random.normal()) : 9999.0F);
    const int status = drawStatus();
    m_bank.status.push_back(static_cast<std::int16_t>(isTrigger ? -status : status));
  }

  double drawMomentum(bool isTrigger) {
    if (isTrigger)
      return rounded(1.0 + rounded(8.0 * m_random.uniform()));
    const double u = m_random.uniform();
    return rounded(0.2 + rounded(4.0 * rounded(u * m_random.uniform())));
  }

  /// cos(theta) is 0.77 + 0.22 u; phi is that of a random point in the unit circle.
  void addMomentum(double momentum) {
    const double cosTheta = rounded(0.77 + rounded(0.22 * m_random.uniform()));
    const double sinTheta = rounded(std::sqrt(1.0 - rounded(cosTheta * cosTheta)));
    // Coordinates are multiples of 2^-20, so that their squares are exact.
    const auto coordinate = [](std::uint64_t bits) {
      return static_cast<double>(static_cast<std::int64_t>(bits & 0x1fffff) - 0x100000) * 0x1p-20;
    };
    double x = 0;
    double y = 0;
    double square = 0;
    do {
      const std::uint64_t bits = m_random.bits();
      x = coordinate(bits >> 43);
      y = coordinate(bits);
      square = x * x + y * y;
    } while (square >= 1.0 || square < 1e-6);
    const double transverse = rounded(momentum * sinTheta);
    const double radius = std::sqrt(square);
    m_bank.px.push_back(static_cast<float>(transverse * x / radius));
    m_bank.py.push_back(static_cast<float>(transverse * y / radius));
    m_bank.pz.push_back(static_cast<float>(momentum * cosTheta));
  }

  void addVertex(const Event& event, bool isCharged) {
    const auto smeared = [&](double value, double by) {
      return static_cast<float>(value + rounded(by * m_random.normal()));
    };
    m_bank.vx.push_back(isCharged ? smeared(event.vx, 0.05) : 0.0F);
    m_bank.vy.push_back(isCharged ? smeared(event.vy, 0.05) : 0.0F);
    m_bank.vz.push_back(isCharged ? smeared(event.vz, 0.2) : static_cast<float>(event.vz));
  }

  /// Draws the region of the detector, 2 (70 %) or 4, times 1000, and digits for its hits.
  int drawStatus() {
    const std::uint64_t bits = m_random.bits();
    const auto digit = [&](int position, std::uint64_t mask) {
      return static_cast<int>(bits >> position & mask);
    };
    const int region = (bits & 0xffff) * 10 >> 16 < 7 ? 2 : 4;
    return region * 1000 + digit(16, 3) * 100 + digit(18, 3) * 10 + digit(20, 1);
  }

  Random m_random;
  std::array<double, mostRows + 1> m_rowsUpTo{}; // cumulative probabilities
  Bank& m_bank;
};

} // namespace

Bank makeBank(std::size_t events) {
  Bank bank;
  forEachColumn([&](auto& column) { column.reserve(events * 8 + events / 16 + mostRows); }, bank);
  bank.offsets.reserve(events + 1);
  bank.offsets.push_back(0);
  Generator generator(bank);
  for (std::size_t i = 0; i < events; ++i)
    generator.addEvent();
  return bank;
}

BankView Bank::view(std::size_t firstEvent, std::size_t lastEvent) const {
  BankView view;
  const std::uint32_t first = offsets[firstEvent];
  forEachColumn(
      [&](auto& part, const auto& all) {
        part = std::span(all).subspan(first, offsets[lastEvent] - first);
      },
      view, *this);
  return view;
}

std::uint64_t digest(const Bank& bank) {
  Digest digest;
  for (std::size_t event = 0; event < bank.events(); ++event) {
    digest.addValue(bank.offsets[event + 1] - bank.offsets[event]);
    for (std::size_t row = bank.offsets[event]; row < bank.offsets[event + 1]; ++row)
      forEachColumn([&](const auto& column) { digest.addValue(column[row]); }, bank);
  }
  return digest.value();
}

} // namespace bench
