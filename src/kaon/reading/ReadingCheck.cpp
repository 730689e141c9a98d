#include <kaon/reading/ReadingCheck.h>

#include <kaon/base/Error.h>
#include <kaon/base/ProgressCount.h>
#include <kaon/batch/UnreadColumns.h>
#include <kaon/reading/Batches.h>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kaon {
namespace {

/// Returns the names of the columns of a category, and of tables without members.
std::vector<std::string> namesIn(const Schema& schema) {
  std::set<std::string> names;
  for (TableNumber number = 0; number < schema.size(); ++number) {
    const Table table = schema.table(number);
    if (table.members.empty())
      names.emplace(table.name);
    for (MemberNumber member = 0; member < table.members.size(); ++member)
      names.insert(schema.nameOfMember(number, member));
  }
  return {names.begin(), names.end()};
}

/// Returns the mistake in the columns of a cluster, or nothing.
std::optional<Finding> mistakeIn(const Source& source, const std::string& category,
                                 const std::vector<std::string>& names, const EntryRange& cluster,
                                 Verification& result) {
  const std::string column = names.size() == 1 ? names[0] : "";
  try {
    for (Batches batches(source, names, cluster); batches.next();)
      result.pages += names.size();
  } catch (const UnreadableColumns& error) {
    return Finding{category, column, cluster, 0, error.what(), true};
  } catch (const Error& error) {
    return Finding{category, column, cluster, 0, error.what()};
  }
  return std::nullopt;
}

/// Reads all columns of a cluster together, because records are always decompressed and searched as
/// a whole. If that fails, reads each column by itself, to find the damaged ones.
void checkCluster(const Source& source, const std::string& category,
                  const std::vector<std::string>& names, const EntryRange& cluster,
                  Verification& result) {
  std::optional<Finding> mistake = mistakeIn(source, category, names, cluster, result);
  if (!mistake)
    return;
  const std::size_t before = result.findings.size();
  for (const std::string& name : names)
    if (std::optional<Finding> own = mistakeIn(source, category, {name}, cluster, result))
      result.findings.push_back(std::move(*own));
  if (result.findings.size() == before)
    result.findings.push_back(std::move(*mistake));
}

} // namespace

Verification checkByReading(const File& file, const Progress& progress) {
  Verification result;
  result.isComplete = file.isComplete();
  result.bytes = file.bytes();
  std::uint64_t all = 0;
  for (const std::string& category : file.categories())
    all += file.category(category).entries();
  if (!result.isComplete)
    result.findings.push_back(
        {"",
         "",
         {0, 0},
         result.bytes,
         "the file was not finished, or is cut; only its complete part was checked"});
  ProgressCount count(progress, all);
  for (const std::string& category : file.categories()) {
    const Source& source = file.category(category);
    warnOfUnreadable(source, "are not checked");
    const std::vector<std::string> names = namesIn(source.schema());
    ++result.records;
    for (const EntryRange& cluster : source.clusters()) {
      checkCluster(source, category, names, cluster, result);
      count.add(cluster.last - cluster.first);
    }
  }
  return result;
}

} // namespace kaon
