#pragma once

#include <kaon/detail/batch/WrappedFile.h>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace kaon {

/// A file without some columns, such as those that turned out to be unreadable.
class NarrowedFile final : public detail::WrappedFile {
public:
  /// Names of tables and members, by the name of their source. Tables under a table that is left
  /// out are left out, too.
  using LeftOut = std::map<std::string, std::set<std::string, std::less<>>, std::less<>>;

  NarrowedFile(std::shared_ptr<const File> file, const LeftOut& leftOut);

  [[nodiscard]] const Source& category(std::string_view name) const override;

private:
  std::map<std::string, std::unique_ptr<Source>, std::less<>> m_narrowed;
};

} // namespace kaon
