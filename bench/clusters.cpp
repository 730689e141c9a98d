// W4b: opens files with very many columns and more and more clusters, and reads one column.

#include "common/CountedSource.h"
#include "common/Harness.h"
#include "common/KaonFiles.h"

#include <kaon/kaon.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace bench {
namespace {

class Clusters {
public:
  explicit Clusters(const Options& options)
      : m_report("clusters", options), m_most(options.count),
        m_path(options.directory + "/clusters.kaon") {}

  void run() {
    for (const std::size_t clusters : {10, 100, 1'000})
      run({clusters, m_most});
    for (const std::size_t columns : {m_most / 10, m_most / 100})
      run({1'000, columns});
    // The file would have 40 GB if all columns had data.
    run({.clusters = 10'000, .columns = m_most, .distance = 100});
    m_report.save();
  }

private:
  static constexpr std::size_t entriesOfCluster = 100;

  struct Shape {
    std::size_t clusters;
    std::size_t columns;
    std::size_t distance = 1; ///< between columns that no codec shrinks; other columns are zero
  };

  [[nodiscard]] static std::string nameOfColumn(std::size_t column) {
    std::string name = "x";
    return name.append(std::to_string(column));
  }
  [[nodiscard]] static std::uint32_t valueOf(std::size_t entry) {
    return static_cast<std::uint32_t>(entry * 2'654'435'761U);
  }

  void run(const Shape& shape) {
    std::string variant = std::to_string(shape.clusters) + " clusters";
    if (shape.columns != m_most)
      variant += ", " + std::to_string(shape.columns) + " columns";
    if (shape.distance != 1)
      variant += ", mostly zero";
    if (!m_report.wants(variant) || shape.columns == 0)
      return;
    write(shape);
    const std::size_t entries = shape.clusters * entriesOfCluster;
    m_report.time({"open", "kaon", variant}, {"ms", 1e3},
                  [&] { expect(kaon::Reader(m_path)["events"].size() == entries, "all entries"); });
    m_report.time({"open and read a column", "kaon batches", variant}, {"ms", 1e3},
                  [&] { read(kaon::open(m_path), shape); });
    std::atomic<std::uint64_t> bytes = 0;
    read(kaon::open(std::make_unique<CountedSource>(kaon::io::fileSource(m_path), bytes)), shape);
    m_report.add({"bytes read for a column", "kaon batches", variant}, "of its own",
                 static_cast<double>(bytes) / static_cast<double>(entries * sizeof(std::uint32_t)));
    std::filesystem::remove(m_path);
  }

  void write(const Shape& shape) const {
    kaon::BatchWriter writer = kaon::batchWriter(m_path);
    std::vector<std::uint32_t> values(entriesOfCluster), zeros(entriesOfCluster);
    kaon::Columns columns(entriesOfCluster);
    for (std::size_t column = 0; column < shape.columns; ++column)
      columns.add(nameOfColumn(column), column % shape.distance == 0 ? values : zeros);
    for (std::size_t cluster = 0; cluster < shape.clusters; ++cluster) {
      for (std::size_t i = 0; i < entriesOfCluster; ++i)
        values[i] = valueOf(cluster * entriesOfCluster + i);
      writer.write("events", columns.batch());
      writer.flush();
    }
    writer.finish();
  }

  void read(const std::shared_ptr<const kaon::File>& file, const Shape& shape) const {
    const std::size_t middle = shape.columns / 2;
    const std::string name = nameOfColumn(middle - middle % shape.distance);
    std::size_t entry = 0;
    for (const kaon::Batch& batch : kaon::Category(file, "events").batches({name}))
      for (const std::uint32_t value : batch.values<std::uint32_t>(name))
        expect(value == valueOf(entry++), "the values");
    expect(entry == shape.clusters * entriesOfCluster, "all values");
  }

  Report m_report;
  std::size_t m_most; ///< columns
  std::string m_path;
};

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  return bench::runWorkload(argc, argv, 10'000,
                            [](const bench::Options& options) { bench::Clusters(options).run(); });
}
