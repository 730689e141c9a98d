#pragma once

#include <kaon/event/CategoryTables.h>
#include <kaon/event/CollectionRows.h>
#include <kaon/event/FrameContents.h>
#include <kaon/event/ParameterRows.h>
#include <kaon/event/UsesCheck.h>
#include <kaon/writing/BatchBuilder.h>
#include <kaon/writing/RowGatherer.h>
#include <kaon/writing/SharedTables.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kaon {

/// Gathers frames into the batch of one category. For one thread at a time.
class FrameBatchBuilder final : public detail::RowGatherer {
public:
  /// Rules and tables must outlive the builder. With `provenance`, each entry gets the number of
  /// its original file and its entry there.
  FrameBatchBuilder(const detail::StorageRules& rules, bool provenance,
                    detail::SharedTables& shared);

  /// Appends a frame, with the named collections or all. Throws the errors of Writer::write(); the
  /// frame is then not appended.
  void add(detail::FrameContents& frame, const std::vector<std::string>* collections);

  [[nodiscard]] detail::BatchBuilder& builder() noexcept override { return m_builder; }

private:
  void addAll(const std::vector<std::string>* collections);
  void checkNames(const std::vector<std::string>& collections) const;
  void addBuilt(const detail::FrameContents::Put& put);
  void addFile(const std::vector<std::string>* collections);
  void addFromFile(TableNumber table);
  void copyRows(detail::Window& window, std::uint32_t from, std::uint32_t to);
  void renumber(std::span<std::byte> references, const detail::Window& window);
  [[nodiscard]] detail::Reference referenceTo(detail::CollectionData* taken, std::int32_t index);
  void addUsed(std::string_view parameter, std::string_view type);
  void addOrigin();

  void useFile(const detail::EntryReader* reader);
  void numberNeighbours(const detail::CollectionData& data);
  [[nodiscard]] TableNumber numberOf(const detail::CollectionData& data);
  [[nodiscard]] const CollectionTables& defineBuilt(const detail::FrameContents::Put& put);
  [[nodiscard]] TableNumber defineFromFile(TableNumber table);

  bool m_provenance;
  detail::BatchBuilder m_builder = detail::BatchBuilder::ofColumns();
  CategoryTables m_tables;
  ParameterRows m_parameters;
  UsesCheck m_uses;
  std::unordered_map<std::string, CollectionTables> m_built; // collections that the program built
  // Numbers of the tables here, by their numbers in the file that frames come from.
  std::weak_ptr<const File> m_file;
  const Source* m_source = nullptr;
  std::vector<std::uint32_t> m_fileTables;
  detail::FrameContents* m_frame = nullptr; // the frame being added
  std::vector<std::uint32_t> m_neighbours;  // tables that the collection being added refers to
};

} // namespace kaon
