#pragma once

#include <kaon/batch/Source.h>
#include <kaon/batch/UnreadColumns.h>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace kaon::detail {

/// Columns that turned out to be unreadable, and are left out when their files are read again.
class LeftOutColumns {
public:
  /// Names of tables and members.
  using Names = std::set<std::string, std::less<>>;

  /// Adds the columns of an error. Returns false if they were added before: another attempt would
  /// fail again.
  [[nodiscard]] bool add(const UnreadableColumns& error);
  [[nodiscard]] bool empty() const noexcept { return m_names.empty(); }
  [[nodiscard]] bool has(const Source& source) const { return m_names.contains(source.name()); }
  /// Returns a file without its columns that are left out, and without tables under them.
  [[nodiscard]] std::shared_ptr<const File> removeFrom(std::shared_ptr<const File> file) const;

private:
  std::map<std::string, Names, std::less<>> m_names; // by the name of their source
};

/// Warns that the columns of an error are left out.
void warnOfLeftOut(const UnreadableColumns& error);

} // namespace kaon::detail
