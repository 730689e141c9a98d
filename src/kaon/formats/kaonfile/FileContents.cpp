#include <kaon/formats/kaonfile/FileContents.h>

#include <kaon/formats/kaonfile/SortedKeysName.h>

#include <algorithm>

namespace kaon::kaonfile {

bool FileContents::hasCategory(std::string_view name) const {
  return std::ranges::find(categories, name, &CategoryContents::name) != categories.end();
}

std::string FileContents::entriesText() const {
  std::string text;
  for (const CategoryContents& category : categories)
    if (!isOfSortedKeys(category.name))
      text += (text.empty() ? "" : ", ") + std::to_string(category.entries) + " of '" +
              category.name + "'";
  return text;
}

std::vector<std::uint32_t> CategoryContents::keyTables() const {
  std::vector<std::uint32_t> keys;
  for (TableNumber table = 0; table < schema.size(); ++table)
    if (has(schema.table(table).use, TableUse::key))
      keys.push_back(table);
  return keys;
}

} // namespace kaon::kaonfile
