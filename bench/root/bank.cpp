// W2 with ROOT: see bench/bank.cpp.

#include "common/Bank.h"
#include "common/BankSums.h"
#include "common/Harness.h"
#include "common/PageCache.h"
#include "common/Random.h"
#include "root/RootFiles.h"

#include <ROOT/RNTupleModel.hxx>
#include <ROOT/RNTupleWriter.hxx>
#include <ROOT/RVec.hxx>

#include <algorithm>
#include <limits>

namespace bench {
namespace {

template <class T>
using Field = std::shared_ptr<std::vector<T>>;
template <class T>
using Pointer = T*;

/// The names of the columns.
template <class T>
using Name = const char*;
constexpr BankColumns<Name> names{"pid", "px", "py",     "pz",   "vx",      "vy",
                                  "vz",  "vt", "charge", "beta", "chi2pid", "status"};

BankColumns<Field> addFields(ROOT::RNTupleModel& model) {
  BankColumns<Field> fields;
  forEachColumn([&]<class T>(Field<T>& field,
                             const char* name) { field = model.MakeField<std::vector<T>>(name); },
                fields, names);
  return fields;
}

/// The part of a tree's column that is in memory: rows from `begin` to `end`, counted from the
/// first entry.
template <class T>
struct TreeColumn {
  BasketReader<T> baskets;
  std::span<const T> values = {};
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] std::span<const T> part(std::size_t first, std::size_t last) const {
    return values.subspan(first - begin, last - first);
  }
  /// Reads baskets up to row `row`. `offsets[i]` is the first row of entry i.
  void fetch(std::size_t row, const std::vector<std::uint32_t>& offsets) {
    while (end <= row) {
      const auto first = static_cast<std::size_t>(baskets.nextEntry());
      const std::size_t entries = baskets.next();
      begin = offsets[first];
      end = offsets[first + entries];
      values = baskets.values(end - begin);
    }
  }
};

/// A column of an RNTuple, as consecutive vectors.
template <class T>
struct BulkColumn {
  ROOT::RFieldBase::RBulkValues bulk;
  std::span<const T> read(ROOT::RNTupleLocalIndex first, std::size_t entries) {
    const auto* const vectors =
        static_cast<const ROOT::RVec<T>*>(bulk.ReadBulk(first, nullptr, entries));
    const T* begin = nullptr;
    std::size_t size = 0;
    for (std::size_t i = 0; i < entries; ++i) {
      if (!begin && !vectors[i].empty())
        begin = vectors[i].data();
      size += vectors[i].size();
    }
    return {begin, size};
  }
};

class RootBank {
public:
  explicit RootBank(const Options& options)
      : m_options(options), m_report("bank", options), m_bank(makeBank(options.count)),
        m_path(options.directory + "/bank.root"),
        m_perMillion{"s/million events", 1e6 / static_cast<double>(options.count)} {
    m_all.add(m_bank.view());
    m_two.add(m_bank.px, m_bank.py);
    Random random;
    for (int i = 0; i < randomEvents; ++i) {
      m_random.push_back(random.below(static_cast<std::uint32_t>(m_bank.events())));
      m_someAll.add(m_bank.view(m_random.back(), m_random.back() + 1));
    }
  }

  void run() {
    for (const RootCodec& codec : rootCodecs) {
      time("write", "ROOT TTree", codec, [&] { writeTree(codec); });
      addSize("ROOT TTree", codec);
      time("read 12 columns", "ROOT TTree GetEntriesSerialized", codec, [&] { readTree(); });
      time("read 2 columns", "ROOT TTree GetEntriesSerialized", codec, [&] { readTreeTwo(); });
      leaveFile(m_options, m_path, "tree", codec);
      time("write", "ROOT RNTuple", codec, [&] { writeNTuple(codec); });
      addSize("ROOT RNTuple", codec);
      time("read 12 columns", "ROOT RNTuple LoadEntry", codec, [&] { loadEntries(); });
      time("read 12 columns", "ROOT RNTuple bulk", codec, [&] { readBulk(); });
      time("read 2 columns", "ROOT RNTuple LoadEntry", codec, [&] { loadEntriesTwo(); });
      time("read 2 columns", "ROOT RNTuple bulk", codec, [&] { readBulkTwo(readOptions()); });
      const Unit byTheClock{m_perMillion.name, m_perMillion.perSecond, Clock::wall};
      m_report.time(
          {"read 2 columns from disk", "ROOT RNTuple bulk", variant(codec), Role::peer}, byTheClock,
          [&] { return dropFromPageCache(m_path), 0; },
          [&](int) { readBulkTwo({}); }); // with read-ahead
      m_report.time({"read random events", "ROOT RNTuple LoadEntry", variant(codec), Role::peer},
                    {"ms/event", 1e3 / randomEvents}, [&] { loadRandom(); });
      leaveFile(m_options, m_path, "ntuple", codec);
    }
    m_report.save();
  }

private:
  static constexpr int randomEvents = 50; // few, because each takes as long as hundreds of kaon's

