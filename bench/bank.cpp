// W2: reads a bank of 12 columns with 8 rows an event, in bulk or event by event. Reads all columns
// or two, in sequence or at random.

#include "common/Bank.h"
#include "common/BankColumns.h"
#include "common/BankObjects.h"
#include "common/BankSums.h"
#include "common/Harness.h"
#include "common/KaonFiles.h"
#include "common/PageCache.h"
#include "common/Random.h"

#include <kaon/dataset/Dataframe.h>
#include <kaon/kaon.h>

#include <algorithm>

namespace bench {
namespace {

class BankWorkload {
public:
  explicit BankWorkload(const Options& options)
      : m_options(options), m_report("bank", options), m_bank(makeBank(options.count)),
        m_path(options.directory + "/bank.kaon"),
        m_perMillion{"s/million events", 1e6 / static_cast<double>(options.count)} {
    if (options.count == 1'000'000)
      expect(digest(m_bank) == millionEventsDigest, "the events are those that are meant");
    m_all.add(m_bank.view());
    m_two.add(m_bank.px, m_bank.py);
    Random random;
    for (std::size_t i = 0; i < m_bank.events(); i += 100) {
      m_random.push_back(random.below(static_cast<std::uint32_t>(m_bank.events())));
      m_someAll.add(m_bank.view(m_random.back(), m_random.back() + 1));
    }
  }

  void run() {
    m_report.time({"read 12 columns", "columns in memory", "", Role::limit}, m_perMillion, [&] {
      BankSums sums;
      sums.add(m_bank.view());
      expect(sums == m_all, "the sums over memory");
    });
    m_report.time({"read 2 columns", "columns in memory", "", Role::limit}, m_perMillion, [&] {
      BankSums sums;
      sums.add(m_bank.px, m_bank.py);
      expect(sums == m_two, "the sums of two columns over memory");
    });
    for (const kaon::Layout layout : {kaon::Layout::split, kaon::Layout::member, kaon::Layout::row})
      for (const kaon::Compression compression : codecs)
        if (m_report.wants(variant(layout, compression)))
          run(layout, compression);
    for (const kaon::Compression compression : codecs)
      writeRootFile(compression);
    for (const char* const kind : {"tree", "ntuple"})
      for (const kaon::Compression compression : codecs)
        readRootFile(kind, variant(compression));
    m_report.save();
  }

private:
  void run(kaon::Layout layout, kaon::Compression compression) {
    const std::string name = variant(layout, compression);
    timeWriting(layout, compression, name);
    timeAllColumns(name);
    timeTwoColumns(name);
    timeRandomEvents(name);
    if (name == m_options.keep)
      std::filesystem::rename(m_path, m_options.directory + "/bank.kept.kaon");
    else
      std::filesystem::remove(m_path);
  }

  void timeWriting(kaon::Layout layout, kaon::Compression compression, const std::string& name) {
    m_report.time({"write", "kaon frames", name}, m_perMillion,
                  [&] { writeFrames(layout, compression); });
    verify();
    m_report.time({"write", "kaon batches", name}, m_perMillion,
                  [&] { writeBatches(m_path, {.codec = compression, .layout = layout}); });
    verify();
    m_report.time({"write", "kaon batches, row by row", name}, m_perMillion,
                  [&] { writeRowByRow({.codec = compression, .layout = layout}); });
    verify();
    m_report.add({"size", "kaon", name}, "of raw",
                 sizeOf(m_path) / static_cast<double>(m_bank.bytes()));
  }

  void timeAllColumns(const std::string& name) {
    m_report.time({"read 12 columns", "kaon batches", name}, m_perMillion, [&] {
      BankSums sums;
      const kaon::Reader reader(m_path);
      for (const kaon::Batch& batch : reader["events"].batches({"bank"}))
        sums.add(columnsOf(batch));
      expect(sums == m_all, "the sums over batches");
    });
    m_report.time({"read 12 columns", "kaon batches, row by row", name}, m_perMillion, [&] {
      BankSums sums;
      const kaon::Reader reader(m_path);
      for (const kaon::Batch& batch : reader["events"].batches({"bank"}))
        addByRows(sums, columnsOf(batch), batch.offsets("bank"));
      expect(sums == m_all, "the sums over the rows of batches");
    });
    m_report.time({"read 12 columns", "kaon frames", name}, m_perMillion, [&] {
      BankSums sums;
      for (const kaon::Frame& frame : kaon::Reader(m_path)["events"])
        addRows(sums, frame.get<BankRowCollection>("bank"));
      expect(sums == m_all, "the sums over frames");
    });
    m_report.time({"read 12 columns", "kaon each", name}, m_perMillion, [&] { loopOverAll(); });
    m_report.time({"read 12 columns", "kaon each, structs", name}, m_perMillion, [&] {
      BankSums sums;
      const kaon::Reader reader(m_path);
      for (auto [rows] : reader["events"].each<kaon::Array<BankRowData>>("bank"))
        for (const BankRowData& row : rows)
          sums.add(row.pid, row.px, row.py, row.pz, row.vx, row.vy, row.vz, row.vt, row.charge,
                   row.beta, row.chi2pid, row.status);
      expect(sums == m_all, "the sums of structs");
    });
    m_report.time({"read 12 columns", "kaon dataframe", name}, m_perMillion,
                  [&] { aggregateAll(); });
    m_report.time({"read 12 columns", "kaon dataframe, in batches", name}, m_perMillion,
                  [&] { aggregateBatches(); });
  }

