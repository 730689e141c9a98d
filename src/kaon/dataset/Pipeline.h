#pragma once

#include <kaon/dataset/Dataset.h>
#include <kaon/dataset/DatasetParts.h>
#include <kaon/dataset/KnownBounds.h>
#include <kaon/detail/dataset/Action.h>
#include <kaon/detail/dataset/ColumnBuffer.h>
#include <kaon/detail/dataset/DataframeNode.h>
#include <kaon/detail/reading/ColumnBatches.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace kaon {

/// The work of one thread for some actions on the same dataset. It computes each column at most
/// once per batch, only if it is needed, and only for the entries that all its users share.
class Pipeline {
public:
  /// The actions must outlive the pipeline.
  explicit Pipeline(std::span<const std::shared_ptr<detail::Action>> actions);
  ~Pipeline();
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  /// Throws Error(name) and Error(type) if a source lacks a column, or has it with another type.
  void check(const Source& source) const;
  /// Processes a part, without the clusters that no filter can pass. Throws Error(type) if a
  /// column's type differs from the first file. Throws exceptions of users' functions as Error, and
  /// the errors of reading and of ThreadProgress::update().
  void run(const detail::DatasetPart& part);
  /// Returns the results gathered since the last call, one for each action.
  [[nodiscard]] std::vector<std::unique_ptr<detail::Accumulator>> takeResults();

private:
  struct Block;  // the entries that passed the same filters
  struct Column; // a column that is computed or read
  struct Packed; // a column's values for a block's entries, contiguous
  struct Input {
    Column* column;
    const detail::ColumnArgument* argument;
    Packed* packed = nullptr; // null: the column's own values
  };
  /// The columns that a computation needs, and memory for their values.
  struct Inputs {
    std::vector<Input> list;
    std::vector<detail::ArgumentValues> values;
  };
  struct Sink {
    const detail::Action* action;
    Block* block;
    Inputs inputs;
    std::unique_ptr<detail::Accumulator> accumulator;
  };

  // Setup.
  Block* blockOf(const detail::DataframeNode* node, std::string_view variation);
  Block* addBlock(const detail::DataframeNode* node, std::string_view variation);
  Column* columnOf(const detail::ColumnId& id, std::string_view variation);
  void reframe(Column& column, std::string_view variation);
  Inputs inputsOf(const std::vector<detail::ColumnArgument>& arguments, std::string_view variation);
  void require(const Inputs& inputs, Block* block);
  void planPacking(Inputs& inputs, Block* block);
  Packed* packedFor(Column* column, Block* block, Scalar as);

  // Work on a part and its batches.
  void bind(const detail::DatasetPart& part);
  [[nodiscard]] std::vector<detail::ColumnLocator> places(const Source& source) const;
  [[nodiscard]] bool isFull() const;
  [[nodiscard]] std::vector<EntryRange> runsOf(const detail::DatasetPart& part) const;
  template <class Stored>
  [[nodiscard]] std::optional<expression::ValueBounds>
  extremesOf(const Column& column, EntryRange entries, const Stored& stored) const;
  template <class Stored>
  [[nodiscard]] detail::KnownBounds boundsOf(const Inputs& inputs, EntryRange entries,
                                             const Stored& stored) const;
  template <class Stored>
  [[nodiscard]] bool canPass(const Block& block, EntryRange entries, const Stored& stored) const;
  void runBatch();
  void select(Block& block);
  void filter(Block& block);
  void explode(Block& block);
  const detail::ColumnValues& valuesOf(Column& column);
  detail::ColumnValues countObjects(Column& column);
  detail::ColumnValues implode(Column& column);
  const detail::ColumnValues& pack(Packed& packed);
  static const detail::SelectedLists& listsTaken(const Packed& packed,
                                                 const detail::ColumnValues& column);
  std::span<const detail::ArgumentValues> arguments(Inputs& inputs, Block& block);
  static const std::uint32_t* entriesIn(Block& from, const Block* to);
  detail::ColumnValues evaluate(detail::Evaluator& evaluator, Inputs& inputs, Block& block,
                                const detail::DataframeNode& step);
  expression::Entries entriesOf(Block& block);
  template <class What, class Work>
  void sayWhere(const expression::Entries& entries, What what, Work work);

  std::vector<std::unique_ptr<Block>> m_blocks; // the first block has all entries of a batch
  std::vector<std::unique_ptr<Column>> m_columns;
  std::vector<std::unique_ptr<Packed>> m_packed;
  std::vector<Sink> m_sinks;
  const Source* m_first;                   // of the first file
  std::vector<detail::ColumnId> m_sources; // columns to read
  std::shared_ptr<const File> m_file;
  const Source* m_source = nullptr; // the source that `m_places` belongs to
  std::vector<detail::ColumnLocator> m_places;
  std::optional<detail::ColumnBatches> m_batches;
};

} // namespace kaon
