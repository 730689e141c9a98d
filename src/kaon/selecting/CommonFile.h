#pragma once

#include <kaon/batch/Source.h>
#include <kaon/selecting/CommonTables.h>

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace kaon::detail {

/// Returns a file whose category has common tables; the file itself if it has them already.
[[nodiscard]] std::shared_ptr<const File> withCommonTables(std::shared_ptr<const File> file,
                                                           const std::string& category,
                                                           const CommonTables& tables);

/// Common tables of all categories of files that are copied into one.
class CopiedTables {
public:
  void add(const File& file);
  /// Returns whether some file gets other tables.
  [[nodiscard]] bool differ() const noexcept;
  /// Returns a file with the common tables; the file itself if it has them already.
  [[nodiscard]] std::shared_ptr<const File> applyTo(std::shared_ptr<const File> file) const;

private:
  std::map<std::string, CommonTables, std::less<>> m_tables; // by category
};

} // namespace kaon::detail
