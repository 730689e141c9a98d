#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/dataset/Dataset.h>
#include <kaon/detail/files/FileModels.h>
#include <kaon/files/Format.h>
#include <kaon/selecting/MissingDecorations.h>
#include <kaon/selecting/SchemaUnion.h>
#include <kaon/train/CopiedForm.h>
#include <kaon/train/SharedClusters.h>
#include <kaon/writing/MemoryBudget.h>
#include <kaon/writing/WriterOptions.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kaon {

/// The categories of a dataset's files other than the one that a train sorts, such as runs. Any
/// thread.
class OtherCategories {
public:
  /// Opens all files in the form that is copied. Throws the errors of opening, and Error(usage) if
  /// their tables differ.
  OtherCategories(std::shared_ptr<const Dataset> dataset, CopiedForm form);

  /// Outputs of one format, which accept each other's encoded bytes.
  struct Outputs {
    const Format* format;
    OutputSet set;
  };
  /// Appends all these categories to outputs that lack them. Skips categories that the format of an
  /// output cannot hold, and warns. Throws the errors of SharedClusters::write().
  void write(const std::vector<std::unique_ptr<Sink>>& sinks, std::span<const Outputs> outputs,
             const WriterOptions& options, detail::MemoryBudget& budget) const;
  /// Copies the objects of all files that are not categories, such as histograms, to outputs
  /// without entries. Warns if the format of an output cannot hold them.
  void copyObjects(const std::vector<std::unique_ptr<Sink>>& sinks,
                   std::span<const Outputs> outputs) const;

private:
  struct Part {
    std::size_t file;                   // number of the file in the dataset
    std::vector<std::uint32_t> numbers; // of the file's tables in the category
  };
  struct Category {
    SchemaUnion tables;
    std::vector<Part> parts;
    detail::MissingDecorations missing;
  };
  [[nodiscard]] std::vector<OutputSet> setsThatHold(const std::string& name, const Schema& schema,
                                                    std::span<const Outputs> outputs) const;

  [[nodiscard]] std::shared_ptr<const File> open(std::size_t number) const {
    return m_form.of(m_dataset->open(number));
  }

  std::shared_ptr<const Dataset> m_dataset;
  CopiedForm m_form;
  detail::NamedModels m_models; // of all files
  std::map<std::string, Category> m_categories;
};

} // namespace kaon
