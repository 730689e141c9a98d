// W4: writes and opens files with very many columns, and reads one column or one frame.

#include "common/Floats.h"
#include "common/Harness.h"
#include "common/KaonFiles.h"

#include <kaon/kaon.h>

#include <array>
#include <cmath>
#include <numeric>
#include <optional>

namespace bench {
namespace {

/// The columns are separate values of each event, or the members of one collection with one object
/// an event.
enum class Shape { values, collection };

class Wide {
public:
  explicit Wide(const Options& options)
      : m_report("wide", options), m_columns(options.count),
        m_values(makeFloats(m_columns * entries)), m_path(options.directory + "/wide.kaon") {
    std::iota(m_offsets.begin(), m_offsets.end(), 0U);
  }

  void run() {
    run(Shape::values, "values");
    run(Shape::collection, "collection");
    m_report.save();
  }

private:
  static constexpr std::size_t entries = 2'000;

  [[nodiscard]] static std::string nameOfColumn(std::size_t column) {
    std::string name = "x";
    return name.append(std::to_string(column));
  }

  void run(Shape shape, const std::string& variant) {
    if (!m_report.wants(variant))
      return;
    m_report.time({"write", "kaon batches", variant}, {"s"}, [&] { write(shape); });
    const double raw = static_cast<double>(m_values.size() * sizeof(float));
    m_report.add({"size", "kaon", variant}, "of raw", sizeOf(m_path) / raw);

    const Unit milliseconds{"ms", 1e3};
    m_report.time(
        {"open", "kaon", variant}, milliseconds, [] { return std::optional<kaon::Reader>(); },
        [&](std::optional<kaon::Reader>& reader) {
          expect(reader.emplace(m_path)["events"].size() == entries, "all entries are in the file");
        });
    const auto open = [&] { return kaon::Reader(m_path); };
    const std::size_t column = m_columns / 2;
    const std::string name = (shape == Shape::values ? "" : "wide.") + nameOfColumn(column);
    const double expected = sum(std::span(m_values).subspan(column * entries, entries));
    m_report.time({"read the first column", "kaon batches", variant}, milliseconds, open,
                  [&](const kaon::Reader& reader) {
                    double total = 0;
                    for (const kaon::Batch& batch : reader["events"].batches({name}))
                      total += sum(batch.values<float>(name));
                    expect(std::abs(total / expected - 1) < 1e-6, "the sum of the column");
                  });
    m_report.time({"open an event", "kaon frames", variant}, milliseconds, open,
                  [](const kaon::Reader& reader) {
                    [[maybe_unused]] const kaon::Frame event = reader["events"].at(entries / 2);
                  });
    std::filesystem::remove(m_path);
  }

  void write(Shape shape) const {
    kaon::BatchWriter writer = kaon::batchWriter(m_path);
    kaon::Columns columns(entries);
    std::vector<kaon::MemberValues> members;
    for (std::size_t column = 0; column < m_columns; ++column) {
      const auto values = std::span(m_values).subspan(column * entries, entries);
      if (shape == Shape::collection)
        members.push_back({nameOfColumn(column), values});
      else
        columns.add(nameOfColumn(column), values);
    }
    if (shape == Shape::collection)
      columns.add("wide", m_offsets, members);
    writer.write("events", columns.batch());
    writer.finish();
  }

  Report m_report;
  std::size_t m_columns;
  std::vector<float> m_values; ///< column after column
  std::array<std::uint32_t, entries + 1> m_offsets{};
  std::string m_path;
};

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  return bench::runWorkload(argc, argv, 10'000,
                            [](const bench::Options& options) { bench::Wide(options).run(); });
}
