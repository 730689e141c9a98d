#pragma once

#include <kaon/detail/batch/PassIterator.h>
#include <kaon/detail/reading/SourceEntries.h>
#include <kaon/reading/Batches.h>

#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace kaon {

/// Batches of several files, one file after another; see Batches. Each batch belongs to one file
/// and has the schema of that file. Compared with the first file, its tables may have other numbers
/// and further members. A single pass, for one thread.
class DatasetBatches {
public:
  /// Takes names as Schema::membersBelow() does. Throws Error(name) for names that the first source
  /// lacks.
  DatasetBatches(detail::NextSource next, const std::vector<std::string>& names);

  /// Moves to the next batch; returns false at the end. Throws the errors of open(). If a member of
  /// the first file is missing in another file, throws Error(name); if its type differs there,
  /// Error(type).
  bool next();
  /// Returns the batch. Its entry numbers are those of its file.
  [[nodiscard]] const Batch& batch() const noexcept { return m_batches->batch(); }
  /// Returns the number of the batch's first entry, counted over all files.
  [[nodiscard]] std::uint64_t firstEntry() const noexcept {
    return m_firstOfFile + batch().firstEntry();
  }

  using Iterator = detail::PassIterator<DatasetBatches, &DatasetBatches::batch>;
  [[nodiscard]] Iterator begin() { return Iterator(*this); }
  [[nodiscard]] static std::default_sentinel_t end() { return {}; }

private:
  struct MemberType { // a member in the first source
    std::string name;
    Scalar scalar;
    std::uint32_t extent;
    unsigned lists; // the number of lists around each value
  };
  void open(detail::SourceEntries entries);
  void check(const Source& source) const;
  [[nodiscard]] static MemberType typeOf(const Schema& schema, TableNumber table,
                                         MemberNumber member);

  detail::NextSource m_next;
  std::vector<std::string> m_names;
  std::string m_first; // the name of the first source
  std::vector<MemberType> m_members;
  std::optional<Batches> m_batches; // of the current source
  std::uint64_t m_firstOfFile = 0;
};

} // namespace kaon
