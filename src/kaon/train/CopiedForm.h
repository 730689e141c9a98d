#pragma once

#include <kaon/dataset/DatasetParts.h>
#include <kaon/selecting/CommonFile.h>
#include <kaon/selecting/LeftOutColumns.h>

#include <memory>
#include <string_view>
#include <utility>

namespace kaon {

/// The form in which a train copies the files of a dataset: without unreadable columns, and with
/// optional values where one of the files lacks them. Selections see the files as they are. Any
/// thread may call the const functions.
class CopiedForm {
public:
  explicit CopiedForm(detail::LeftOutColumns leftOut = {}) : m_leftOut(std::move(leftOut)) {}

  /// Adds a file of the dataset, as it is.
  void add(const std::shared_ptr<const File>& file) { m_tables.add(*m_leftOut.removeFrom(file)); }
  /// Returns whether files have different tables, which become common ones.
  [[nodiscard]] bool joinsTables() const noexcept { return m_tables.differ(); }

  [[nodiscard]] std::shared_ptr<const File> of(std::shared_ptr<const File> file) const {
    return m_tables.applyTo(m_leftOut.removeFrom(std::move(file)));
  }
  [[nodiscard]] detail::DatasetPart of(detail::DatasetPart part, std::string_view category) const {
    if (joinsTables() || m_leftOut.has(*part.source)) {
      part.file = of(std::move(part.file));
      part.source = &part.file->category(category);
    }
    return part;
  }

private:
  detail::LeftOutColumns m_leftOut;
  detail::CopiedTables m_tables;
};

} // namespace kaon
