#pragma once

#include <kaon/base/Tasks.h>
#include <kaon/batch/Source.h>
#include <kaon/files/Format.h>
#include <kaon/model/ModelDatatypes.h>
#include <kaon/tools/CategoryCopy.h>
#include <kaon/writing/BatchWriter.h>

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// Copies all data of some files to a new one. For one thread at a time.
class FileCopy {
public:
  /// Categories with the same name become one. Throws Error(usage) if files or options do not fit
  /// together. Throws Error(name), with a suggestion, for names in the options that no category
  /// has.
  FileCopy(std::vector<std::shared_ptr<const File>> files, const WriterOptions& options);
  FileCopy(const FileCopy&) = delete;
  FileCopy& operator=(const FileCopy&) = delete;

  [[nodiscard]] std::list<CategoryCopy>& categories() noexcept { return m_categories; }
  /// Warns of data in the files that kaon cannot read.
  void warnOfUnreadable() const;
  /// The objects of the files that are not categories.
  [[nodiscard]] std::vector<const ObjectStore*> objectStores() const;
  /// Whether the files have neither categories nor documents, nor objects that the format holds.
  [[nodiscard]] bool isOfNothing(const Format& format) const;
  void leaveOut(const std::string& category);
  /// Returns the models of the files; of models with the same name, the first.
  [[nodiscard]] std::vector<ModelDatatypes::Document> models() const;
  /// Returns the options for the sink, with the sorted keys of the files if all files have them.
  [[nodiscard]] SinkOptions sinkOptions() const;

  /// Writes all data, but does not finish the writer. Documents with the same name must be equal in
  /// all files, else Error(usage) is thrown. Metadata are merged by their rules; values that the
  /// rules cannot merge are left out, with a warning.
  void write(BatchWriter& out, const Progress& progress) const;
  /// As write(), but with CategoryCopy::writeStored(). `sink` is the writer's. Returns how the
  /// entries of each category were written.
  [[nodiscard]] std::vector<WrittenEntryCounts> writeStored(BatchWriter& out, Sink& sink,
                                                            const Progress& progress) const;

private:
  [[nodiscard]] CategoryCopy& categoryNamed(const std::string& name);
  void checkNames() const;
  void useCommonTables();
  void writeDocuments(BatchWriter& out) const;
  [[nodiscard]] std::uint64_t entries() const;
  [[nodiscard]] bool isKeyOfAll(const std::string& category, std::string_view key) const;

  std::vector<std::shared_ptr<const File>> m_files;
  const WriterOptions& m_options;
  detail::StorageRules m_rules;
  std::list<CategoryCopy> m_categories;
};

} // namespace kaon
