// Event loops with minimal algorithms, to measure the cost of bringing events to an algorithm.

#include "common/BankObjects.h"
#include "common/Harness.h"
#include "common/KaonFiles.h"

#include <kaon/kaon.h>
#include <kaon/loop/EventLoop.h>

#include <oneapi/tbb/task_arena.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>

namespace bench {
namespace {

/// A minimal algorithm whose result can be checked.
struct TagSum {
  void operator()(std::int32_t number) { sum += number; }
  std::int64_t sum = 0;
};
struct RowSum {
  void operator()(const BankRowCollection& rows) {
    for (const BankRow row : rows)
      sum += row.pid();
  }
  std::int64_t sum = 0;
};

/// Returns an algorithm with a separate instance for each thread. Adds their sums to `sum`.
template <class Algorithm>
auto summing(std::int64_t& sum) {
  return kaon::perThread([] { return Algorithm(); },
                         [&sum](const Algorithm& own) { sum += own.sum; });
}

/// The number of rows of an event's bank.
std::size_t rowsOf(std::size_t event) { return event % 5; }

class LoopWorkload {
public:
  explicit LoopWorkload(const Options& options)
      : m_report("loop", options), m_events(options.count),
        m_path(options.directory + "/loop.kaon"),
        m_perEvent{"ns/event", 1e9 / static_cast<double>(m_events)} {
    for (std::size_t event = 0; event < m_events; ++event) {
      m_numbers += static_cast<std::int64_t>(event);
      m_pids += static_cast<std::int64_t>(rowsOf(event) * (event % 100));
    }
  }

  void run() {
    write();
    const kaon::Category events = kaon::Reader(m_path)["events"];
    m_report.time({"read one tag", "kaon frames", "1 thread"}, m_perEvent, [&] {
      std::int64_t sum = 0;
      for (const kaon::Frame& frame : events)
        sum += *frame.getParameter<std::int32_t>("number");
      expect(sum == m_numbers, "the sum over the tags");
    });
    m_report.time({"touch one small collection", "kaon frames", "1 thread"}, m_perEvent, [&] {
      RowSum rows;
      for (const kaon::Frame& frame : events)
        rows(frame.get<BankRowCollection>("bank"));
      expect(rows.sum == m_pids, "the sum over the rows");
    });
    m_report.time({"touch one small collection", "kaon frames by number", "1 thread"}, m_perEvent,
                  [&] {
                    RowSum rows;
                    for (std::uint64_t entry = 0; entry < events.size(); ++entry)
                      rows(events.at(entry).get<BankRowCollection>("bank"));
                    expect(rows.sum == m_pids, "the sum over the rows");
                  });
    measure(
        "do nothing", [](kaon::EventLoop& loop, std::int64_t&) { loop.add("nothing", [] {}); },
        events, 0);
    measure(
        "read one tag",
        [](kaon::EventLoop& loop, std::int64_t& sum) {
          loop.add("sum", summing<TagSum>(sum), {"number"});
        },
        events, m_numbers);
    measure(
        "touch one small collection",
        [](kaon::EventLoop& loop, std::int64_t& sum) {
          loop.add("sum", summing<RowSum>(sum), {"bank"});
        },
        events, m_pids);
    std::filesystem::remove(m_path);
    m_report.save();
  }

private:
  void write() const {
    kaon::Writer writer(m_path, {.codec = kaon::lz4(), .tags = {"number"}});
    kaon::Frame frame;
    for (std::size_t event = 0; event < m_events; ++event) {
      frame.clear();
      BankRowCollection rows;
      for (std::size_t i = 0; i < rowsOf(event); ++i)
        rows.create().pid(static_cast<std::int32_t>(event % 100));
      frame.put(std::move(rows), "bank");
      frame.putParameter("number", static_cast<std::int32_t>(event));
      writer.write(frame, "events");
    }
    writer.finish();
  }

  /// Measures CPU time of all threads, which is the cost of an event for each of them.
  template <class Add>
  void measure(const std::string& task, Add add, const kaon::Category& events,
               std::int64_t expected) {
    const auto processors = static_cast<int>(std::thread::hardware_concurrency());
    for (int threads = 1; threads <= processors; threads *= 2) {
      oneapi::tbb::task_arena arena(threads);
      const std::string variant = std::to_string(threads) + (threads == 1 ? " thread" : " threads");
      m_report.time({task, "kaon loop", variant}, m_perEvent, [&] {
        std::int64_t sum = 0;
        kaon::EventLoop loop;
        add(loop, sum);
        arena.execute([&] { loop.run(events); });
        expect(sum == expected, "the sum over all events");
      });
    }
  }

  Report m_report;
  std::size_t m_events;
  std::string m_path;
  Unit m_perEvent;
  std::int64_t m_numbers = 0;
  std::int64_t m_pids = 0;
};

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  return bench::runWorkload(argc, argv, 2'000'000, [](const bench::Options& options) {
    bench::LoopWorkload(options).run();
  });
}