  [[nodiscard]] static std::string variant(const RootCodec& codec) {
    // RNTuple stores each column separately, like kaon's split layout.
    return std::string("split/") + codec.name;
  }
  template <class Body>
  void time(const char* task, const char* program, const RootCodec& codec, Body body) {
    m_report.time({task, program, variant(codec), Role::peer}, m_perMillion, body);
  }
  void addSize(const char* program, const RootCodec& codec) {
    m_report.add({"size", program, variant(codec), Role::peer}, "of raw",
                 sizeOf(m_path) / static_cast<double>(m_bank.bytes()));
  }

  void writeTree(const RootCodec& codec) const {
    constexpr std::size_t mostRows = 64; // of an event
    const auto file = openFile(m_path, "RECREATE", codec.settings);
    TTree* const tree = new TTree("events", ""); // owned by the file
    int rows = 0;
    tree->Branch("n", &rows, "n/I");
    BankColumns<Vector> row;
    const BankColumns<Name> types{"I", "F", "F", "F", "F", "F", "F", "F", "B", "F", "F", "S"};
    forEachColumn(
        [&](auto& values, const char* name, const char* type) {
          values.resize(mostRows);
          tree->Branch(name, values.data(), (std::string(name) + "[n]/" + type).c_str());
        },
        row, names, types);
    for (std::size_t event = 0; event < m_bank.events(); ++event) {
      const BankView view = m_bank.view(event, event + 1);
      rows = static_cast<int>(view.pid.size());
      forEachColumn([](auto& out, const auto& in) { std::ranges::copy(in, out.begin()); }, row,
                    view);
      tree->Fill();
    }
    file->Write();
  }

  /// Returns the start of each entry's rows.
  [[nodiscard]] static std::vector<std::uint32_t> readOffsets(TTree& tree) {
    BasketReader<std::int32_t> counts(tree, "n");
    std::vector<std::uint32_t> offsets{0};
    while (counts.nextEntry() < tree.GetEntries()) {
      const std::size_t entries = counts.next();
      for (const std::int32_t count : counts.values(entries))
        offsets.push_back(offsets.back() + static_cast<std::uint32_t>(count));
    }
    return offsets;
  }

  void readTree() const {
    const auto file = openFile(m_path, "READ");
    auto& tree = *file->Get<TTree>("events");
    const std::vector<std::uint32_t> offsets = readOffsets(tree);
    BankColumns<TreeColumn> columns{{{tree, "pid"}},  {{tree, "px"}},      {{tree, "py"}},
                                    {{tree, "pz"}},   {{tree, "vx"}},      {{tree, "vy"}},
                                    {{tree, "vz"}},   {{tree, "vt"}},      {{tree, "charge"}},
                                    {{tree, "beta"}}, {{tree, "chi2pid"}}, {{tree, "status"}}};
    BankSums sums;
    for (std::size_t row = 0, end = 0; row < offsets.back(); row = end) {
      end = offsets.back();
      forEachColumn(
          [&](auto& column) {
            column.fetch(row, offsets);
            end = std::min(end, column.end);
          },
          columns);
      BankView view;
      forEachColumn([&](auto& part, const auto& column) { part = column.part(row, end); }, view,
                    columns);
      sums.add(view);
    }
    expect(sums == m_all, "the sums over a tree");
  }

  void readTreeTwo() const {
    const auto file = openFile(m_path, "READ");
    auto& tree = *file->Get<TTree>("events");
    const std::vector<std::uint32_t> offsets = readOffsets(tree);
    TreeColumn<float> px{{tree, "px"}};
    TreeColumn<float> py{{tree, "py"}};
    BankSums sums;
    for (std::size_t row = 0, end = 0; row < offsets.back(); row = end) {
      px.fetch(row, offsets);
      py.fetch(row, offsets);
      end = std::min(px.end, py.end);
      sums.add(px.part(row, end), py.part(row, end));
    }
    expect(sums == m_two, "the sums of two columns over a tree");
  }

  void writeNTuple(const RootCodec& codec) const {
    auto model = ROOT::RNTupleModel::Create();
    const BankColumns<Field> fields = addFields(*model);
    const auto writer =
        ROOT::RNTupleWriter::Recreate(std::move(model), "events", m_path, writeOptions(codec));
    for (std::size_t event = 0; event < m_bank.events(); ++event) {
      forEachColumn([](const auto& field, const auto& in) { field->assign(in.begin(), in.end()); },
                    fields, m_bank.view(event, event + 1));
      writer->Fill();
    }
  }

