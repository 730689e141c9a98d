#pragma once

#include <kaon/batch/MemoryBudget.h>
#include <kaon/batch/MissingValues.h>
#include <kaon/batch/SchemaUnion.h>
#include <kaon/batch/Sink.h>
#include <kaon/batch/WriterOptions.h>
#include <kaon/dataset/Dataset.h>
#include <kaon/files/FileModels.h>
#include <kaon/files/Format.h>
#include <kaon/train/SharedClusters.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kaon {

/// What the files of a dataset have beside the category that a train sorts: runs, say, or what is
/// said once a file. Any thread.
class OtherCategories {
public:
  /// Opens all files. Throws as that does, and Error(usage) where they have different tables.
  explicit OtherCategories(std::shared_ptr<const Dataset> dataset);

  /// Outputs of one format that take each other's bytes.
  struct Outputs {
    const Format* format;
    OutputSet set;
  };
  /// Appends all of it to outputs that do not have it yet, but for categories that their format
  /// cannot hold, of which it warns. Throws as SharedClusters::write().
  void write(const std::vector<std::unique_ptr<Sink>>& sinks, std::span<const Outputs> outputs,
             const WriterOptions& options, MemoryBudget& budget) const;

private:
  struct Part {
    std::size_t file;                   // of the dataset
    std::vector<std::uint32_t> numbers; // of its tables in the category
  };
  struct Category {
    SchemaUnion tables;
    std::vector<Part> parts;
    MissingValues missing;
  };
  [[nodiscard]] std::vector<OutputSet> setsThatHold(const std::string& name, const Schema& schema,
                                                    std::span<const Outputs> outputs) const;

  std::shared_ptr<const Dataset> m_dataset;
  NamedModels m_models; // of all files
  std::map<std::string, Category> m_categories;
};

} // namespace kaon
