#pragma once

#include <kaon/batch/ColumnBatches.h>
#include <kaon/dataset/Action.h>
#include <kaon/dataset/ColumnBuffer.h>
#include <kaon/dataset/Dataset.h>
#include <kaon/dataset/DatasetParts.h>
#include <kaon/dataset/KnownBounds.h>
#include <kaon/dataset/Node.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace kaon {

/// The work of one thread for some actions on the same dataset: batch by batch, each column is
/// computed once, and only if something wants it, for those entries only that all who want it have
/// in common.
class Pipeline {
public:
  /// The actions must live as long.
  explicit Pipeline(std::span<const std::shared_ptr<Action>> actions);
  ~Pipeline();
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  /// Goes through a part, but not through what no filter can let pass. Throws Error(type) where a
  /// column is of another type than in the first file, what the user's functions throw as Error,
  /// as reading does, and as Pulse::beat().
  void run(const DatasetPart& part);
  /// What was gathered since the last call, for each action.
  [[nodiscard]] std::vector<std::unique_ptr<Accumulator>> takeResults();

private:
  struct Block;  // the entries that passed the same filters
  struct Column; // what is computed of them, or read
  struct Packed; // a column's values for a block's entries, next to each other
  struct Input {
    Column* column;
    const Argument* argument;
    Packed* packed = nullptr; // null: as the column lies
  };
  /// What something is computed of, and memory to say where it is.
  struct Inputs {
    std::vector<Input> list;
    std::vector<ArgumentValues> values;
  };
  struct Sink {
    const Action* action;
    Block* block;
    Inputs inputs;
    std::unique_ptr<Accumulator> accumulator;
  };

  // Setting up.
  Block* blockOf(const Node* node, std::string_view variation);
  Block* addBlock(const Node* node, std::string_view variation);
  Column* columnOf(const ColumnId& id, std::string_view variation);
  void reframe(Column& column, std::string_view variation);
  Inputs inputsOf(const std::vector<Argument>& arguments, std::string_view variation);
  void require(const Inputs& inputs, Block* block);
  void planPacking(Inputs& inputs, Block* block);
  Packed* packedFor(Column* column, Block* block, Scalar as);

  // For a part and its batches.
  void bind(const DatasetPart& part);
  [[nodiscard]] bool isFull() const;
  [[nodiscard]] std::vector<EntryRange> runsOf(const DatasetPart& part) const;
  template <class Stored>
  [[nodiscard]] std::optional<expression::Extremes>
  extremesOf(const Column& column, EntryRange entries, const Stored& stored) const;
  template <class Stored>
  [[nodiscard]] KnownBounds boundsOf(const Inputs& inputs, EntryRange entries,
                                     const Stored& stored) const;
  template <class Stored>
  [[nodiscard]] bool canPass(const Block& block, EntryRange entries, const Stored& stored) const;
  void runBatch();
  void select(Block& block);
  void filter(Block& block);
  void explode(Block& block);
  const ColumnValues& valuesOf(Column& column);
  ColumnValues countObjects(Column& column);
  ColumnValues implode(Column& column);
  const ColumnValues& pack(Packed& packed);
  static const TakenLists& listsTaken(const Packed& packed, const ColumnValues& column);
  std::span<const ArgumentValues> arguments(Inputs& inputs, Block& block);
  static const std::uint32_t* entriesIn(Block& from, const Block* to);
  ColumnValues evaluate(Evaluator& evaluator, Inputs& inputs, Block& block, const Node& step);
  expression::Entries entriesOf(Block& block);
  template <class What, class Work>
  void sayWhere(const expression::Entries& entries, What what, Work work);

  std::vector<std::unique_ptr<Block>> m_blocks; // the first has all entries of a batch
  std::vector<std::unique_ptr<Column>> m_columns;
  std::vector<std::unique_ptr<Packed>> m_packed;
  std::vector<Sink> m_sinks;
  const Source* m_first;           // in the first file
  std::vector<ColumnId> m_sources; // columns that are read
  std::shared_ptr<const File> m_file;
  const Source* m_source = nullptr; // for which there are places
  std::vector<ColumnPlace> m_places;
  std::optional<ColumnBatches> m_batches;
};

} // namespace kaon
