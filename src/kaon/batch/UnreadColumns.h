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

/// Error(version) for values of some columns that cannot be read: a reader of all columns can go on
/// without them.
class UnreadableColumns final : public Error {
public:
  /// `source` is the name of the source; `names` are those of tables and members.
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

/// Warns of what a source has but cannot read, if there is any: `consequence` says what that means,
/// such as "are left out".
void warnOfUnreadable(const Source& source, std::string_view consequence);

/// Why there is nothing of this name, if the source has it, or something in it, but cannot read it:
/// to be said behind that there is nothing; else "".
[[nodiscard]] std::string whyUnread(const Source& source, std::string_view name);

} // namespace kaon
