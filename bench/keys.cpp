// W8: finds events by run and number in a file whose events are not sorted.

#include "common/Harness.h"
#include "common/KaonFiles.h"
#include "common/Random.h"

#include <kaon/kaon.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace bench {
namespace {

class Keys {
public:
  explicit Keys(const Options& options)
      : m_report("keys", options), m_path(options.directory + "/keys.kaon"),
        m_numbers(options.count) {
    std::iota(m_numbers.begin(), m_numbers.end(), std::int64_t{0});
    for (std::size_t i = m_numbers.size(); i > 1; --i)
      std::swap(m_numbers[i - 1], m_numbers[below(i)]);
  }

  void run() {
    const Unit perEvent{"ns/event", 1e9 / static_cast<double>(m_numbers.size())};
    m_report.time({"write", "kaon batches, no keys"}, perEvent, [&] { write({}); });
    m_report.time({"write", "kaon batches, keys"}, perEvent, [&] { write({"run", "event"}); });
    const kaon::Reader reader(m_path);
    const auto events = reader["events"];
    constexpr std::size_t finds = 1'000;
    m_report.time({"find one event", "kaon, warm"}, {"us", 1e6 / finds}, [&] {
      for (std::size_t i = 0; i < finds; ++i)
        find(events, below(m_numbers.size()));
    });
    m_report.time({"open and find one event", "kaon, warm"}, {"us", 1e6},
                  [&] { find(kaon::Reader(m_path)["events"], below(m_numbers.size())); });
    const std::size_t picks = std::min<std::size_t>(100'000, m_numbers.size());
    m_report.time({"find 100,000 events", "kaon, warm"}, {"ms", 1e3}, [&] { pick(events, picks); });
    m_report.save();
    std::filesystem::remove(m_path);
  }

private:
  [[nodiscard]] static std::int32_t runOf(std::int64_t number) {
    return static_cast<std::int32_t>(number / 100'000);
  }

  [[nodiscard]] std::size_t below(std::size_t limit) {
    return m_random.below(static_cast<std::uint32_t>(limit));
  }

  void write(const std::vector<std::string>& keys) const {
    kaon::BatchWriter writer = kaon::batchWriter(m_path, {.keys = keys});
    std::vector<std::int32_t> runs;
    constexpr std::size_t most = 1'000'000; // events at a time
    for (std::size_t first = 0; first < m_numbers.size(); first += most) {
      const auto numbers =
          std::span(m_numbers).subspan(first, std::min(most, m_numbers.size() - first));
      runs.resize(numbers.size());
      std::ranges::transform(numbers, runs.begin(), runOf);
      kaon::Columns columns(numbers.size());
      columns.add("run", runs);
      columns.add("event", numbers);
      writer.write("events", columns.batch());
    }
    writer.finish();
  }

  void find(const kaon::Category& events, std::size_t entry) const {
    const std::int64_t number = m_numbers[entry];
    expect(events.find({{"run", runOf(number)}, {"event", number}}) == entry, "the event");
  }

  void pick(const kaon::Category& events, std::size_t count) {
    std::vector<std::int64_t> runs, numbers;
    std::vector<std::size_t> entries;
    for (std::size_t i = 0; i < count; ++i) {
      entries.push_back(below(m_numbers.size()));
      numbers.push_back(m_numbers[entries.back()]);
      runs.push_back(runOf(numbers.back()));
    }
    const auto found = events.findEach({{"run", runs}, {"event", numbers}});
    for (std::size_t i = 0; i < count; ++i)
      expect(found[i] == entries[i], "the events of a pick list");
  }

  Report m_report;
  std::string m_path;
  Random m_random;
  std::vector<std::int64_t> m_numbers; // of the events, in the order of the file
};

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  return bench::runWorkload(argc, argv, 10'000'000,
                            [](const bench::Options& options) { bench::Keys(options).run(); });
}
