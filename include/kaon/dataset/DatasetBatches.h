#pragma once

#include <kaon/batch/Batches.h>
#include <kaon/detail/batch/PassIterator.h>
#include <kaon/detail/batch/SourceEntries.h>

#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace kaon {

/// As Batches, of several files one after another. Each batch is of one file, whose schema it has:
/// tables may have other numbers there, and members that were not in the first file. A single pass,
/// for one thread.
class DatasetBatches {
public:
  /// Names as in Schema::membersBelow(). Throws Error(name) for those that the first source lacks.
  DatasetBatches(detail::NextSource next, const std::vector<std::string>& names);

  /// Goes on to the next batch; false at the end. Throws as open(); Error(name) for a file that
  /// lacks a member that the first one has, Error(type) if it is of another type there.
  bool next();
  /// Its entries are those of its file.
  [[nodiscard]] const Batch& batch() const noexcept { return m_batches->batch(); }
  /// What number the batch's first entry has among those of all files.
  [[nodiscard]] std::uint64_t firstEntry() const noexcept {
    return m_firstOfFile + batch().firstEntry();
  }

  using Iterator = detail::PassIterator<DatasetBatches, &DatasetBatches::batch>;
  [[nodiscard]] Iterator begin() { return Iterator(*this); }
  [[nodiscard]] static std::default_sentinel_t end() { return {}; }

private:
  struct MemberType { // as the first source has it
    std::string name;
    Scalar scalar;
    std::uint32_t extent;
    unsigned lists; // in which it lies
  };
  void open(detail::SourceEntries entries);
  void check(const Source& source) const;
  [[nodiscard]] static MemberType typeOf(const Schema& schema, std::uint32_t table,
                                         std::uint32_t member);

  detail::NextSource m_next;
  std::vector<std::string> m_names;
  std::string m_first; // the name of the first source
  std::vector<MemberType> m_members;
  std::optional<Batches> m_batches; // of the current source
  std::uint64_t m_firstOfFile = 0;
};

} // namespace kaon
