// W6: writes and reads W2's bank with one thread, two, ... up to the number of processors.

#include "common/Bank.h"
#include "common/BankObjects.h"
#include "common/BankSums.h"
#include "common/Harness.h"
#include "common/KaonFiles.h"

#include <kaon/base/Tasks.h>
#include <kaon/kaon.h>

#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>

namespace bench {
namespace {

class ThreadsWorkload {
public:
  explicit ThreadsWorkload(const Options& options)
      : m_report("threads", options), m_bank(makeBank(options.count)),
        m_path(options.directory + "/threads.kaon"),
        m_perMillion{"s/million events by the clock", 1e6 / static_cast<double>(options.count),
                     Clock::wall} {
    m_all.add(m_bank.view());
  }

  void run() {
    for (const kaon::Compression compression : {kaon::lz4(), kaon::zstd()}) {
      measure("write", "kaon frames, " + variant(compression), [&] { write(compression); });
      const kaon::Reader reader(m_path);
      expect(reader["events"].size() == m_bank.events(), "all events are in the file");
      measure("read 12 columns", "kaon batches, " + variant(compression), [&] {
        read(reader["events"], [](BankSums& sums, kaon::Category events, kaon::EntryRange range) {
          for (const kaon::Batch& batch : events.batches({"bank"}, range))
            sums.add(columnsOf(batch));
        });
      });
      measure("read 12 columns", "kaon frames, " + variant(compression), [&] {
        read(reader["events"], [](BankSums& sums, kaon::Category events, kaon::EntryRange range) {
          for (const kaon::Frame& frame : events.frames(range))
            addRows(sums, frame.get<BankRowCollection>("bank"));
        });
      });
      std::filesystem::remove(m_path);
    }
    m_report.save();
  }

private:
  template <class Body>
  void measure(const std::string& task, const std::string& program, Body body) {
    const auto processors = static_cast<int>(std::thread::hardware_concurrency());
    for (int threads = 1; threads <= processors; threads *= 2) {
      oneapi::tbb::task_arena arena(threads);
      const std::string variant = std::to_string(threads) + (threads == 1 ? " thread" : " threads");
      m_report.time({task, program, variant}, m_perMillion, [&] { arena.execute(body); });
    }
  }

  /// Each thread fills and compresses its own clusters. The order of events is kept.
  void write(kaon::Compression compression) const {
    constexpr std::size_t pieceEvents = 40'000;
    kaon::Writer writer(m_path, {.codec = compression});
    kaon::forEach((m_bank.events() + pieceEvents - 1) / pieceEvents, [&](std::size_t piece) {
      auto filler = writer.filler("events", piece);
      const std::size_t last = std::min(m_bank.events(), (piece + 1) * pieceEvents);
      for (std::size_t event = piece * pieceEvents; event < last; ++event)
        filler.write(makeFrame(m_bank, event));
      filler.finish();
    });
    writer.finish();
  }

  void read(const kaon::Category& events,
            void (*add)(BankSums& sums, kaon::Category events, kaon::EntryRange range)) const {
    const auto clusters = events.clusters();
    std::mutex mutex;
    BankSums all;
    kaon::forEach(clusters.size(), [&](std::size_t i) {
      BankSums sums;
      add(sums, events, clusters[i]);
      const std::lock_guard lock(mutex);
      all.add(sums);
    });
    expect(all == m_all, "the sums over all clusters");
  }

  Report m_report;
  Bank m_bank;
  std::string m_path;
  Unit m_perMillion;
  BankSums m_all;
};

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  return bench::runWorkload(argc, argv, 1'000'000, [](const bench::Options& options) {
    bench::ThreadsWorkload(options).run();
  });
}
