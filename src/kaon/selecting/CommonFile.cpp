#include <kaon/selecting/CommonFile.h>

#include <kaon/detail/batch/WrappedFile.h>
#include <kaon/selecting/CommonSource.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

namespace kaon::detail {
namespace {

/// A file with common tables in one category.
class CommonFile final : public WrappedFile {
public:
  CommonFile(std::shared_ptr<const File> file, std::string category, const CommonTables& tables)
      : WrappedFile(std::move(file)), m_name(std::move(category)),
        m_source(wrapped()->category(m_name), tables) {}
  [[nodiscard]] const Source& category(std::string_view name) const override {
    return name == m_name ? m_source : wrapped()->category(name);
  }

private:
  std::string m_name;
  CommonSource m_source;
};

} // namespace

std::shared_ptr<const File> withCommonTables(std::shared_ptr<const File> file,
                                             const std::string& category,
                                             const CommonTables& tables) {
  if (!tables.differ())
    return file;
  const Schema& schema = file->category(category).schema();
  bool isSame = tables.lackedBy(schema).empty();
  for (std::uint32_t number = 0; isSame && number < schema.size(); ++number)
    isSame = !schema.table(number).isRoot() || !tables.tablesFor(schema, number);
  return isSame ? file : std::make_shared<CommonFile>(std::move(file), category, tables);
}

void CopiedTables::add(const File& file) {
  for (const std::string& name : file.categories())
    m_tables.try_emplace(name, Commonness::values).first->second.add(file.category(name));
}

bool CopiedTables::differ() const noexcept {
  return std::ranges::any_of(m_tables, [](const auto& each) { return each.second.differ(); });
}

std::shared_ptr<const File> CopiedTables::applyTo(std::shared_ptr<const File> file) const {
  for (const std::string& name : file->categories())
    if (const auto tables = m_tables.find(name); tables != m_tables.end())
      file = withCommonTables(std::move(file), name, tables->second);
  return file;
}

} // namespace kaon::detail
