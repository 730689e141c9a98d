#include <kaon/formats/kaonfile/SalvagedFile.h>

#include <kaon/base/Damage.h>
#include <kaon/base/Error.h>
#include <kaon/batch/UnreadColumns.h>
#include <kaon/detail/batch/WrappedFile.h>
#include <kaon/formats/kaonfile/ContentsReader.h>
#include <kaon/formats/kaonfile/FileReader.h>
#include <kaon/formats/kaonfile/PageDamage.h>
#include <kaon/formats/kaonfile/Salvage.h>
#include <kaon/formats/kaonfile/SortedKeys.h>
#include <kaon/formats/kaonfile/SortedKeysName.h>
#include <kaon/formats/kaonfile/StoredObjects.h>
#include <kaon/selecting/LeftOutColumns.h>
#include <kaon/selecting/SelectedSource.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace kaon::kaonfile {
namespace {

/// Returns ranges in order, joined where they overlap or touch.
std::vector<EntryRange> joined(std::vector<EntryRange> ranges) {
  std::ranges::sort(ranges, {}, &EntryRange::first);
  std::vector<EntryRange> all;
  for (const EntryRange& range : ranges)
    if (!all.empty() && range.first <= all.back().last)
      all.back().last = std::max(all.back().last, range.last);
    else
      all.push_back(range);
  return all;
}

std::uint64_t sizeOf(const std::vector<EntryRange>& ranges) {
  return std::accumulate(
      ranges.begin(), ranges.end(), std::uint64_t{0},
      [](std::uint64_t sum, const EntryRange& range) { return sum + range.size(); });
}

/// Returns the entries below `entries` that are not in any of the ranges.
std::vector<EntryRange> without(const std::vector<EntryRange>& ranges, std::uint64_t entries) {
  std::vector<EntryRange> rest;
  std::uint64_t first = 0;
  for (const EntryRange& range : ranges) {
    if (range.first > first)
      rest.push_back({first, range.first});
    first = range.last;
  }
  if (first < entries)
    rest.push_back({first, entries});
  return rest;
}

/// The decision which entries and root tables of a category are left out.
class CategorySalvage {
public:
  CategorySalvage(const CategoryContents& category, PageDamage damage)
      : m_category(category), m_damage(std::move(damage)) {
    for (const DamagedRange& range : m_damage.ranges)
      if (!range.column)
        m_lost.push_back(range.entries);
      else
        m_damaged[rootOf(*range.column)].push_back(range.entries);
    chooseRoots();
    for (const auto& [root, ranges] : m_damaged)
      if (std::ranges::find(m_leftOut, root) == m_leftOut.end())
        m_lost.insert(m_lost.end(), ranges.begin(), ranges.end());
    m_lost = joined(std::move(m_lost));
  }

  [[nodiscard]] bool keepsEntries() const noexcept { return m_lost.empty(); }
  [[nodiscard]] std::vector<EntryRange> kept() const { return without(m_lost, m_category.entries); }
  [[nodiscard]] std::vector<std::string> leftOut() const {
    std::vector<std::string> names;
    for (const TableNumber root : m_leftOut)
      names.emplace_back(schema().table(root).name);
    return names;
  }

  void report(Recovery& report) const {
    const std::uint64_t lost = sizeOf(m_lost);
    report.categories.push_back({m_category.name, m_category.entries - lost, lost});
    std::map<std::uint32_t, DamagedColumn> columns;
    for (const DamagedRange& range : m_damage.ranges) {
      report.lostBytes += range.bytes;
      if (!range.column)
        continue;
      DamagedColumn& column = columns[*range.column];
      column.category = m_category.name;
      column.name = nameOf(schema(), schema().columns()[*range.column]);
      column.damagedEntries += range.entries.size();
      column.damagedBytes += range.bytes;
      if (const TableNumber root = rootOf(*range.column);
          std::ranges::find(m_leftOut, root) != m_leftOut.end())
        column.leftOut = schema().table(root).name;
    }
    for (auto& [number, column] : columns)
      report.columns.push_back(std::move(column));
  }

private:
  [[nodiscard]] const Schema& schema() const noexcept { return m_category.schema; }
  [[nodiscard]] std::uint32_t rootOf(ColumnNumber column) const {
    return schema().rootOf(schema().columns()[column].table);
  }

