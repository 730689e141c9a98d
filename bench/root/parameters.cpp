// W7 with ROOT: see bench/parameters.cpp. The numbers of an event are fields of an RNTuple that is
// written to memory.

#include "common/Harness.h"
#include "root/RootFiles.h"

#include <ROOT/RNTupleModel.hxx>
#include <ROOT/RNTupleWriter.hxx>
#include <TMemFile.h>

#include <memory>
#include <string>
#include <vector>

namespace bench {
namespace {

void write(std::size_t events, std::size_t numbers) {
  auto model = ROOT::RNTupleModel::Create();
  std::vector<std::shared_ptr<double>> fields;
  for (std::size_t i = 0; i < numbers; ++i)
    fields.push_back(model->MakeField<double>("number" + std::to_string(i)));
  TMemFile file("parameters.root", "RECREATE");
  {
    const auto writer = ROOT::RNTupleWriter::Append(std::move(model), "events", file,
                                                    writeOptions(rootCodecs[0])); // uncompressed
    for (std::size_t event = 0; event < events; ++event) {
      for (std::size_t i = 0; i < numbers; ++i)
        *fields[i] = static_cast<double>(event % 1000 + i);
      writer->Fill();
    }
  }
  expect(file.GetEND() > 0, "a file");
}

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  return runWorkload(argc, argv, 200'000, [](const Options& options) {
    Report report("parameters", options);
    const Unit perEvent{"ns/event", 1e9 / static_cast<double>(options.count)};
    for (const std::size_t numbers : {0, 1, 8})
      report.time({"write one frame again and again",
                   "ROOT RNTuple, " + std::to_string(numbers) + " numbers", "", Role::peer},
                  perEvent, [&] { write(options.count, numbers); });
    report.save();
  });
}
