// W4 with ROOT: see bench/wide.cpp.

#include "common/Floats.h"
#include "common/Harness.h"
#include "root/RootFiles.h"

#include <ROOT/RNTupleModel.hxx>
#include <ROOT/RNTupleView.hxx>
#include <ROOT/RNTupleWriter.hxx>

#include <cmath>

namespace bench {
namespace {

class RootWide {
public:
  explicit RootWide(const Options& options)
      : m_report("wide", options), m_columns(options.count),
        m_values(makeFloats(m_columns * entries)), m_path(options.directory + "/wide.root") {}

  void run() {
    const Unit milliseconds{"ms", 1e3};
    time(
        "write", "ROOT RNTuple", {"s"}, [] { return 0; }, [&](int) { write(); });
    m_report.add({"size", "ROOT RNTuple", variant, Role::peer}, "of raw",
                 sizeOf(m_path) / static_cast<double>(m_values.size() * sizeof(float)));
    using Reader = std::unique_ptr<ROOT::RNTupleReader>;
    time(
        "open", "ROOT RNTuple", milliseconds, [] { return Reader(); },
        [&](Reader& reader) {
          reader = open();
          expect(reader->GetNEntries() == entries, "all entries are in the file");
        });
    time(
        "read the first column", "ROOT RNTuple view", milliseconds, [&] { return open(); },
        [&](const Reader& reader) { readColumn(*reader); });
    std::filesystem::remove(m_path);
    m_report.save();
  }

private:
  static constexpr std::size_t entries = 2'000;
  static constexpr const char* variant = "values";
  static constexpr RootCodec codec = rootCodecs[2]; // kaon's default is zstd, too

  template <class Prepare, class Body>
  void time(const char* task, const char* program, const Unit& unit, Prepare prepare, Body body) {
    m_report.time({task, program, variant, Role::peer}, unit, prepare, body);
  }
  [[nodiscard]] std::unique_ptr<ROOT::RNTupleReader> open() const {
    return ROOT::RNTupleReader::Open("events", m_path, readOptions());
  }
  [[nodiscard]] static std::string nameOfColumn(std::size_t column) {
    std::string name = "x";
    return name.append(std::to_string(column));
  }

  void write() const {
    auto model = ROOT::RNTupleModel::Create();
    std::vector<std::shared_ptr<float>> fields;
    for (std::size_t column = 0; column < m_columns; ++column)
      fields.push_back(model->MakeField<float>(nameOfColumn(column)));
    const auto writer =
        ROOT::RNTupleWriter::Recreate(std::move(model), "events", m_path, writeOptions(codec));
    for (std::size_t entry = 0; entry < entries; ++entry) {
      for (std::size_t column = 0; column < m_columns; ++column)
        *fields[column] = m_values[column * entries + entry];
      writer->Fill();
    }
  }

  void readColumn(ROOT::RNTupleReader& reader) const {
    const std::size_t column = m_columns / 2;
    auto view = reader.GetView<float>(nameOfColumn(column));
    double total = 0;
    for (const auto entry : reader.GetEntryRange())
      total += static_cast<double>(view(entry));
    const double expected = sum(std::span(m_values).subspan(column * entries, entries));
    expect(std::abs(total / expected - 1) < 1e-6, "the sum of the column");
  }

  Report m_report;
  std::size_t m_columns;
  std::vector<float> m_values; ///< column after column
  std::string m_path;
};

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  return bench::runWorkload(argc, argv, 10'000,
                            [](const bench::Options& options) { bench::RootWide(options).run(); });
}
