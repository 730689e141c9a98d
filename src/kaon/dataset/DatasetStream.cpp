#include <kaon/dataset/DatasetStream.h>

#include <kaon/dataset/ComputedArrays.h>
#include <kaon/dataset/StoredFields.h>
#include <kaon/detail/dataset/DataframeNode.h>
#include <kaon/formats/arrow/FieldSchema.h>
#include <kaon/formats/arrow/Stream.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace kaon {
namespace {

/// All stored entries, file by file.
class StoredArrays final : public arrow::ArraySource {
public:
  StoredArrays(std::shared_ptr<const Dataset> dataset, StoredFields fields, EntryRange entries)
      : m_dataset(std::move(dataset)), m_fields(std::move(fields)), m_entries(entries) {}

  [[nodiscard]] ArrowSchema schema() const override { return arrow::schemaOf(m_fields.entry); }

  [[nodiscard]] ArrowArray next() override {
    while (m_ofFile || open()) {
      if (const ArrowArray array = m_ofFile->next(); array.release)
        return array;
      m_ofFile.reset();
    }
    return {};
  }

private:
  /// Opens the next file; returns false if no file has further entries.
  bool open() {
    if (m_nextFile == m_dataset->files() || m_nextEntry >= m_entries.last)
      return false;
    std::shared_ptr<const File> file = m_dataset->open(m_nextFile);
    const Source& source = file->category(m_dataset->category());
    StoredFields fields =
        m_nextFile == 0 ? m_fields : storedFields(source, m_dataset->first(), m_fields);
    const auto inFile = [this](std::uint64_t entry) {
      return std::max(entry, m_nextEntry) - m_nextEntry;
    };
    m_ofFile = arrow::arraysOf(std::move(file), source, fields.columns, std::move(fields.entry),
                               {.entries = {inFile(m_entries.first), inFile(m_entries.last)}});
    m_nextEntry += source.entries();
    ++m_nextFile;
    return true;
  }

  std::shared_ptr<const Dataset> m_dataset;
  StoredFields m_fields; // in the first file
  EntryRange m_entries;
  std::size_t m_nextFile = 0;
  std::uint64_t m_nextEntry = 0; // number of the next file's first entry
  std::unique_ptr<arrow::ArraySource> m_ofFile;
};

} // namespace

ArrowArrayStream streamOf(std::shared_ptr<const Dataset> dataset, const DatasetQuery& query) {
  const Source& first = dataset->first();
  std::vector<arrow::WantedColumn> stored;
  std::vector<std::string> expressions;
  if (query.columns.empty())
    stored = arrow::columnsNamed(first, {});
  for (const std::string& name : query.columns)
    if (first.schema().contains(name))
      std::ranges::copy(arrow::columnsNamed(first, {name}), std::back_inserter(stored));
    else
      expressions.push_back(name);
  StoredFields fields = storedFields(first, std::move(stored));
  if (expressions.empty() && query.cut.empty())
    return arrow::streamOf(
        std::make_unique<StoredArrays>(std::move(dataset), std::move(fields), query.entries));
  return arrow::streamOf(std::make_unique<ComputedArrays>(
      std::move(dataset), std::move(fields), std::move(expressions), query.cut, query.entries));
}

} // namespace kaon
