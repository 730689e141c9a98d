#pragma once

#include <kaon/batch/EntrySelection.h>
#include <kaon/root/ColumnList.h>
#include <kaon/root/Slot.h>

#include <ROOT/RDF/RColumnReaderBase.hxx>
#include <ROOT/RDF/RSample.hxx>
#include <ROOT/RDF/RSampleInfo.hxx>
#include <ROOT/RFriendInfo.hxx>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

namespace kaon::root {

/// The files of a data source in sequence, and the slots that read them.
class DataSourceFiles {
public:
  /// Paths may be patterns. Throws like Dataset.
  DataSourceFiles(const std::vector<std::string>& paths, const std::string& category);
  /// Opens the files of samples. Friends are joined file by file and entry by entry; their columns
  /// are named "friend.column". Throws Error(usage) if the numbers of files differ.
  DataSourceFiles(std::vector<ROOT::RDF::Experimental::RSample> samples,
                  const ROOT::TreeUtils::RFriendInfo& friends);
  ~DataSourceFiles();
  DataSourceFiles(const DataSourceFiles&) = delete;
  DataSourceFiles& operator=(const DataSourceFiles&) = delete;

  [[nodiscard]] std::size_t size() const noexcept { return m_parts.size(); }
  [[nodiscard]] std::uint64_t entries() const noexcept { return m_parts.back().entries.last; }
  /// The columns of all files. If files differ in a column, the first file defines it.
  [[nodiscard]] const ColumnList& columns() const noexcept { return *m_columns; }
  /// Throws Error(name) for unknown names.
  [[nodiscard]] const FrameColumn& column(std::string_view name) const;

  void setSlots(unsigned int number);
  [[nodiscard]] std::unique_ptr<ROOT::Detail::RDF::RColumnReaderBase>
  reader(unsigned int slot, std::string_view name, const std::type_info& type) const;

  /// Begins a loop. Files may lack these columns, whose values are then missing.
  void begin(const std::set<std::string>& mayBeMissing);
  /// Returns further ranges of the wanted entries, or nothing at the end. With one slot, these
  /// belong to the next file, so that sample() can describe it.
  [[nodiscard]] std::vector<EntryRange> takeTasks(EntryRange wanted);
  /// Announces the next entries of a slot. It reads its pages again.
  void leave(unsigned int slot, std::uint64_t firstEntry);
  void enter(unsigned int slot, std::uint64_t entry) {
    if (!m_slots[slot]->holds(entry)) [[unlikely]]
      enterTask(slot, entry);
  }
  /// Returns the sample of a slot's current entries.
  [[nodiscard]] ROOT::RDF::RSampleInfo sample(unsigned int slot) const;
  void end();

private:
  void add(const std::string& pattern, const std::string& category,
           const ROOT::RDF::Experimental::RSample* sample);
  void addFriends(const ROOT::TreeUtils::RFriendInfo& friends);
  void describeParts();
  void addTasks(const FilePart& part, EntryRange wanted, std::vector<EntryRange>& tasks) const;
  void enterTask(unsigned int slot, std::uint64_t entry);
  [[nodiscard]] const FilePart& partWith(std::uint64_t entry) const;
  [[nodiscard]] const EntryRange& taskWith(std::uint64_t entry) const;

  std::vector<ROOT::RDF::Experimental::RSample> m_samples;
  std::vector<FilePart> m_parts; // at least one
  std::optional<ColumnList> m_columns;
  std::vector<std::shared_ptr<Slot>> m_slots;
  std::vector<std::uint64_t> m_firstEntries; // of each slot's current entries
  std::size_t m_nextPart = 0;
  std::vector<EntryRange> m_tasks; // ranges that were returned in this loop; ascending
};

} // namespace kaon::root