  void timeTwoColumns(const std::string& name) {
    m_report.time({"read 2 columns", "kaon batches", name}, m_perMillion, [&] { readTwo(); });
    m_report.time({"read 2 columns", "kaon batches, row by row", name}, m_perMillion, [&] {
      BankSums sums;
      const kaon::Reader reader(m_path);
      for (const kaon::Batch& batch : reader["events"].batches({"bank.px", "bank.py"}))
        addByRows(sums, batch.values<float>("bank.px"), batch.values<float>("bank.py"),
                  batch.offsets("bank"));
      expect(sums == m_two, "the sums of two columns over the rows of batches");
    });
    m_report.time({"read 2 columns", "kaon each", name}, m_perMillion, [&] {
      BankSums sums;
      const kaon::Reader reader(m_path);
      for (auto [px, py] : reader["events"].each<Floats, Floats>("bank.px", "bank.py"))
        for (std::size_t i = 0; i < px.size(); ++i)
          sums.add(px[i], py[i]);
      expect(sums == m_two, "the sums of two columns, entry by entry");
    });
    m_report.time({"read 2 columns", "kaon dataframe", name}, m_perMillion, [&] {
      const auto add = [](BankSums& sums, Floats px, Floats py) {
        for (std::size_t i = 0; i < px.size(); ++i)
          sums.add(px[i], py[i]);
      };
      const auto sums = kaon::dataset(m_path, "events")
                            .aggregate(BankSums(), add, addSums, {"bank.px", "bank.py"});
      expect(*sums == m_two, "the sums of two columns of a dataframe");
    });
    m_report.time({"histogram of 2 columns", "kaon dataframe", name}, m_perMillion, [&] {
      const auto transverse = [](float px, float py) { return std::sqrt(px * px + py * py); };
      const auto histogram = kaon::dataset(m_path, "events")
                                 .define("pt", transverse, {"bank.px", "bank.py"})
                                 .histogram({200, 0, 10}, "pt");
      expect(histogram->at(100).value() > 0, "a histogram");
    });
    m_report.time({"read 2 columns", "kaon frames", name}, m_perMillion, [&] {
      BankSums sums;
      for (const kaon::Frame& frame : kaon::Reader(m_path)["events"])
        for (const BankRow row : frame.get<BankRowCollection>("bank"))
          sums.add(row.px(), row.py());
      expect(sums == m_two, "the sums of two columns over frames");
    });
    const Unit byTheClock{m_perMillion.name, m_perMillion.perSecond, Clock::wall};
    m_report.time(
        {"read 2 columns from disk", "kaon batches", name}, byTheClock,
        [&] { return dropFromPageCache(m_path), 0; }, [&](int) { readTwo(); });
  }

  void timeRandomEvents(const std::string& name) {
    const Unit perEvent{"ms/event", 1e3 / static_cast<double>(m_random.size())};
    m_report.time({"read random events", "kaon frames", name}, perEvent, [&] {
      BankSums sums;
      const kaon::Category events = kaon::Reader(m_path)["events"];
      for (const std::uint32_t event : m_random)
        addRows(sums, events.at(event).get<BankRowCollection>("bank"));
      expect(sums == m_someAll, "the sums over random events");
    });
  }

  /// Adds rows event by event, using only spans.
  static void addByRows(BankSums& sums, const BankView& bank,
                        std::span<const std::uint32_t> offsets) {
    for (std::size_t event = 0; event + 1 < offsets.size(); ++event)
      for (std::size_t i = offsets[event]; i < offsets[event + 1]; ++i)
        sums.add(bank.pid[i], bank.px[i], bank.py[i], bank.pz[i], bank.vx[i], bank.vy[i],
                 bank.vz[i], bank.vt[i], bank.charge[i], bank.beta[i], bank.chi2pid[i],
                 bank.status[i]);
  }
  static void addByRows(BankSums& sums, std::span<const float> px, std::span<const float> py,
                        std::span<const std::uint32_t> offsets) {
    for (std::size_t event = 0; event + 1 < offsets.size(); ++event)
      for (std::size_t i = offsets[event]; i < offsets[event + 1]; ++i)
        sums.add(px[i], py[i]);
  }

