// W2 with RDataFrame, on ROOT's RNTuple and on kaon's files. Reads files that bench/bank.cpp and
// bench/root/bank.cpp leave in the directory.

#include "common/Bank.h"
#include "common/BankSums.h"
#include "common/Harness.h"

#include <kaon/root/DataSource.h>

#include <ROOT/RDataFrame.hxx>
#include <ROOT/RVec.hxx>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace bench {
namespace {

template <class T>
using Column = const ROOT::RVec<T>&;

template <class T>
std::span<const T> spanOf(const ROOT::RVec<T>& values) {
  return {values.data(), values.size()};
}

const std::vector<std::string> columnNames{"pid", "px", "py",     "pz",   "vx",      "vy",
                                           "vz",  "vt", "charge", "beta", "chi2pid", "status"};

class FrameBank {
public:
  explicit FrameBank(const Options& options)
      : m_options(options), m_report("bank", options),
        m_perMillion{"s/million events", 1e6 / static_cast<double>(options.count)} {
    const Bank bank = makeBank(options.count);
    m_all.add(bank.view());
    m_two.add(bank.px, bank.py);
  }

  void run() {
    const std::string ntuple = m_options.directory + "/bank.ntuple.lz4.root";
    const std::string file = m_options.directory + "/bank.kept.kaon";
    time("ROOT RDataFrame", Role::peer, "", [&] { return ROOT::RDataFrame("events", ntuple); });
    time("kaon's RDataFrame", Role::kaon, "bank.",
         [&] { return kaon::root::dataFrame(file, "events"); });
    time("kaon's RDataFrame of ROOT's ntuple", Role::kaon, "",
         [&] { return kaon::root::dataFrame(ntuple, "events"); });
    m_report.save();
  }

private:
  template <class Open>
  void time(const char* program, Role role, const std::string& prefix, Open openFrame) {
    std::vector<std::string> names;
    for (const std::string& name : columnNames)
      names.push_back(prefix + name);
    m_report.time({"read 12 columns", program, "split/lz4", role}, m_perMillion, [&] {
      BankSums sums;
      openFrame().Foreach(
          [&](Column<std::int32_t> pid, Column<float> px, Column<float> py, Column<float> pz,
              Column<float> vx, Column<float> vy, Column<float> vz, Column<float> vt,
              Column<std::int8_t> charge, Column<float> beta, Column<float> chi2pid,
              Column<std::int16_t> status) {
            sums.add({spanOf(pid), spanOf(px), spanOf(py), spanOf(pz), spanOf(vx), spanOf(vy),
                      spanOf(vz), spanOf(vt), spanOf(charge), spanOf(beta), spanOf(chi2pid),
                      spanOf(status)});
          },
          names);
      expect(sums == m_all, "the sums over an RDataFrame");
    });
    m_report.time({"read 2 columns", program, "split/lz4", role}, m_perMillion, [&] {
      BankSums sums;
      openFrame().Foreach(
          [&](Column<float> px, Column<float> py) { sums.add(spanOf(px), spanOf(py)); },
          {prefix + "px", prefix + "py"});
      expect(sums == m_two, "the sums of two columns over an RDataFrame");
    });
  }

  Options m_options;
  Report m_report;
  Unit m_perMillion;
  BankSums m_all, m_two;
};

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  return bench::runWorkload(argc, argv, 1'000'000,
                            [](const bench::Options& options) { bench::FrameBank(options).run(); });
}
