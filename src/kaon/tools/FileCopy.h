#pragma once

#include <kaon/base/Progress.h>
#include <kaon/batch/BatchWriter.h>
#include <kaon/batch/Source.h>
#include <kaon/model/ModelDatatypes.h>
#include <kaon/tools/CategoryCopy.h>

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// All that is in some files, on its way to a new one. For one thread at a time.
class FileCopy {
public:
  /// Categories of one name become one. Throws Error(usage) for what does not fit the data or each
  /// other, Error(name), with a suggestion, for names in the options that no category has.
  FileCopy(std::vector<std::shared_ptr<const File>> files, const WriterOptions& options);
  FileCopy(const FileCopy&) = delete;
  FileCopy& operator=(const FileCopy&) = delete;

  [[nodiscard]] std::list<CategoryCopy>& categories() noexcept { return m_categories; }
  /// Warns of what the files have but kaon cannot read.
  void warnOfUnreadable() const;
  /// Whether the files have neither categories nor documents.
  [[nodiscard]] bool isOfNothing() const;
  void leaveOut(const std::string& category);
  /// Those that the files carry, of one name the first.
  [[nodiscard]] std::vector<ModelDatatypes::Document> models() const;
  /// Those of the options, and the keys that the files have sorted, if all of them have these.
  [[nodiscard]] SinkOptions sinkOptions() const;

  /// Writes all of it; the writer is not finished. Documents of one name are the same in all files,
  /// or else Error(usage) is thrown; metadata are merged by their rules, and what these do not
  /// allow is left out, with a warning.
  void write(BatchWriter& out, const Progress& progress) const;
  /// The same by CategoryCopy::writeStored(), for which `sink` is the writer's. Returns how the
  /// entries of each category were written.
  [[nodiscard]] std::vector<WrittenEntryCounts> writeStored(BatchWriter& out, Sink& sink,
                                                            const Progress& progress) const;

private:
  [[nodiscard]] CategoryCopy& categoryNamed(const std::string& name);
  void checkNames() const;
  void writeDocuments(BatchWriter& out) const;
  [[nodiscard]] std::uint64_t entries() const;
  [[nodiscard]] bool isKeyOfAll(const std::string& category, std::string_view key) const;

  std::vector<std::shared_ptr<const File>> m_files;
  const WriterOptions& m_options;
  StorageRules m_rules;
  std::list<CategoryCopy> m_categories;
};

} // namespace kaon
