// W1 with ROOT: see bench/floats.cpp.

#include "common/Floats.h"
#include "common/Harness.h"
#include "root/RootFiles.h"

#include <ROOT/RNTupleModel.hxx>
#include <ROOT/RNTupleView.hxx>
#include <ROOT/RNTupleWriter.hxx>

#include <cmath>

namespace bench {
namespace {

class RootFloats {
public:
  explicit RootFloats(const Options& options)
      : m_options(options), m_report("floats", options), m_values(makeFloats(options.count)),
        m_sum(sum(m_values)), m_path(options.directory + "/floats.root"),
        m_perFloat{"ns/float", 1e9 / static_cast<double>(options.count)} {}

  void run() {
    for (const RootCodec& codec : allRootCodecs) {
      if (!m_report.wants(codec.name))
        continue;
      time("write", "ROOT TTree", codec, [&] { writeTree(codec); });
      addSize("ROOT TTree", codec);
      time("read and sum", "ROOT TTree GetEntry", codec, [&] { readEntries(); });
      time("read and sum", "ROOT TTree GetEntriesSerialized", codec, [&] { readBaskets(); });
      leaveFile(m_options, m_path, "tree", codec);
      time("write", "ROOT RNTuple", codec, [&] { writeNTuple(codec); });
      addSize("ROOT RNTuple", codec);
      time("read and sum", "ROOT RNTuple view", codec, [&] { readView(); });
      time("read and sum", "ROOT RNTuple bulk", codec, [&] { readBulk(); });
      leaveFile(m_options, m_path, "ntuple", codec);
    }
    m_report.save();
  }

private:
  template <class Body>
  void time(const char* task, const char* program, const RootCodec& codec, Body body) {
    m_report.time({task, program, codec.name, Role::peer}, m_perFloat, body);
  }
  void addSize(const char* program, const RootCodec& codec) {
    m_report.add({"size", program, codec.name, Role::peer}, "of raw",
                 sizeOf(m_path) / static_cast<double>(m_values.size() * sizeof(float)));
  }
  void expectSum(double total) const {
    expect(std::abs(total / m_sum - 1) < 1e-6, "the sum of the floats");
  }

  void writeTree(const RootCodec& codec) const {
    const auto file = openFile(m_path, "RECREATE", codec.settings);
    TTree* const tree = new TTree("events", ""); // owned by the file
    float value = 0;
    tree->Branch("pt", &value, "pt/F");
    for (const float each : m_values) {
      value = each;
      tree->Fill();
    }
    file->Write();
  }

  void readEntries() const {
    const auto file = openFile(m_path, "READ");
    auto* const tree = file->Get<TTree>("events");
    TBranch* const branch = tree->GetBranch("pt");
    float value = 0;
    branch->SetAddress(&value);
    double total = 0;
    for (Long64_t i = 0, entries = tree->GetEntries(); i < entries; ++i) {
      branch->GetEntry(i);
      total += static_cast<double>(value);
    }
    expectSum(total);
  }

  void readBaskets() const {
    const auto file = openFile(m_path, "READ");
    auto* const tree = file->Get<TTree>("events");
    BasketReader<float> baskets(*tree, "pt");
    double total = 0;
    while (baskets.nextEntry() < tree->GetEntries()) {
      const std::size_t entries = baskets.next();
      total += sum(baskets.values(entries));
    }
    expectSum(total);
  }

  void writeNTuple(const RootCodec& codec) const {
    auto model = ROOT::RNTupleModel::Create();
    const auto value = model->MakeField<float>("pt");
    const auto writer =
        ROOT::RNTupleWriter::Recreate(std::move(model), "events", m_path, writeOptions(codec));
    for (const float each : m_values) {
      *value = each;
      writer->Fill();
    }
  }

  void readView() const {
    const auto reader = ROOT::RNTupleReader::Open("events", m_path, readOptions());
    auto view = reader->GetView<float>("pt");
    double total = 0;
    for (const auto entry : reader->GetEntryRange())
      total += static_cast<double>(view(entry));
    expectSum(total);
  }

  void readBulk() const {
    constexpr std::size_t piece = 65536;
    const auto reader = ROOT::RNTupleReader::Open("events", m_path, readOptions());
    auto bulk = reader->GetModel().CreateBulk("pt");
    double total = 0;
    forEachPiece(*reader, piece, [&](ROOT::RNTupleLocalIndex first, std::size_t, std::size_t size) {
      total += sum({static_cast<const float*>(bulk.ReadBulk(first, nullptr, size)), size});
    });
    expectSum(total);
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
  return bench::runWorkload(argc, argv, 20'000'000, [](const bench::Options& options) {
    bench::RootFloats(options).run();
  });
}
