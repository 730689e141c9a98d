#pragma once

#include <ROOT/RDF/RDatasetSpec.hxx>
#include <ROOT/RDF/RSampleInfo.hxx>
#include <ROOT/RDataFrame.hxx>
#include <ROOT/RDataSource.hxx>

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <vector>

// Files that kaon reads as ROOT's RDataFrame. C++17, without kaon's own headers: ROOT's interpreter
// reads this one.

namespace kaon::root {

class InputFiles;

/// Columns of a category of one or more files, one file's entries after the other's:
///
///   auto df = kaon::root::dataFrame("events.kaon", "events");
///   auto h = df.Filter("Muon.pt.size() > 1").Define("leading", "Max(Muon.pt)").Histo1D("leading");
///
/// A column is called as in kaon: "MCParticles.momentum.x". One value an entry has its own type,
/// as std::int32_t or std::string; members of collections, and arrays, are ROOT::RVec of it, lists
/// in lists RVec of RVec. "#MCParticles" is the number of objects. What has more than four levels
/// is left out.
///
/// An RVec is a view of kaon's memory, which must not be written to. It lasts until the next entry;
/// a copy of it has values of its own.
///
/// RDataFrame calls it from several threads, each with its own slot; others must not. All throw
/// kaon::Error, a std::runtime_error, for files that are damaged or cannot be read.
class [[gnu::visibility("default")]] DataSource final : public ROOT::RDF::RDataSource {
public:
  /// Paths may be patterns. Throws if a file cannot be opened, or has no such category.
  DataSource(const std::vector<std::string>& paths, std::string_view category);
  DataSource(std::string_view path, std::string_view category);
  /// The samples of a specification, of which DefinePerSample learns, with their friends, in its
  /// range of entries. Trees are categories. Friends are joined file by file, entry by entry; their
  /// columns are called "friend.column". Throws also where files do not go with each other.
  explicit DataSource(ROOT::RDF::Experimental::RDatasetSpec specification);
  ~DataSource() override;

  void SetNSlots(unsigned int slots) override;
  std::size_t GetNFiles() const override;
  const std::vector<std::string>& GetColumnNames() const override;
  bool HasColumn(std::string_view name) const override;
  std::string GetTypeName(std::string_view name) const override;
  /// Throws if the column is of another type, or missing in the file that is being read.
  std::unique_ptr<ROOT::Detail::RDF::RColumnReaderBase>
  GetColumnReaders(unsigned int slot, std::string_view name, const std::type_info& type) override;
  /// Clusters, several small ones together.
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

  std::unique_ptr<InputFiles> m_files;
};

/// An RDataFrame of a category.
[[nodiscard, gnu::visibility("default")]] ROOT::RDataFrame dataFrame(const std::string& path,
                                                                     const std::string& category);
/// The same of several files, one after the other, which have the same columns.
[[nodiscard, gnu::visibility("default")]] ROOT::RDataFrame
dataFrame(const std::vector<std::string>& paths, const std::string& category);

/// The same of samples.
[[nodiscard, gnu::visibility("default")]] ROOT::RDataFrame
dataFrame(const ROOT::RDF::Experimental::RDatasetSpec& specification);

} // namespace kaon::root
