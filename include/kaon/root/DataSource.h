#pragma once

#include <ROOT/RDF/RDatasetSpec.hxx>
#include <ROOT/RDF/RSampleInfo.hxx>
#include <ROOT/RDataFrame.hxx>
#include <ROOT/RDataSource.hxx>

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <vector>

// Reads kaon's files as ROOT's RDataFrame. This header is C++17 and includes no other header of
// kaon's, because ROOT's interpreter reads it.

namespace kaon::root {

class DataSourceFiles;

/// The columns of a category, from one or more files in sequence:
///
///   auto df = kaon::root::dataFrame("events.kaon", "events");
///   auto h = df.Filter("Muon.pt.size() > 1").Define("leading", "Max(Muon.pt)").Histo1D("leading");
///
/// Columns have kaon's names: "MCParticles.momentum.x". A column with one value for each entry has
/// its own type, such as std::int32_t or std::string. Members of collections, and arrays, are a
/// ROOT::RVec; nested lists are an RVec of RVec. "#MCParticles" is the number of objects. Values
/// that may be missing are a std::optional, as in an RNTuple. Columns with more than four levels of
/// lists are left out.
///
/// An RVec is a view of kaon's memory; do not write to it. It is valid until the next entry. A copy
/// has its own values.
///
/// RDataFrame calls the data source from several threads, each with its own slot. Other code must
/// not call it. All functions throw kaon::Error, a std::runtime_error, for files that are damaged
/// or unreadable.
class [[gnu::visibility("default")]] DataSource final : public ROOT::RDF::RDataSource {
public:
  /// Paths may be patterns. Throws if a file cannot be opened or lacks the category.
  DataSource(const std::vector<std::string>& paths, std::string_view category);
  DataSource(std::string_view path, std::string_view category);
  /// Reads the samples of a specification, with their friends, in its range of entries.
  /// DefinePerSample sees the samples. Trees are categories. Friends are joined file by file and
  /// entry by entry; their columns are named "friend.column". Throws also if the numbers of files
  /// or entries differ.
  explicit DataSource(ROOT::RDF::Experimental::RDatasetSpec specification);
  ~DataSource() override;

  void SetNSlots(unsigned int slots) override;
  std::size_t GetNFiles() const override;
  const std::vector<std::string>& GetColumnNames() const override;
  bool HasColumn(std::string_view name) const override;
  std::string GetTypeName(std::string_view name) const override;
  /// Throws if the column has another type, or the current file lacks it.
  std::unique_ptr<ROOT::Detail::RDF::RColumnReaderBase>
  GetColumnReaders(unsigned int slot, std::string_view name, const std::type_info& type) override;
  /// Returns clusters. Small ones are merged.
  std::vector<std::pair<ULong64_t, ULong64_t>> GetEntryRanges() override;
  void Initialize() override;
  void InitSlot(unsigned int slot, ULong64_t firstEntry) override;
  bool SetEntry(unsigned int slot, ULong64_t entry) override;
  void Finalize() override;
  std::string GetLabel() override { return "kaon"; }

private:
  Record_t GetColumnReadersImpl(std::string_view name, const std::type_info& type) override;
  void InitializeWithOpts(const std::set<std::string>& mayBeMissing) override;
  ROOT::RDF::RSampleInfo CreateSampleInfo(
      unsigned int slot,
      const std::unordered_map<std::string, ROOT::RDF::Experimental::RSample*>&) const override;

  std::unique_ptr<DataSourceFiles> m_files;
};

/// Returns an RDataFrame of a category.
[[nodiscard, gnu::visibility("default")]] ROOT::RDataFrame dataFrame(const std::string& path,
                                                                     const std::string& category);
/// Returns an RDataFrame of several files in sequence. They must have the same columns.
[[nodiscard, gnu::visibility("default")]] ROOT::RDataFrame
dataFrame(const std::vector<std::string>& paths, const std::string& category);

/// Returns an RDataFrame of samples.
[[nodiscard, gnu::visibility("default")]] ROOT::RDataFrame
dataFrame(const ROOT::RDF::Experimental::RDatasetSpec& specification);

} // namespace kaon::root
