// W5: reads four numbers of each event from a file whose events are large.

#include "common/CountedSource.h"
#include "common/Harness.h"
#include "common/KaonFiles.h"
#include "common/Random.h"

#include <kaon/kaon.h>

#include <atomic>
#include <bit>

namespace bench {
namespace {

/// The result of an analysis: the weight of events with a trigger, and a number that depends on all
/// runs and event numbers.
struct TagSums {
  double weight = 0;
  std::uint64_t numbers = 0;

  void add(std::span<const std::uint32_t> run, std::span<const std::uint64_t> event,
           std::span<const double> weights, std::span<const std::uint32_t> trigger) {
    constexpr std::uint32_t wanted = 1U << 3;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      numbers += run[i] + event[i];
      weight += (trigger[i] & wanted) != 0 ? weights[i] : 0;
    }
  }
  friend bool operator==(const TagSums&, const TagSums&) = default;
};

class Tags {
public:
  explicit Tags(const Options& options)
      : m_report("tags", options), m_events(options.count),
        m_path(options.directory + "/tags.kaon") {
    Random random;
    for (std::size_t i = 0; i < m_events; ++i) {
      m_run.push_back(static_cast<std::uint32_t>(4000 + i / 10'000));
      m_event.push_back(i);
      m_weight.push_back(random.uniform());
      m_trigger.push_back(static_cast<std::uint32_t>(random.bits()));
    }
    m_sums.add(m_run, m_event, m_weight, m_trigger);
  }

  void run() {
    write();
    const Unit perEvent{"ns/event", 1e9 / static_cast<double>(m_events)};
    m_report.time({"open and read four values", "kaon batches"}, perEvent,
                  [&] { expect(read(kaon::open(m_path)) == m_sums, "the sums over events"); });
    // One pass is too short to be measured.
    constexpr int passes = 100;
    const auto file = kaon::open(m_path);
    m_report.time({"read four values", "kaon batches"},
                  {perEvent.name, perEvent.perSecond / passes}, [&] {
                    for (int pass = 0; pass < passes; ++pass)
                      expect(read(file) == m_sums, "the sums over events");
                  });
    addBytes();
    m_report.save();
    std::filesystem::remove(m_path);
  }

private:
  static constexpr std::size_t floatsOfEvent = 50'000;

  /// Writes the four numbers of each event, and values that make events large.
  void write() const {
    kaon::BatchWriter writer =
        kaon::batchWriter(m_path, {.tags = {"run", "event", "weight", "trigger"}});
    Random random;
    std::vector<float> samples; // bits that no codec shrinks
    std::vector<std::uint32_t> offsets;
    constexpr std::size_t most = 100; // events at a time
    for (std::size_t first = 0; first < m_events; first += most) {
      const std::size_t count = std::min(most, m_events - first);
      samples.clear();
      offsets.assign(1, 0);
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < floatsOfEvent; ++k)
          samples.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random.bits())));
        offsets.push_back(static_cast<std::uint32_t>(samples.size()));
      }
      kaon::Columns columns(count);
      columns.add("run", std::span(m_run).subspan(first, count));
      columns.add("event", std::span(m_event).subspan(first, count));
      columns.add("weight", std::span(m_weight).subspan(first, count));
      columns.add("trigger", std::span(m_trigger).subspan(first, count));
      columns.add("samples", offsets, {{"value", samples}});
      writer.write("events", columns.batch());
    }
    writer.finish();
  }

  [[nodiscard]] static TagSums read(const std::shared_ptr<const kaon::File>& file) {
    TagSums sums;
    for (const kaon::Batch& batch :
         kaon::Category(file, "events").batches({"run", "event", "weight", "trigger"}))
      sums.add(batch.values<std::uint32_t>("run"), batch.values<std::uint64_t>("event"),
               batch.values<double>("weight"), batch.values<std::uint32_t>("trigger"));
    return sums;
  }

  /// Adds the bytes read from the file, including those for opening it.
  void addBytes() {
    std::atomic<std::uint64_t> bytes = 0;
    expect(read(kaon::open(std::make_unique<CountedSource>(kaon::io::fileSource(m_path), bytes))) ==
               m_sums,
           "the sums over events");
    m_report.add({"bytes read", "kaon batches"}, "bytes/event",
                 static_cast<double>(bytes) / static_cast<double>(m_events));
  }

  Report m_report;
  std::size_t m_events;
  std::string m_path;
  std::vector<std::uint32_t> m_run;
  std::vector<std::uint64_t> m_event;
  std::vector<double> m_weight;
  std::vector<std::uint32_t> m_trigger;
  TagSums m_sums;
};

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  return bench::runWorkload(argc, argv, 1'000,
                            [](const bench::Options& options) { bench::Tags(options).run(); });
}
