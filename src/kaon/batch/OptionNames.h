#pragma once

#include <kaon/batch/WriterOptions.h>
#include <kaon/model/Schema.h>

#include <string>
#include <vector>

namespace kaon {

/// The names that options of a writer may use: of collections, parameters and values, of columns,
/// and of what can be a tag or key.
class OptionNames {
public:
  /// Takes in those of a category, as it is written.
  void add(const Schema& schema);
  [[nodiscard]] bool empty() const noexcept { return m_columns.empty(); }

  /// A name in an option that nothing has.
  struct Unknown {
    const char* option; ///< "keys"
    const char* what;   ///< that there is none of: "column"
    std::string name;
    std::string advice; ///< to be said behind the name; it may be ""
    /// The message for a name that was not written.
    [[nodiscard]] std::string warning() const;
  };
  [[nodiscard]] std::vector<Unknown> unknownIn(const WriterOptions& options) const;

private:
  std::vector<std::string> m_collections, m_columns, m_values, m_keys;
};

} // namespace kaon
