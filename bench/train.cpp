// A train: sorts W2's events into 16 files in one pass, by their numbers of rows. It also joins
// files into one.

#include "common/Bank.h"
#include "common/BankColumns.h"
#include "common/Harness.h"
#include "common/KaonFiles.h"

#include <kaon/batch/Columns.h>
#include <kaon/files/Files.h>
#include <kaon/tools/Convert.h>
#include <kaon/train/Train.h>

#include <filesystem>
#include <oneapi/tbb/task_arena.h>

namespace bench {
namespace {

constexpr std::size_t outputs = 16;

class TrainWorkload {
public:
  explicit TrainWorkload(const Options& options)
      : m_options(options), m_report("train", options), m_bank(makeBank(options.count)),
        m_perMillion{"s/million events", 1e6 / static_cast<double>(options.count)} {}

  void run() {
    for (const kaon::Compression codec : codecs)
      if (m_report.wants(variant(codec)))
        for (const char* const suffix : {".kaon", ".hipo"})
          run(codec, suffix);
    m_report.save();
  }

private:
  void run(kaon::Compression codec, const std::string& suffix) {
    if (suffix == ".hipo" && codec.codec == kaon::Codec::zstd)
      return; // HIPO has no zstd
    const std::string in = path("bank" + suffix), name = variant(codec);
    m_report.time({"all events into one file", "kaon batches to " + suffix + " files", name},
                  m_perMillion,
                  [&] { oneapi::tbb::task_arena(1).execute([&] { write(in, codec); }); });
    const std::string program = "kaon train of " + suffix + " files";
    const auto time = [&](const std::string& task, std::size_t each, bool isVirtual,
                          bool keepsOrder) {
      if (!m_report.wants({task, program, name}))
        return; // nothing else needs its output
      m_report.time(
          {task, program, name}, m_perMillion, [&] { return removeOutputs(), 0; },
          [&](int) {
            oneapi::tbb::task_arena(1).execute([&] {
              runTrain(in, codec, isVirtual ? ".kaon" : suffix, each, isVirtual, keepsOrder);
            });
          });
    };
    time("each event in one of 16 files", 1, false, true);
    time("each event in two of 16 files", 2, false, true);
    time("each event in two of 16 files, in any order", 2, false, false);
    time("each event in two of 16 lists", 2, true, true);
    removeOutputs();
    if (suffix == ".kaon")
      join(in, codec, name);
    std::filesystem::remove(in);
  }

  /// Joins the same file twice.
  void join(const std::string& in, kaon::Compression codec, const std::string& name) {
    const std::string out = path("joined.kaon");
    const auto time = [&](const std::string& program, auto work) {
      m_report.time(
          {"two files of all events joined", program, name}, m_perMillion,
          [&] { return std::filesystem::remove(out), 0; },
          [&](int) { oneapi::tbb::task_arena(1).execute(work); });
    };
    time("kaon merge", [&] {
      const std::vector<kaon::MergedCategory> merged = kaon::merge({in, in}, out).categories;
      expect(merged[0].copiedEntries == 2 * m_bank.events(), "all entries copied");
    });
    time("kaon convert", [&] { kaon::convert({in, in}, out, {.writer = {.codec = codec}}); });
    std::filesystem::remove(out);
  }

  /// Freeing the pages of the outputs takes a third of the time for writing them.
  void removeOutputs() const {
    for (std::size_t i = 0; i < outputs; ++i)
      for (const char* const suffix : {".kaon", ".hipo"})
        std::filesystem::remove(path("train" + std::to_string(i) + suffix));
  }

  [[nodiscard]] std::string path(const std::string& name) const {
    return m_options.directory + "/" + name;
  }

  void write(const std::string& file, kaon::Compression codec) const {
    kaon::BatchWriter out = kaon::batchWriter(file, {.codec = codec});
    kaon::Columns columns(m_bank.events());
    columns.add("bank", m_bank.offsets,
                {{"pid", m_bank.pid},
                 {"px", m_bank.px},
                 {"py", m_bank.py},
                 {"pz", m_bank.pz},
                 {"vx", m_bank.vx},
                 {"vy", m_bank.vy},
                 {"vz", m_bank.vz},
                 {"vt", m_bank.vt},
                 {"charge", m_bank.charge},
                 {"beta", m_bank.beta},
                 {"chi2pid", m_bank.chi2pid},
                 {"status", m_bank.status}});
    out.write("events", columns.batch());
    out.finish();
  }

  void runTrain(const std::string& in, kaon::Compression codec, const std::string& suffix,
                std::size_t each, bool isVirtual, bool keepsOrder) const {
    const std::string of = " % " + std::to_string(outputs);
    kaon::Train train(kaon::dataset(in, "events").define("class", "count(bank)" + of),
                      {.writer = {.codec = codec}, .keepsOrder = keepsOrder});
    for (std::size_t i = 0; i < outputs; ++i) {
      std::string selection = "class == " + std::to_string(i);
      if (each == 2)
        selection += " or class == " + std::to_string((i + 1) % outputs);
      train.add({.path = path("train" + std::to_string(i) + suffix),
                 .selection = selection,
                 .isVirtual = isVirtual});
    }
    const kaon::TrainReport report = train.run();
    std::uint64_t written = 0;
    for (const kaon::TrainReport::Output& output : report.outputs)
      written += output.entries;
    expect(written == each * m_bank.events(), "each event in as many files");
  }

  Options m_options;
  Report m_report;
  Bank m_bank;
  Unit m_perMillion;
};

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  return bench::runWorkload(argc, argv, 1'000'000, [](const bench::Options& options) {
    bench::TrainWorkload(options).run();
  });
}
