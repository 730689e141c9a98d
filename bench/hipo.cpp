// W2 in HIPO's own format: writes and reads a bank of 12 columns with 8 rows an event.

#include "common/Bank.h"
#include "common/BankColumns.h"
#include "common/BankSums.h"
#include "common/Harness.h"
#include "common/KaonFiles.h"
#include "common/Random.h"

#include <kaon/base/Bytes.h>
#include <kaon/batch/Columns.h>
#include <kaon/dataset/Dataframe.h>
#include <kaon/detail/reading/Window.h>
#include <kaon/kaon.h>

#include <algorithm>
#include <filesystem>
#include <oneapi/tbb/task_arena.h>

namespace bench {
namespace {

const std::string bankName = "REC::Particle";

BankView columnsOf(const kaon::Batch& batch) {
  const auto floats = [&](const char* name) { return batch.values<float>(bankName + "." + name); };
  return {batch.values<std::int32_t>(bankName + ".pid"),
          floats("px"),
          floats("py"),
          floats("pz"),
          floats("vx"),
          floats("vy"),
          floats("vz"),
          floats("vt"),
          batch.values<std::int8_t>(bankName + ".charge"),
          floats("beta"),
          floats("chi2pid"),
          batch.values<std::int16_t>(bankName + ".status")};
}

class HipoWorkload {
public:
  explicit HipoWorkload(const Options& options)
      : m_options(options), m_report("hipo", options), m_bank(makeBank(options.count)),
        m_path(options.directory + "/bank.hipo"),
        m_perMillion{"s/million events", 1e6 / static_cast<double>(options.count)} {
    m_all.add(m_bank.view());
    m_two.add(m_bank.px, m_bank.py);
    Random random;
    for (std::size_t i = 0; i < m_bank.events(); i += 1000) {
      m_random.push_back(random.below(static_cast<std::uint32_t>(m_bank.events())));
      const BankView rows = m_bank.view(m_random.back(), m_random.back() + 1);
      m_someTwo.add(rows.px, rows.py);
    }
  }

  void run() {
    for (const kaon::Compression codec : {kaon::uncompressed(), kaon::lz4()})
      if (m_report.wants(variant(codec)))
        run(codec);
    m_report.save();
  }

private:
  void run(kaon::Compression codec) {
    const std::string name = variant(codec);
    m_report.time({"write", "kaon batches to HIPO", name}, m_perMillion, [&] { write(codec); });
    m_report.add({"size", "kaon HIPO", name}, "of raw",
                 sizeOf(m_path) / static_cast<double>(m_bank.bytes()));
    m_report.time({"read 12 columns", "kaon batches of HIPO", name}, m_perMillion,
                  [&] { readAll(); });
    m_report.time({"read 2 columns", "kaon batches of HIPO", name}, m_perMillion,
                  [&] { readTwo(); });
    const Unit byTheClock{m_perMillion.name, m_perMillion.perSecond, Clock::wall};
    for (const int threads : {1, 2}) {
      oneapi::tbb::task_arena arena(threads);
      m_report.time({"read 12 columns, " + std::to_string(threads) + " threads",
                     "kaon dataframe of HIPO", name},
                    byTheClock, [&] { arena.execute([&] { aggregateAll(); }); });
    }
    const Unit perEvent{"ms/event", 1e3 / static_cast<double>(m_random.size())};
    m_report.time({"read random events", "kaon columns of HIPO", name}, perEvent,
                  [&] { readRandom(); });
    if (name == m_options.keep)
      std::filesystem::rename(m_path, m_options.directory + "/bank.kept.hipo");
    else
      std::filesystem::remove(m_path);
  }

  void write(kaon::Compression codec) const {
    kaon::BatchWriter writer = kaon::batchWriter(m_path, {.codec = codec});
    kaon::Columns columns(m_bank.events());
    columns.add(bankName, m_bank.offsets, membersOf(m_bank));
    writer.write("events", columns.batch());
    writer.finish();
  }

  void readAll() const {
    BankSums sums;
    const kaon::Reader reader(m_path);
    for (const kaon::Batch& batch : reader["events"].batches({bankName}))
      sums.add(columnsOf(batch));
    expect(sums == m_all, "the sums over batches");
  }

  void readTwo() const {
    BankSums sums;
    const std::string x = bankName + ".px", y = bankName + ".py";
    const kaon::Reader reader(m_path);
    for (const kaon::Batch& batch : reader["events"].batches({x, y}))
      sums.add(batch.values<float>(x), batch.values<float>(y));
    expect(sums == m_two, "the sums of two columns over batches");
  }

  using Floats = kaon::Array<float>;
  void aggregateAll() const {
    const auto add = [](BankSums& sums, kaon::Array<std::int32_t> pid, Floats px, Floats py,
                        Floats pz, Floats vx, Floats vy, Floats vz, Floats vt,
                        kaon::Array<std::int8_t> charge, Floats beta, Floats chi2pid,
                        kaon::Array<std::int16_t> status) {
      for (std::size_t i = 0; i < pid.size(); ++i)
        sums.add(pid[i], px[i], py[i], pz[i], vx[i], vy[i], vz[i], vt[i], charge[i], beta[i],
                 chi2pid[i], status[i]);
    };
    std::vector<std::string> members;
    for (const char* const name :
         {"pid", "px", "py", "pz", "vx", "vy", "vz", "vt", "charge", "beta", "chi2pid", "status"})
      members.push_back(bankName + "." + name);
    const auto sums = kaon::dataset(m_path, "events")
                          .aggregate(
                              BankSums(), add,
                              [](BankSums& all, const BankSums& next) { all.add(next); }, members);
    expect(*sums == m_all, "the sums of a dataframe");
  }

  void readRandom() const {
    BankSums sums;
    const std::string x = bankName + ".px", y = bankName + ".py";
    const auto file = kaon::open(m_path);
    const kaon::Source& source = file->category("events");
    const auto [table, px] = source.schema().memberNamed(x);
    const kaon::MemberNumber py = source.schema().memberNamed(y).member;
    kaon::detail::Window window(source);
    for (const std::uint32_t event : m_random) {
      const auto [first, last] = window.rows(table, event);
      const kaon::ColumnView xs = window.member(table, px, event);
      const kaon::ColumnView ys = window.member(table, py, event);
      for (std::size_t row = first; row < last; ++row)
        sums.add(kaon::detail::loadAs<float>(xs.at(row)), kaon::detail::loadAs<float>(ys.at(row)));
    }
    expect(sums == m_someTwo, "the sums over random events");
  }

  Options m_options;
  Report m_report;
  Bank m_bank;
  std::string m_path;
  Unit m_perMillion;
  BankSums m_all, m_two, m_someTwo;
  std::vector<std::uint32_t> m_random;
};

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  return bench::runWorkload(argc, argv, 1'000'000, [](const bench::Options& options) {
    bench::HipoWorkload(options).run();
  });
}
