// W7: sets a few numbers on each frame, which has nothing else, and writes them.

#include "common/Harness.h"
#include "common/KaonFiles.h"

#include <kaon/base/Buffer.h>
#include <kaon/io/ByteSink.h>
#include <kaon/kaon.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace bench {
namespace {

class Parameters {
public:
  explicit Parameters(const Options& options)
      : m_report("parameters", options), m_events(options.count) {
    for (int i = 0; i < 8; ++i)
      m_names.push_back("number" + std::to_string(i));
  }

  void run() {
    for (const std::size_t numbers : {0, 1, 8}) {
      const std::string program = "kaon frames, " + std::to_string(numbers) + " numbers";
      const Unit perEvent{"ns/event", 1e9 / static_cast<double>(m_events)};
      m_report.time({"write new frames", program}, perEvent,
                    [&] { write(numbers, [](kaon::Frame& frame) { frame = kaon::Frame(); }); });
      m_report.time({"write one frame again and again", program}, perEvent,
                    [&] { write(numbers, [](kaon::Frame& frame) { frame.clear(); }); });
    }
    m_report.save();
  }

private:
  template <class Renew>
  void write(std::size_t numbers, Renew renew) const {
    kaon::Buffer bytes;
    kaon::Writer writer(kaon::io::memorySink("memory", bytes), {.codec = kaon::uncompressed()});
    kaon::Frame frame;
    for (std::size_t event = 0; event < m_events; ++event) {
      renew(frame);
      for (std::size_t i = 0; i < numbers; ++i)
        frame.putParameter(m_names[i], static_cast<double>(event % 1000 + i));
      writer.write(frame, "events");
    }
    writer.finish();
    expect(bytes.size() > 0, "a file");
  }

  Report m_report;
  std::size_t m_events;
  std::vector<std::string> m_names;
};

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  return bench::runWorkload(
      argc, argv, 200'000, [](const bench::Options& options) { bench::Parameters(options).run(); });
}
