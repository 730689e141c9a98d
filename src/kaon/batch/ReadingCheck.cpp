#include <kaon/batch/ReadingCheck.h>

#include <kaon/base/Error.h>
#include <kaon/batch/Batches.h>
#include <kaon/batch/UnreadColumns.h>

#include <set>
#include <string>

namespace kaon {
namespace {

/// The columns of a category, by name; of tables without members the tables.
std::set<std::string> namesIn(const Schema& schema) {
  std::set<std::string> names;
  for (std::uint32_t number = 0; number < schema.size(); ++number) {
    const Table table = schema.table(number);
    if (table.members.empty())
      names.emplace(table.name);
    for (std::uint32_t member = 0; member < table.members.size(); ++member)
      names.insert(schema.nameOfMember(number, member));
  }
  return names;
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
         {},
         result.bytes,
         "the file was not finished, or is cut; what is whole of it was checked"});
  ProgressCount count(progress, all);
  for (const std::string& category : file.categories()) {
    const Source& source = file.category(category);
    warnOfUnreadable(source, "are not checked");
    const std::set<std::string> names = namesIn(source.schema());
    ++result.records;
    for (const EntryRange& cluster : source.clusters()) {
      for (const std::string& name : names)
        try {
          for (Batches batches(source, {name}, cluster); batches.next();)
            ++result.pages;
        } catch (const Error& error) {
          result.findings.push_back({category, name, cluster, 0, error.what()});
        }
      count.add(cluster.last - cluster.first);
    }
  }
  return result;
}

} // namespace kaon
