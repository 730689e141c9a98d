#pragma once

#include <kaon/batch/Batch.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon {

/// Throws Error(usage) unless all of a batch is there and fits: offsets come from users, and those
/// that fall would be written as counts of billions.
void checkWhole(const Batch& batch);

/// Checks what programs write, for all languages: where batches enter a writer. Copies of entries
/// that were read from files are checked by checkWhole() alone: a copy is as sound as the entries
/// that it is a copy of, which verifying tells. So are frames, whose references are made of
/// handles. Any thread.
class BatchCheck {
public:
  /// For batches with these tables. Throws Error(usage) for columns of the same name, and for
  /// tables without others that they need: strings without text, subsets without objects. `file`
  /// and `category` are for messages, and outlive it.
  BatchCheck(const Schema& schema, std::string_view file, std::string_view category);

  /// Throws Error(usage) for values that files cannot have: bools and presence that are neither 0
  /// nor 1, rows of a table in an entry without it, references to objects that their entry lacks.
  /// The batch is whole.
  void checkValues(const Batch& batch) const;

private:
  void checkNames(const Schema& schema) const;
  void checkNeeded(const Schema& schema) const;
  void checkPresence(const Batch& batch, std::uint32_t number) const;
  void checkBools(const Batch& batch, std::uint32_t number, std::uint32_t member) const;
  void checkReferences(const Batch& batch, std::uint32_t number) const;
  void checkReference(const Batch& batch, std::uint32_t number, std::size_t entry,
                      std::int32_t index, std::uint32_t collection) const;
  template <class... Parts>
  [[noreturn]] void failFor(std::string_view name, const Parts&... parts) const;

  std::string_view m_file;
  std::string_view m_category;
  std::vector<std::uint32_t> m_absentable;                      // tables that entries may lack
  std::vector<std::uint32_t> m_relations;                       // tables
  std::vector<std::pair<std::uint32_t, std::uint32_t>> m_bools; // members, with their tables
};

} // namespace kaon