  static void add(BankSums& sums, const BankColumns<Field>& event) {
    for (std::size_t i = 0; i < event.pid->size(); ++i)
      sums.add((*event.pid)[i], (*event.px)[i], (*event.py)[i], (*event.pz)[i], (*event.vx)[i],
               (*event.vy)[i], (*event.vz)[i], (*event.vt)[i], (*event.charge)[i], (*event.beta)[i],
               (*event.chi2pid)[i], (*event.status)[i]);
  }

  void loadEntries() const {
    auto model = ROOT::RNTupleModel::Create();
    const BankColumns<Field> fields = addFields(*model);
    const auto reader =
        ROOT::RNTupleReader::Open(std::move(model), "events", m_path, readOptions());
    BankSums sums;
    for (const auto entry : reader->GetEntryRange()) {
      reader->LoadEntry(entry);
      add(sums, fields);
    }
    expect(sums == m_all, "the sums over entries");
  }

  void loadEntriesTwo() const {
    auto model = ROOT::RNTupleModel::Create();
    const auto px = model->MakeField<std::vector<float>>("px");
    const auto py = model->MakeField<std::vector<float>>("py");
    const auto reader =
        ROOT::RNTupleReader::Open(std::move(model), "events", m_path, readOptions());
    BankSums sums;
    for (const auto entry : reader->GetEntryRange()) {
      reader->LoadEntry(entry);
      for (std::size_t i = 0; i < px->size(); ++i)
        sums.add((*px)[i], (*py)[i]);
    }
    expect(sums == m_two, "the sums of two columns over entries");
  }

  void loadRandom() const {
    auto model = ROOT::RNTupleModel::Create();
    const BankColumns<Field> fields = addFields(*model);
    const auto reader =
        ROOT::RNTupleReader::Open(std::move(model), "events", m_path, readOptions());
    BankSums sums;
    for (const std::uint32_t event : m_random) {
      reader->LoadEntry(event);
      add(sums, fields);
    }
    expect(sums == m_someAll, "the sums over random entries");
  }

  // Only ROOT's own vectors can be read in bulk.
  void readBulk() const {
    auto model = ROOT::RNTupleModel::Create();
    forEachColumn(
        [&]<class T>(T* const&, const char* name) { model->MakeField<ROOT::RVec<T>>(name); },
        BankColumns<Pointer>{}, names);
    const auto reader =
        ROOT::RNTupleReader::Open(std::move(model), "events", m_path, readOptions());
    const ROOT::RNTupleModel& fields = reader->GetModel();
    BankColumns<BulkColumn> columns{
        {fields.CreateBulk("pid")},  {fields.CreateBulk("px")},      {fields.CreateBulk("py")},
        {fields.CreateBulk("pz")},   {fields.CreateBulk("vx")},      {fields.CreateBulk("vy")},
        {fields.CreateBulk("vz")},   {fields.CreateBulk("vt")},      {fields.CreateBulk("charge")},
        {fields.CreateBulk("beta")}, {fields.CreateBulk("chi2pid")}, {fields.CreateBulk("status")}};
    BankSums sums;
    forEachPiece(*reader, eventsOfPiece,
                 [&](ROOT::RNTupleLocalIndex first, std::size_t, std::size_t size) {
                   BankView view;
                   forEachColumn([&](auto& part, auto& column) { part = column.read(first, size); },
                                 view, columns);
                   sums.add(view);
                 });
    expect(sums == m_all, "the sums over bulks");
  }

  void readBulkTwo(const ROOT::RNTupleReadOptions& options) const {
    auto model = ROOT::RNTupleModel::Create();
    model->MakeField<ROOT::RVec<float>>("px");
    model->MakeField<ROOT::RVec<float>>("py");
    const auto reader = ROOT::RNTupleReader::Open(std::move(model), "events", m_path, options);
    BulkColumn<float> px{reader->GetModel().CreateBulk("px")};
    BulkColumn<float> py{reader->GetModel().CreateBulk("py")};
    BankSums sums;
    forEachPiece(*reader, eventsOfPiece,
                 [&](ROOT::RNTupleLocalIndex first, std::size_t, std::size_t size) {
                   sums.add(px.read(first, size), py.read(first, size));
                 });
    expect(sums == m_two, "the sums of two columns over bulks");
  }

  static constexpr std::size_t eventsOfPiece = 1000; // small enough for the cache

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
  return bench::runWorkload(argc, argv, 1'000'000,
                            [](const bench::Options& options) { bench::RootBank(options).run(); });
}