  /// Leaves out root tables whose share of the values is less than their share of the damaged
  /// entries. Collections stay if references could lead to them.
  void chooseRoots() {
    const bool hasRelations = std::ranges::any_of(schema().tables(), [](const Table& table) {
      return table.kind == TableKind::oneRelation || table.kind == TableKind::manyRelation;
    });
    const auto all = static_cast<double>(
        std::accumulate(m_damage.values.begin(), m_damage.values.end(), std::uint64_t{0}));
    for (const auto& [root, ranges] : m_damaged) {
      if (hasRelations && schema().table(root).kind == TableKind::collection)
        continue;
      const double entries = static_cast<double>(sizeOf(joined(ranges)));
      if (static_cast<double>(m_damage.values[root]) * static_cast<double>(m_category.entries) <
          all * entries)
        m_leftOut.push_back(root);
    }
  }

  const CategoryContents& m_category;
  PageDamage m_damage;
  std::map<std::uint32_t, std::vector<EntryRange>> m_damaged; // by root table
  std::vector<EntryRange> m_lost;
  std::vector<std::uint32_t> m_leftOut; // root tables
};

/// A file with the sound entries of each category.
class SalvagedFile final : public detail::WrappedFile {
public:
  SalvagedFile(std::shared_ptr<const File> file,
               const std::map<std::string, std::vector<EntryRange>>& kept, bool isSound)
      : WrappedFile(std::move(file)), m_isSound(isSound) {
    for (const auto& [name, entries] : kept)
      m_selected.emplace(name, std::make_unique<SelectedSource>(wrapped()->category(name),
                                                                EntrySelection(entries)));
  }

  [[nodiscard]] bool isComplete() const noexcept override { return m_isSound; }
  [[nodiscard]] const Source& category(std::string_view name) const override {
    const auto selected = m_selected.find(name);
    return selected == m_selected.end() ? wrapped()->category(name) : *selected->second;
  }

private:
  bool m_isSound;
  std::map<std::string, std::unique_ptr<Source>, std::less<>> m_selected;
};

/// Removes documents and objects that cannot be read.
void removeLostDocuments(const io::ByteSource& bytes, FileContents& contents, Recovery& report) {
  std::erase_if(contents.documents, [&](const auto& document) {
    const auto& [name, place] = document;
    if (unlessDamaged([&] { (void)readDocument(bytes, contents.file.id, name, place); }))
      return false;
    report.lostDocuments.emplace_back(
        name.starts_with(objectDocument) ? name.substr(objectDocument.size()) : name);
    report.lostBytes += sizeof(RecordHeader) + place.metaSize;
    return true;
  });
}

} // namespace

SalvagedPart openSalvaged(std::unique_ptr<io::ByteSource> bytes, const OpenOptions& options) {
  SalvagedContents salvaged = salvage(*bytes);
  FileContents& contents = salvaged.contents;
  SalvagedPart part;
  Recovery& report = part.report;
  report.file = bytes->name();
  report.bytes = bytes->size();
  report.lostBytes = salvaged.lostBytes;
  report.rebuilt = std::move(salvaged.rebuilt);
  removeLostDocuments(*bytes, contents, report);
  std::map<std::string, std::vector<EntryRange>> kept; // of categories that lose entries
  detail::LeftOutColumns leftOut;
  std::erase_if(contents.categories, [&](CategoryContents& category) {
    PageDamage damage = findDamage(*bytes, contents.file, category);
    if (isOfSortedKeys(category.name)) { // the entries have the same keys
      for (const KeyLocator& key : keysIn(category.schema))
        if (std::ranges::find(part.keys, key.name) == part.keys.end())
          part.keys.push_back(key.name);
      for (const DamagedRange& range : damage.ranges)
        report.lostBytes += range.bytes;
      return !damage.ranges.empty();
    }
    const CategorySalvage choice(category, std::move(damage));
    choice.report(report);
    if (!choice.keepsEntries()) {
      // A forged file can have any number of entries in a few bytes; their list takes 8 bytes each.
      constexpr std::uint64_t mostEntries = std::uint64_t{1} << 60;
      if (!isPlausible(bytes->size(), std::min(category.entries, mostEntries) * 8))
        fail(ErrorKind::memory, bytes->name(), ": '", category.name, "' has ", category.entries,
             " entries, too many for the size of the file to skip damaged ones");
      kept.emplace(category.name, choice.kept());
    }
    if (const std::vector<std::string> names = choice.leftOut(); !names.empty())
      (void)leftOut.add(UnreadableColumns("", bytes->name() + ":" + category.name, names));
    return false;
  });
  std::shared_ptr<const File> file = openContents(std::move(bytes), std::move(contents), options);
  part.file =
      std::make_shared<SalvagedFile>(leftOut.removeFrom(std::move(file)), kept, report.isSound());
  return part;
}

} // namespace kaon::kaonfile