  using Floats = kaon::Array<float>;
  static void addSums(BankSums& sums, const BankSums& next) { sums.add(next); }
  static inline const std::vector<std::string> m_members = {
      "bank.pid", "bank.px", "bank.py",     "bank.pz",   "bank.vx",      "bank.vy",
      "bank.vz",  "bank.vt", "bank.charge", "bank.beta", "bank.chi2pid", "bank.status"};

  void loopOverAll() const {
    BankSums sums;
    const kaon::Reader reader(m_path);
    const auto events = reader["events"];
    for (auto [pid, px, py, pz, vx, vy, vz, vt, charge, beta, chi2pid, status] :
         events.each<kaon::Array<std::int32_t>, Floats, Floats, Floats, Floats, Floats, Floats,
                     Floats, kaon::Array<std::int8_t>, Floats, Floats, kaon::Array<std::int16_t>>(
             "bank.pid", "bank.px", "bank.py", "bank.pz", "bank.vx", "bank.vy", "bank.vz",
             "bank.vt", "bank.charge", "bank.beta", "bank.chi2pid", "bank.status"))
      for (std::size_t i = 0; i < pid.size(); ++i)
        sums.add(pid[i], px[i], py[i], pz[i], vx[i], vy[i], vz[i], vt[i], charge[i], beta[i],
                 chi2pid[i], status[i]);
    expect(sums == m_all, "the sums, entry by entry");
  }
  void aggregateAll() const {
    const auto add = [](BankSums& sums, kaon::Array<std::int32_t> pid, Floats px, Floats py,
                        Floats pz, Floats vx, Floats vy, Floats vz, Floats vt,
                        kaon::Array<std::int8_t> charge, Floats beta, Floats chi2pid,
                        kaon::Array<std::int16_t> status) {
      for (std::size_t i = 0; i < pid.size(); ++i)
        sums.add(pid[i], px[i], py[i], pz[i], vx[i], vy[i], vz[i], vt[i], charge[i], beta[i],
                 chi2pid[i], status[i]);
    };
    const auto sums =
        kaon::dataset(m_path, "events").aggregate(BankSums(), add, addSums, m_members);
    expect(*sums == m_all, "the sums of a dataframe");
  }

  template <class T>
  using Span = std::span<const T>;
  void aggregateBatches() const {
    const auto add = [](BankSums& sums, Span<std::int32_t> pid, Span<float> px, Span<float> py,
                        Span<float> pz, Span<float> vx, Span<float> vy, Span<float> vz,
                        Span<float> vt, Span<std::int8_t> charge, Span<float> beta,
                        Span<float> chi2pid, Span<std::int16_t> status) {
      sums.add(BankView{pid, px, py, pz, vx, vy, vz, vt, charge, beta, chi2pid, status});
    };
    const auto sums =
        kaon::dataset(m_path, "events").aggregate(BankSums(), add, addSums, m_members);
    expect(*sums == m_all, "the sums of a dataframe's batches");
  }

  void readTwo() const { readTwo(m_path, "bank.px", "bank.py"); }
  void readTwo(const std::string& path, const std::string& x, const std::string& y) const {
    BankSums sums;
    const kaon::Reader reader(path);
    for (const kaon::Batch& batch : reader["events"].batches({x, y}))
      sums.add(batch.values<float>(x), batch.values<float>(y));
    expect(sums == m_two, "the sums of two columns over batches");
  }

  /// Writes an RNTuple from columns in memory.
  void writeRootFile(kaon::Compression compression) {
    const std::string name = "split/" + variant(compression);
    const std::string path = m_options.directory + "/bank.written.root";
    m_report.time({"write", "kaon batches to RNTuple", name}, m_perMillion,
                  [&] { writeBatches(path, {.codec = compression}); });
    m_report.add({"size", "kaon RNTuple", name}, "of raw",
                 sizeOf(path) / static_cast<double>(m_bank.bytes()));
    readTwo(path, "bank.px", "bank.py");
    std::filesystem::remove(path);
  }

