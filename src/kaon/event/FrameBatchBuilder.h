#pragma once

#include <kaon/batch/BatchBuilder.h>
#include <kaon/batch/BatchWriter.h>
#include <kaon/event/FrameContents.h>
#include <kaon/model/Schema.h>
#include <kaon/model/StorageRules.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kaon {

/// Gathers frames into the batch of one category. For one thread at a time.
class FrameBatchBuilder {
public:
  /// Rules and tables outlive the builder. With `provenance` each entry gets the number of its
  /// file and the entry there.
  FrameBatchBuilder(const StorageRules& rules, bool provenance, SharedTables& shared);

  /// Appends a frame, with the collections named or all. Throws as Writer::write(), without the
  /// frame then.
  void add(FrameContents& frame, const std::vector<std::string>* collections);

  [[nodiscard]] BatchBuilder& builder() noexcept { return m_builder; }

private:
  /// What a neighbour of a collection is called in the batch; Table::none outside the frame.
  using Numbers = std::vector<std::uint32_t>;

  struct Known { // of a collection that was built by the program
    const Datatype* type;
    std::vector<std::uint32_t> tables; // those of tablesOf()
    /// Table and member of each leaf, if the collection's rows are not the program's: they were
    /// written by an earlier version of the datatype.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> leaves;
  };

  void addAll(const std::vector<std::string>* collections);
  void addBuilt(const FrameContents::Put& put);
  void addRows(const CollectionData& data, const Known& known);
  void addVector(const CollectionData& data, std::uint32_t vector, std::uint32_t table);
  void addElements(const CollectionData& data, const ObjectLayout::List& list, std::uint32_t level,
                   Slice slice, std::uint32_t table);
  void addRelation(const CollectionData& data, std::uint32_t relation, std::uint32_t table);
  [[nodiscard]] std::byte* appendLists(const CollectionData& data, const ObjectLayout::List& list,
                                       std::uint32_t table);
  [[nodiscard]] Numbers defineDecorations(const CollectionData& data, std::uint32_t table);
  void addDecorations(const CollectionData& data, const Numbers& tables);
  void addFromFile(std::uint32_t table);
  [[nodiscard]] Reference referenceTo(CollectionData* taken, std::int32_t index);
  void copyRows(Window& window, std::uint32_t from, std::uint32_t to);
  void addParameters(const FrameContents& frame);
  [[nodiscard]] std::uint32_t tableOf(const FrameContents::ParameterKey& key,
                                      const ParameterValues& values);
  void addParameter(const std::string& name, const ParameterValues& values, std::uint32_t table);
  void addUsed(std::string_view parameter, std::string_view type);
  void addOrigin();
  void checkUses();
  void findKeyCollections();
  void checkNotLate(const TableDefinition& table) const;

  void useFile(const EntryReader* reader);
  void numberNeighbours(const CollectionData& data);
  [[nodiscard]] std::uint32_t numberOf(const CollectionData& data);
  [[nodiscard]] const Known& defineBuilt(const FrameContents::Put& put);
  [[nodiscard]] std::uint32_t defineFromFile(std::uint32_t table);
  [[nodiscard]] std::uint32_t define(const std::vector<TableDefinition>& tables);
  [[nodiscard]] std::uint32_t findDefined(const std::vector<TableDefinition>& tables) const;
  [[nodiscard]] std::uint32_t defineParameter(const std::string& name,
                                              const ParameterValues& values);
  void catchUp();

  const StorageRules& m_rules;
  bool m_provenance;
  SharedTables& m_shared;
  const std::uint32_t m_number; // no other builder has it
  BatchBuilder m_builder;
  std::unordered_map<std::string, Known> m_known;
  /// The tables of parameters that a program has put into frames.
  std::map<FrameContents::ParameterKey, std::uint32_t, FrameContents::ParameterOrder> m_parameters;
  /// A collection of which a member is a key: each frame has one object of it.
  struct KeyCollection {
    std::string key;
    std::uint32_t table;
  };
  std::vector<KeyCollection> m_keyCollections;
  std::uint32_t m_searchedTables = 0; // for such
  // The tables of the file that frames come from, by number, and what they are called here.
  std::weak_ptr<const File> m_file;
  const Source* m_source = nullptr;
  std::vector<std::uint32_t> m_fileTables;
  FrameContents* m_frame = nullptr; // the one that is being added
  Numbers m_neighbours;             // of the collection that is being added
  std::uint64_t m_frames = 0;       // that were
};

} // namespace kaon
