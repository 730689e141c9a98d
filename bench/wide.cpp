// W4: files of very many columns: written, opened, and one column or one frame read.

#include "common/Floats.h"
#include "common/Harness.h"
#include "common/KaonFiles.h"

#include <kaon/formats/kaon/FileWriter.h>
#include <kaon/io/ByteSink.h>
#include <kaon/kaon.h>

#include <array>
#include <cmath>
#include <numeric>
#include <optional>

namespace bench {
namespace {

/// The columns are tables of their own, as numbers an event, or the members of one collection that
/// has one object an event.
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

  [[nodiscard]] kaon::Schema schemaOf(Shape shape) const {
    kaon::Schema schema;
    kaon::TableDefinition collection{.name = "wide", .type = "bench::Wide"};
    for (std::size_t column = 0; column < m_columns; ++column) {
      kaon::TableDefinition value = valueTable(nameOfColumn(column), kaon::Scalar::Float32);
      if (shape == Shape::collection) {
        kaon::MemberDefinition& member = collection.members.emplace_back(value.members.front());
        member.name = value.name;
        member.offset = std::exchange(collection.rowSize, collection.rowSize + value.rowSize);
      } else {
        schema.add(std::move(value));
      }
    }
    if (shape == Shape::collection)
      schema.add(std::move(collection));
    return schema;
  }

  void run(Shape shape, const std::string& variant) {
    if (!m_report.wants(variant))
      return;
    const kaon::Schema schema = schemaOf(shape);
    m_report.time({"write", "kaon batches", variant}, {"s"}, [&] { write(schema); });
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

  void write(const kaon::Schema& schema) const {
    kaon::store::FileWriter writer(kaon::io::fileSink(m_path), {kaon::WriterOptions().codec});
    forEachCluster(
        schema, entries, m_columns * sizeof(float), [&](std::size_t first, std::size_t last) {
          kaon::Batch batch(schema, first, last - first);
          const std::size_t tables = schema.tables().size();
          for (std::size_t column = 0; column < m_columns; ++column) {
            kaon::TableView& table =
                batch.table(static_cast<std::uint32_t>(tables > 1 ? column : 0));
            table.rows = last - first;
            if (schema.table(0).isCounted())
              table.offsets = std::span(m_offsets).first(table.rows + 1);
            const float* const values = m_values.data() + column * entries + first;
            table.members.push_back({std::as_bytes(std::span(values, 1)).data(), sizeof(float)});
          }
          writer.write("events", batch);
        });
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
