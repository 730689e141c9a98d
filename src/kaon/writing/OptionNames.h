#pragma once

#include <kaon/model/Schema.h>
#include <kaon/writing/WriterOptions.h>

#include <string>
#include <vector>

namespace kaon {

/// The names that options of a writer may use: of collections, parameters, values, columns, and
/// possible tags and keys.
class OptionNames {
public:
  /// Adds the names of a category, as it is written.
  void add(const Schema& schema);
  [[nodiscard]] bool empty() const noexcept { return m_columns.empty(); }

  /// A name in an option that does not occur in the file.
  struct Unknown {
    const char* option; ///< "keys"
    const char* what;   ///< the kind of thing: "column"
    std::string name;
    std::string advice; ///< the end of the message; may be ""
    /// Returns the message for a name that was not written.
    [[nodiscard]] std::string warning() const;
  };
  [[nodiscard]] std::vector<Unknown> unknownIn(const WriterOptions& options) const;

private:
  std::vector<std::string> m_collections, m_columns, m_values, m_keys;
};

} // namespace kaon
