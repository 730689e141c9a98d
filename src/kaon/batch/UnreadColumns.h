#pragma once

#include <kaon/base/Error.h>
#include <kaon/batch/Source.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon {

/// Error(version) for columns with values that cannot be read. Code that reads all columns can
/// continue without them.
class UnreadableColumns final : public Error {
public:
  /// `source` is the name of the source. `names` are names of tables and members.
  UnreadableColumns(const std::string& message, const std::string& source,
                    std::vector<std::string> names)
      : Error(ErrorKind::version, message),
        m_columns(std::make_shared<const Columns>(Columns{source, std::move(names)})) {}
  [[nodiscard]] const std::string& source() const noexcept { return m_columns->source; }
  [[nodiscard]] std::span<const std::string> names() const noexcept { return m_columns->names; }

private:
  struct Columns {
    std::string source;
    std::vector<std::string> names;
  };
  std::shared_ptr<const Columns> m_columns; // copies of exceptions must not throw
};

/// Warns of the parts of a source that cannot be read, if any. `consequence` ends the message, such
/// as "are left out".
void warnOfUnreadable(const Source& source, std::string_view consequence);

/// Returns why a source cannot read a column with this name, or a part of it, although the file has
/// it. The text ends an error message about the unknown name. Returns "" if the file lacks the
/// column.
[[nodiscard]] std::string whyUnread(const Source& source, std::string_view name);

} // namespace kaon
