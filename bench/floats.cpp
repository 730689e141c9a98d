// W1: writes a column of floats, reads it and sums it.

#include "common/Floats.h"
#include "common/Digest.h"
#include "common/Harness.h"
#include "common/KaonFiles.h"

#include <kaon/base/Hash.h>
#include <kaon/dataset/Dataframe.h>
#include <kaon/io/ByteSource.h>
#include <kaon/kaon.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace bench {
namespace {

class Floats {
public:
  explicit Floats(const Options& options)
      : m_options(options), m_report("floats", options), m_values(makeFloats(options.count)),
        m_sum(sum(m_values)), m_path(options.directory + "/floats.kaon"),
        m_perFloat{"ns/float", 1e9 / static_cast<double>(options.count)} {
    constexpr std::size_t million = 1'000'000;
    if (m_values.size() < million)
      return;
    Digest digest;
    digest.add(std::as_bytes(std::span(m_values).first(million)));
    expect(digest.value() == millionFloatsDigest, "the floats are those that are meant");
  }

  void run() {
    for (const kaon::Compression compression : allCodecs) {
      const std::string name = variant(compression);
      if (!m_report.wants(name))
        continue;
      m_report.time({"write", "kaon batches", name}, m_perFloat, [&] { write(compression); });
      const double size = sizeOf(m_path) / static_cast<double>(m_values.size() * sizeof(float));
      m_report.add({"size", "kaon", name}, "of raw", size);
      verify();
      m_report.time({"read and sum", "kaon batches", name}, m_perFloat, [&] { read(m_path); });
      m_report.time({"read and sum", "kaon each", name}, m_perFloat, [&] {
        const kaon::Reader reader(m_path);
        double total = 0;
        for (auto [pt] : reader["events"].each<float>("pt"))
          total += pt;
        expectSum(total);
      });
      m_report.time({"read and sum", "kaon each, forEach", name}, m_perFloat, [&] {
        const kaon::Reader reader(m_path);
        double total = 0;
        reader["events"].each<float>("pt").forEach([&](float pt) { total += pt; });
        expectSum(total);
      });
      m_report.time({"read and sum", "kaon dataframe", name}, m_perFloat,
                    [&] { expectSum(*kaon::dataset(m_path, "events").sum("pt")); });
      if (compression.codec == kaon::Codec::none)
        measureLimits();
      std::filesystem::remove(m_path);
    }
    for (const char* const kind : {"tree", "ntuple"})
      for (const kaon::Compression compression : allCodecs)
        readRootFile(kind, variant(compression));
    m_report.save();
  }

private:
  /// Reads a file of ROOT's benchmark.
  void readRootFile(const std::string& kind, const std::string& codec) {
    const std::string path = m_options.directory + "/floats." + kind + "." + codec + ".root";
    if (std::filesystem::exists(path))
      m_report.time({"read and sum", std::string("kaon batches of ROOT's ") + kind, codec},
                    m_perFloat, [&] { read(path); });
  }

  void write(kaon::Compression compression) const {
    kaon::BatchWriter writer = kaon::batchWriter(m_path, {.codec = compression});
    kaon::Columns columns(m_values.size());
    columns.add("pt", m_values, "GeV", "transverse momentum");
    writer.write("events", columns.batch());
    writer.finish();
  }

  void verify() const {
    const kaon::Reader reader(m_path);
    for (const kaon::Batch& batch : reader["events"].batches({"pt"})) {
      const auto values = batch.values<float>("pt");
      expect(std::memcmp(values.data(), m_values.data() + batch.firstEntry(),
                         values.size_bytes()) == 0,
             "the floats read are those written");
    }
  }

  void read(const std::string& path) const {
    const kaon::Reader reader(path);
    double total = 0;
    for (const kaon::Batch& batch : reader["events"].batches({"pt"}))
      total += sum(batch.values<float>("pt"));
    expectSum(total);
  }

  void expectSum(double total) const {
    expect(std::abs(total / m_sum - 1) < 1e-6, "the sum of the floats");
  }

  /// The file is uncompressed, so that most of it is the floats.
  void measureLimits() {
    const auto limit = [&](const char* what, auto body) {
      m_report.time({"read and sum", what, "", Role::limit}, m_perFloat, body);
    };
    limit("sum over memory", [&] { expectSum(sum(m_values)); });
    limit("sum over the memory map", [&] {
      const auto file = kaon::io::fileSource(m_path);
      kaon::Buffer scratch;
      const std::size_t floats =
          std::min<std::size_t>(file->size() / sizeof(float), m_values.size());
      const auto bytes = file->viewInPlace(0, floats * sizeof(float), scratch);
      // The sum includes bytes between pages, which may look like any float.
      expect(sum({reinterpret_cast<const float*>(bytes.data()), floats}) != 0, "a sum");
    });
    limit("one addition after another", [&] {
      double total = 0;
      for (const float pt : m_values)
        total += pt;
      expectSum(total);
    });
    std::vector<float> copy(m_values.size());
    limit("memcpy", [&] {
      std::memcpy(copy.data(), m_values.data(), copy.size() * sizeof(float));
      expect(copy.back() == m_values.back(), "a copy");
    });
    const std::uint64_t hash = kaon::checksum(std::as_bytes(std::span(m_values)));
    limit("XXH3", [&] {
      expect(kaon::checksum(std::as_bytes(std::span(m_values))) == hash, "the hash of the floats");
    });
  }

  Options m_options;
  Report m_report;
  std::vector<float> m_values;
  double m_sum;
  std::string m_path;
  Unit m_perFloat;
};

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  return bench::runWorkload(argc, argv, 20'000'000,
                            [](const bench::Options& options) { bench::Floats(options).run(); });
}
