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

/// The files of a data source, one after the other, and the slots that read them.
class InputFiles {
public:
  /// Paths may be patterns. Throws as Dataset.
  InputFiles(const std::vector<std::string>& paths, const std::string& category);
  /// Those of samples. Friends are joined file by file, entry by entry; their columns are called
  /// "friend.column". Throws Error(usage) if they are not as many.
  InputFiles(std::vector<ROOT::RDF::Experimental::RSample> samples,
             const ROOT::TreeUtils::RFriendInfo& friends);
  ~InputFiles();
  InputFiles(const InputFiles&) = delete;
  InputFiles& operator=(const InputFiles&) = delete;

  [[nodiscard]] std::size_t size() const noexcept { return m_parts.size(); }
  [[nodiscard]] std::uint64_t entries() const noexcept { return m_parts.back().entries.last; }
  /// Those of all files; of one that several have, as the first of them has it.
  [[nodiscard]] const ColumnList& columns() const noexcept { return *m_columns; }
  /// Throws Error(name) if there is none of that name.
  [[nodiscard]] const FrameColumn& column(std::string_view name) const;

  void setSlots(unsigned int number);
  [[nodiscard]] std::unique_ptr<ROOT::Detail::RDF::RColumnReaderBase>
  reader(unsigned int slot, std::string_view name, const std::type_info& type) const;

  /// A loop begins. Of these columns values may be missing: where a file lacks them.
  void begin(const std::set<std::string>& mayBeMissing);
  /// Further ranges of entries of all files, as far as they are wanted; nothing at the end. With
  /// one slot those of the next file, of which sample() tells.
  [[nodiscard]] std::vector<EntryRange> takeTasks(EntryRange wanted);
  /// A slot's next entries begin here, with which its pages are read anew.
  void leave(unsigned int slot, std::uint64_t firstEntry);
  void enter(unsigned int slot, std::uint64_t entry) {
    if (!m_slots[slot]->holds(entry)) [[unlikely]]
      enterTask(slot, entry);
  }
  /// What the entries are of that a slot begins with.
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
  std::vector<std::uint64_t> m_firstEntries; // of what each slot is at
  std::size_t m_nextPart = 0;
  std::vector<EntryRange> m_tasks; // of this loop, as far as they were given; ascending
};

} // namespace kaon::root
