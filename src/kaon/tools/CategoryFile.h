#pragma once

#include <kaon/detail/batch/WrappedFile.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// A file with one of its categories, which may have another name here.
class CategoryFile final : public detail::WrappedFile {
public:
  /// Throws Error(name), with a suggestion, if the file lacks the category.
  CategoryFile(std::shared_ptr<const File> file, std::string category, std::string newName);

  [[nodiscard]] std::vector<std::string> categories() const override { return {m_newName}; }
  [[nodiscard]] const Source& category(std::string_view name) const override;
  /// The metadata of the category get its new name, and those of the others are left out.
  [[nodiscard]] std::string document(std::string_view name) const override;

private:
  std::string m_category, m_newName;
};

} // namespace kaon