  /// Reads a file of ROOT's benchmark, in which each column is a list.
  void readRootFile(const std::string& kind, const std::string& codec) {
    const std::string path = m_options.directory + "/bank." + kind + "." + codec + ".root";
    if (!std::filesystem::exists(path))
      return;
    const std::string program = "kaon batches of ROOT's " + kind;
    m_report.time({"read 12 columns", program, "split/" + codec}, m_perMillion, [&] {
      BankSums sums;
      const kaon::Reader reader(path);
      for (const kaon::Batch& batch :
           reader["events"].batches({"pid", "px", "py", "pz", "vx", "vy", "vz", "vt", "charge",
                                     "beta", "chi2pid", "status"}))
        sums.add({batch.values<std::int32_t>("pid"), batch.values<float>("px"),
                  batch.values<float>("py"), batch.values<float>("pz"), batch.values<float>("vx"),
                  batch.values<float>("vy"), batch.values<float>("vz"), batch.values<float>("vt"),
                  batch.values<std::int8_t>("charge"), batch.values<float>("beta"),
                  batch.values<float>("chi2pid"), batch.values<std::int16_t>("status")});
      expect(sums == m_all, "the sums over ROOT's file");
    });
    m_report.time({"read 2 columns", program, "split/" + codec}, m_perMillion,
                  [&] { readTwo(path, "px", "py"); });
  }

  /// Writes like a program that has the columns in memory.
  void writeBatches(const std::string& path, const kaon::WriterOptions& options) const {
    kaon::BatchWriter writer = bankWriter(path, options);
    write(writer, m_bank);
    writer.finish();
  }

  /// Writes like a program that creates one event after another and collects the columns itself.
  void writeRowByRow(const kaon::WriterOptions& options) const {
    constexpr std::size_t eventsTogether = 20'000;
    kaon::BatchWriter writer = bankWriter(m_path, options);
    Bank gathered;
    for (std::size_t first = 0; first < m_bank.events(); first += eventsTogether) {
      forEachColumn([](auto& column) { column.clear(); }, gathered);
      gathered.offsets.assign(1, 0);
      const std::size_t last = std::min(m_bank.events(), first + eventsTogether);
      for (std::size_t event = first; event < last; ++event) {
        for (std::size_t i = m_bank.offsets[event]; i < m_bank.offsets[event + 1]; ++i)
          forEachColumn([i](auto& to, const auto& from) { to.push_back(from[i]); }, gathered,
                        m_bank);
        gathered.offsets.push_back(static_cast<std::uint32_t>(gathered.rows()));
      }
      write(writer, gathered);
    }
    writer.finish();
  }

  static kaon::BatchWriter bankWriter(const std::string& path, const kaon::WriterOptions& options) {
    kaon::BatchWriter writer = kaon::batchWriter(path, options);
    const kaon::detail::ModelInfo& model = *BankRow::datatype().model;
    writer.putDocument("model:" + std::string(model.name), model.json);
    return writer;
  }
  static void write(kaon::BatchWriter& writer, const Bank& bank) {
    kaon::Columns columns(bank.events());
    columns.declare<BankRow>("bank");
    columns.fill("bank", bank.offsets, membersOf(bank));
    writer.write("events", columns.batch());
  }

  /// Writes like a program that creates objects.
  void writeFrames(kaon::Layout layout, kaon::Compression compression) const {
    kaon::Writer writer(m_path, {.codec = compression, .layout = layout});
    for (std::size_t event = 0; event < m_bank.events(); ++event) {
      writer.write(makeFrame(m_bank, event), "events");
    }
    writer.finish();
  }

  void verify() const {
    const kaon::Reader reader(m_path);
    expect(reader["events"].size() == m_bank.events(), "all events are in the file");
    for (const kaon::Batch& batch : reader["events"].batches({"bank"})) {
      const std::size_t first = batch.firstEntry();
      const auto offsets = batch.offsets("bank");
      for (std::size_t i = 0; i < offsets.size(); ++i)
        expect(offsets[i] == m_bank.offsets[first + i] - m_bank.offsets[first],
               "events have as many rows as were written");
      forEachColumn(
          [](const auto& read, const auto& written) {
            expect(std::ranges::equal(std::as_bytes(read), std::as_bytes(written)),
                   "the rows are those written");
          },
          columnsOf(batch), m_bank.view(first, first + batch.entries()));
    }
  }

  Options m_options;
  Report m_report;
  Bank m_bank;
  std::string m_path;
  Unit m_perMillion;
  BankSums m_all, m_two, m_someAll;
  std::vector<std::uint32_t> m_random;
};

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  return bench::runWorkload(argc, argv, 1'000'000, [](const bench::Options& options) {
    bench::BankWorkload(options).run();
  });
}
