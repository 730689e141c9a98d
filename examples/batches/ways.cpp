// Adds up a list column in each way of docs/batches.md, and compares the sums.
//
//   batches_ways CATEGORY TABLE MEMBER FILE...
//
// For example `batches_ways events Muon pt run7.kaon run8.root`; the member must be float32.

#include <kaon/dataset/Dataset.h>
#include <kaon/kaon.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <span>
#include <string>
#include <vector>

namespace {

using kaon::Array;
using kaon::Category;
using kaon::Dataset;

double add(std::span<const float> values) {
  double sum = 0;
  for (const float value : values)
    sum += value;
  return sum;
}

double inBatches(const Dataset& files, const std::string& column) {
  double sum = 0;
  for (const kaon::Batch& batch : files.batches({column}))
    sum += add(batch.values<float>(column));
  return sum;
}

double entryByEntry(const Dataset& files, const std::string& column) {
  double sum = 0;
  for (auto [values] : files.each<Array<float>>(column))
    for (const float value : values)
      sum += value;
  return sum;
}

/// Reads the entries with odd numbers, then the others.
double inTwoSelections(const Dataset& files, const std::string& column) {
  std::vector<std::uint64_t> odd, even;
  for (std::uint64_t entry = 0; entry < files.entries(); ++entry)
    (entry % 2 == 1 ? odd : even).push_back(entry);
  double sum = 0;
  for (const auto& entries : {odd, even})
    for (const kaon::Batch& batch : files.batches({column}, kaon::EntrySelection::ofList(entries)))
      sum += add(batch.values<float>(column));
  return sum;
}

/// Reads into memory that the caller owns, such as that of a GPU's driver. `room` is the number of
/// values that it holds.
double intoMemory(const Category& entries, const std::string& column, const std::string& table,
                  std::size_t room) {
  std::vector<float> values(room);
  kaon::ColumnFiller filler = entries.filler();
  filler.setValues(column, std::span(values));
  double sum = 0;
  for (std::uint64_t entry = 0; const std::size_t count = filler.fill(entry); entry += count)
    sum += add(std::span(values).first(filler.rows(table)));
  return sum;
}

} // namespace

int main(int argc, char** argv) try {
  if (argc < 5) {
    std::cerr << "usage: batches_ways CATEGORY TABLE MEMBER FILE...\n";
    return EXIT_FAILURE;
  }
  const std::string category = argv[1], table = argv[2], column = table + "." + argv[3];
  const std::vector<std::string> paths(argv + 4, argv + argc);
  const Dataset files(paths, category);
  double filled = 0;
  for (std::size_t i = 0; i < files.files(); ++i)
    filled += intoMemory(Category(files.open(i), category), column, table, 100'000);
  std::cout << "batches    " << inBatches(files, column) << "\n"
            << "each       " << entryByEntry(files, column) << "\n"
            << "selections " << inTwoSelections(files, column) << "\n"
            << "filled     " << filled << std::endl;
  return EXIT_SUCCESS;
} catch (const kaon::Error& error) {
  std::cerr << error.what() << std::endl;
  return EXIT_FAILURE;
}
