// Selections and masses as expressions, compared with the same loops in C++ over the same columns
// in memory.

#include "common/Harness.h"
#include "common/Random.h"

#include <kaon/detail/expression/Evaluation.h>
#include <kaon/kaon.h>
#include <kaon/math/FourVector.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bench {
namespace {

namespace ke = kaon::expression;

class MuonScope final : public ke::Scope {
public:
  [[nodiscard]] ke::NameMeaning find(std::string_view name) const override {
    for (const std::string& known : names())
      if (known == name)
        return ke::ColumnName{known, {kaon::Scalar::Float32, 1}, "Muon"};
    if (name == "Muon")
      return ke::RecordName{"Muon", 1, "Muon"};
    return {};
  }
  [[nodiscard]] std::vector<std::string> names() const override {
    return {"Muon.pt", "Muon.eta", "Muon.phi", "Muon.mass"};
  }
};

/// A batch of events with zero to five muons each.
struct Muons {
  std::vector<std::uint32_t> offsets{0};
  std::vector<float> pt, eta, phi, mass;

  [[nodiscard]] std::size_t entries() const { return offsets.size() - 1; }
  [[nodiscard]] kaon::detail::ColumnValues column(const std::string& name) const {
    const std::vector<float>& values = name == "Muon.eta"    ? eta
                                       : name == "Muon.phi"  ? phi
                                       : name == "Muon.mass" ? mass
                                                             : pt;
    return {reinterpret_cast<const std::byte*>(values.data()), values.size(), {offsets}};
  }
};

class Expressions {
public:
  explicit Expressions(const Options& options) : m_report("expressions", options) {
    constexpr std::size_t entriesOfBatch = 6'500; // with about 16 000 muons
    Random random;
    for (std::size_t entry = 0; entry < options.count; ++entry) {
      if (entry % entriesOfBatch == 0)
        m_batches.emplace_back();
      addEvent(m_batches.back(), random);
    }
    m_unit = {"ns/event", 1e9 / static_cast<double>(options.count)};
  }

  void run() {
    compare("count selected", "count(Muon[Muon.pt > 20 and abs(Muon.eta) < 2.4]) >= 2",
            [](const Muons& muons, std::size_t entry) {
              int selected = 0;
              for (std::uint32_t i = muons.offsets[entry]; i < muons.offsets[entry + 1]; ++i)
                if (muons.pt[i] > 20 && std::abs(muons.eta[i]) < 2.4F)
                  ++selected;
              return selected >= 2;
            });
    compare("leading two", "count(Muon) >= 2 and Muon.pt[0] > 25 and Muon.pt[1] > 20",
            [](const Muons& muons, std::size_t entry) {
              const std::uint32_t first = muons.offsets[entry];
              return muons.offsets[entry + 1] - first >= 2 && muons.pt[first] > 25 &&
                     muons.pt[first + 1] > 20;
            });
    compare("mass of two", "count(Muon) >= 2 and 60 < (Muon[0] + Muon[1]).mass < 120",
            [](const Muons& muons, std::size_t entry) {
              const std::uint32_t first = muons.offsets[entry];
              if (muons.offsets[entry + 1] - first < 2)
                return false;
              const double mass = (muon(muons, first) + muon(muons, first + 1)).mass();
              return 60 < mass && mass < 120;
            });
    compare(
        "direction of two",
        "count(Muon) >= 2 and abs((Muon[0] + Muon[1]).eta) < 2.4 and (Muon[0] + Muon[1]).phi > 0",
        [](const Muons& muons, std::size_t entry) {
          const std::uint32_t first = muons.offsets[entry];
          if (muons.offsets[entry + 1] - first < 2)
            return false;
          const auto both = muon(muons, first) + muon(muons, first + 1);
          return std::abs(std::asinh(both.pz / both.pt())) < 2.4 &&
                 std::atan2(both.py, both.px) > 0;
        });
    compare("mass of any two",
            "any(60 < (combinations(Muon, 2).first + combinations(Muon, 2).second).mass < 120)",
            [](const Muons& muons, std::size_t entry) {
              bool isAny = false;
              for (std::uint32_t i = muons.offsets[entry]; i < muons.offsets[entry + 1]; ++i)
                for (std::uint32_t j = i + 1; j < muons.offsets[entry + 1]; ++j) {
                  const double mass = (muon(muons, i) + muon(muons, j)).mass();
                  isAny = isAny || (60 < mass && mass < 120);
                }
              return isAny;
            });
    m_report.save();
  }

private:
  static void addEvent(Muons& muons, Random& random) {
    for (std::uint32_t muon = random.below(6); muon > 0; --muon) {
      muons.pt.push_back(static_cast<float>(60 * random.uniform()));
      muons.eta.push_back(static_cast<float>(2 * random.normal()));
      muons.phi.push_back(static_cast<float>(6.28 * random.uniform() - 3.14));
      muons.mass.push_back(0.1057F);
    }
    muons.offsets.push_back(static_cast<std::uint32_t>(muons.pt.size()));
  }

  static kaon::FourVector<double> muon(const Muons& m, std::uint32_t i) {
    return kaon::FourVector<double>::ofPtEtaPhiMass(m.pt[i], m.eta[i], m.phi[i], m.mass[i]);
  }

  /// Counts the events that pass, in both ways.
  template <class Passes>
  void compare(const std::string& task, const std::string& text, Passes passes) {
    std::size_t expected = 0;
    m_report.time({task, "loop by hand", {}, Role::limit}, m_unit, [&] {
      expected = 0;
      for (const Muons& muons : m_batches)
        for (std::size_t entry = 0; entry < muons.entries(); ++entry)
          expected += passes(muons, entry) ? 1 : 0;
    });
    const ke::Expression expression(text, MuonScope());
    m_report.time({task, "kaon expression"}, m_unit, [&] {
      ke::Evaluation evaluation({&expression, 1});
      std::size_t passed = 0;
      for (const Muons& muons : m_batches)
        passed += passing(evaluation, muons);
      expect(passed == expected, "as many events as by hand");
    });
  }

  static std::size_t passing(ke::Evaluation& evaluation, const Muons& muons) {
    std::vector<kaon::detail::ColumnValues> columns;
    for (const ke::Input& input : evaluation.inputs())
      columns.push_back(muons.column(input.name));
    evaluation.begin({muons.entries()}, columns);
    std::size_t count = 0;
    for (const std::uint8_t passed : evaluation.evaluate(0).as<std::uint8_t>())
      count += passed;
    return count;
  }

  Report m_report;
  std::vector<Muons> m_batches;
  Unit m_unit;
};

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  return bench::runWorkload(argc, argv, 2'000'000, [](const bench::Options& options) {
    bench::Expressions(options).run();
  });
}
