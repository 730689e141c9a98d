#pragma once

#include <kaon/batch/Batch.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon {

/// Throws Error(usage) unless a batch is complete and consistent. Users provide the offsets;
/// decreasing offsets would be written as counts of billions.
void checkWhole(const Batch& batch);

/// Checks the batches of programs, in all languages, before they are written. Two kinds of batches
/// need only checkWhole(): copies of entries from files, which are as valid as the files, and
/// frames, whose references are made of handles. Thread-safe.
class BatchCheck {
public:
  /// Prepares checks of batches with these tables. Throws Error(usage) for columns with the same
  /// name, and for incomplete tables: strings without text, subsets without objects. `file` and
  /// `category` are for messages; they must outlive the check.
  BatchCheck(const Schema& schema, std::string_view file, std::string_view category);

  /// Throws Error(usage) for invalid values: bools or presence other than 0 and 1, rows of a table
  /// in an entry without it, references to objects that their entry lacks. The batch must have
  /// passed checkWhole().
  void checkValues(const Batch& batch) const;

private:
  void checkNames(const Schema& schema) const;
  void checkNeeded(const Schema& schema) const;
  void checkPresence(const Batch& batch, std::uint32_t number) const;
  void checkBools(const Batch& batch, std::uint32_t number, MemberNumber member) const;
  void checkReferences(const Batch& batch, std::uint32_t number) const;
  void checkReference(const Batch& batch, std::uint32_t number, std::size_t entry,
                      std::int32_t index, TableNumber collection) const;
  template <class... Parts>
  [[noreturn]] void failFor(std::string_view name, const Parts&... parts) const;

  std::string_view m_file;
  std::string_view m_category;
  std::vector<std::uint32_t> m_absentable; // tables that entries may lack
  std::vector<std::uint32_t> m_relations;  // tables
  std::vector<TableMember> m_bools;        // with their tables
};

} // namespace kaon
