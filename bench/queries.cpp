// W7: the eight queries of the ADL benchmark over collision events, each one separately.

#include "common/Harness.h"

#include "Generator.h"
#include "Queries.h"

#include <filesystem>
#include <string>

namespace bench {
namespace {

class QueryWorkload {
public:
  explicit QueryWorkload(const Options& options)
      : m_options(options), m_report("queries", options),
        m_perMillion{"s/million events", 1e6 / static_cast<double>(options.count)} {}

  void run() {
    adl::Generator generator(1);
    for (std::size_t event = 0; event < m_options.count; ++event)
      generator.addEvent();
    for (const char* const suffix : {"kaon", "root"}) {
      const std::string path = m_options.directory + "/queries.kept." + suffix;
      generator.write(path);
      time(path, suffix == std::string("kaon") ? "kaon dataframe" : "kaon dataframe of an RNTuple");
      if (m_options.keep.empty())
        std::filesystem::remove(path);
    }
    m_report.save();
  }

private:
  void time(const std::string& path, const std::string& program) {
    const auto measure = [&](const char* query, auto ask) {
      m_report.time({query, program, "zstd"}, m_perMillion,
                    [&] { ask(kaon::dataset(path, "Events")); });
    };
    const auto one = [](auto ask) {
      return [ask](const kaon::Dataframe& events) {
        const auto histogram = ask(events);
        expect(boost::histogram::algorithm::sum(*histogram).value() > 0, "a histogram");
      };
    };
    measure("1 missing momentum", one(adl::missingMomentum));
    measure("2 jets", one(adl::jets));
    measure("3 central jets", one(adl::centralJets));
    measure("4 two jets", one(adl::withTwoJets));
    measure("5 Z bosons", one(adl::withZ));
    measure("6 top quarks", [](const kaon::Dataframe& events) {
      const auto histograms = adl::topQuarks(events);
      kaon::run(histograms[0], histograms[1]);
    });
    measure("7 isolated jets", one(adl::isolatedJets));
    measure("8 beside Z bosons", one(adl::besideZ));
  }

  Options m_options;
  Report m_report;
  Unit m_perMillion;
};

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  return bench::runWorkload(argc, argv, 1'000'000, [](const bench::Options& options) {
    bench::QueryWorkload(options).run();
  });
}
