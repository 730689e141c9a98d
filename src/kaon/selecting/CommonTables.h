#pragma once

#include <kaon/batch/Source.h>
#include <kaon/selecting/DeclaredTables.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kaon::detail {

/// How several files get common tables.
enum class Commonness : std::uint8_t {
  optionals, ///< Members that are optional in one file are optional in all.
  values,    ///< Values of entries that one file lacks are optional in the others, too.
  everything ///< All files get all tables and members. Those that a file lacks are absent or
             ///< optional.
};

/// Tables that suit all files of a dataset. Tables of collections with a datatype stay as they are:
/// their models decide on optionals.
class CommonTables {
public:
  explicit CommonTables(Commonness commonness = Commonness::optionals) : m_commonness(commonness) {}

  /// Adds the tables of a file's category.
  void add(const Source& source);
  /// Returns whether tables of the files differ, so that some file needs others.
  [[nodiscard]] bool differ() const noexcept { return m_differ; }

  /// Returns the common tables for a root table of a file; null if the file's tables stay.
  [[nodiscard]] const DeclaredTables* tablesFor(const Schema& schema, TableNumber root) const;
  /// Returns the root tables that a file lacks and gets, each with the tables under it.
  [[nodiscard]] std::vector<std::vector<TableDefinition>> lackedBy(const Schema& schema) const;

private:
  /// A root table, and those under it.
  struct Root {
    std::shared_ptr<const Schema> schema;      ///< the first one with the table
    std::uint32_t number = 0;                  ///< in this schema
    std::optional<DeclaredTables> united = {}; ///< if files have other tables
    bool isFixed = false;                      ///< tables differ so much that none are changed
    std::size_t files = 0;                     ///< the number of files with the table
  };
  void unite(Root& root, const Schema& schema, std::uint32_t number);
  void markMissing();
  [[nodiscard]] bool fills() const noexcept { return m_commonness == Commonness::everything; }

  Commonness m_commonness;
  bool m_differ = false;
  std::map<std::string, Root> m_roots;
  std::vector<std::string> m_names; // keys of m_roots in the order of files
  std::size_t m_files = 0;          // with entries
};

} // namespace kaon::detail
