#include <kaon/dataset/Pipeline.h>

#include <kaon/base/Error.h>
#include <kaon/base/Indented.h>
#include <kaon/batch/UnreadColumns.h>
#include <kaon/dataset/KnownBounds.h>
#include <kaon/dataset/ReadColumns.h>
#include <kaon/dataset/ThreadProgress.h>
#include <kaon/dataset/Variation.h>
#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <exception>
#include <numeric>
#include <utility>

namespace kaon {

struct Pipeline::Block {
  /// Maps the entries of a block to entries of a block above.
  struct Map {
    const Block* to;
    bool isCurrent = false;
    bool isSame = false; // each entry maps to the entry of the same number
    std::vector<std::uint32_t> entries = {};
    std::vector<detail::SelectedLists> lists = {}; // lists of columns of these entries
    std::size_t listsTaken = 0;                    // number of `lists` that are of this batch
  };
  const detail::DataframeNode* node = nullptr;  // filter, explode() or implode(); null: all entries
  const detail::DataframeNode* frame = nullptr; // as frameOf()
  std::string variation = {};
  Block* above = nullptr;
  std::size_t level = 0; // number of blocks above
  std::unique_ptr<detail::Evaluator> filter = nullptr;
  Inputs inputs = {};
  Block* objects = nullptr; // for implode(): the block of remaining objects

  // For the current batch.
  bool isCurrent = false;
  std::size_t size = 0;                   // number of entries
  bool isAll = true;                      // whether all entries of the block above passed
  std::vector<std::uint32_t> passed = {}; // else which passed; for explode(): each object's entry
  std::vector<Map> maps = {};
};

struct Pipeline::Column {
  const detail::DataframeNode* node = nullptr; // the step that defines it; null: the column is read
  std::string name = {};
  std::string variation = {};
  detail::ColumnType type = {};
  std::vector<detail::ColumnArgument> arguments =
      {}; // for explode() and implode(), whose formulas have none
  std::size_t source = 0;
  Block* block = nullptr;      // the entries to compute it for
  Block* inputBlock = nullptr; // entries of its inputs; null: as `block`
  std::unique_ptr<detail::Evaluator> evaluator = nullptr;
  Inputs inputs = {};

  bool isCurrent = false;
  detail::ColumnValues values = {};
  std::vector<std::uint32_t> offsets = {}; // for implode(): offsets, or numbers of objects
};

struct Pipeline::Packed {
  Column* column;
  Block* block;
  Scalar as;
  bool isCurrent = false;
  detail::ColumnBuffer buffer = {};
  const detail::ColumnValues* values = nullptr;
};

Pipeline::Pipeline(std::span<const std::shared_ptr<detail::Action>> actions)
    : m_first(&detail::beginningOf(*actions.front()->node).dataset->first()) {
  m_blocks.push_back(std::make_unique<Block>());
  for (const std::shared_ptr<detail::Action>& action : actions) {
    Sink sink = {action.get(), blockOf(action->node.get(), action->variation),
                 inputsOf(action->arguments, action->variation), action->accumulator()};
    require(sink.inputs, sink.block);
    m_sinks.push_back(std::move(sink));
  }
  for (const auto& column : m_columns)
    planPacking(column->inputs, column->inputBlock ? column->inputBlock : column->block);
  for (const auto& block : m_blocks)
    planPacking(block->inputs, block->above);
  for (Sink& sink : m_sinks)
    planPacking(sink.inputs, sink.block);
}

Pipeline::~Pipeline() = default;

Pipeline::Block* Pipeline::blockOf(const detail::DataframeNode* node, std::string_view variation) {
  while (node && !detail::isChoice(*node))
    node = node->above.get();
  if (!node)
    return m_blocks.front().get();
  if (!isVaried(node, variation))
    variation = {};
  for (const auto& block : m_blocks)
    if (block->node == node && block->variation == variation)
      return block.get();
  return addBlock(node, variation);
}

Pipeline::Block* Pipeline::addBlock(const detail::DataframeNode* node, std::string_view variation) {
  const bool isImplode = node->kind == detail::NodeKind::implode;
  Block* const objects = isImplode ? blockOf(node->above.get(), variation) : nullptr;
  Block* const above =
      blockOf(isImplode ? detail::explodeOf(*node).above.get() : node->above.get(), variation);
  Inputs inputs = inputsOf(node->formula.arguments, variation);
  require(inputs, above);
  m_blocks.push_back(std::make_unique<Block>());
  Block& block = *m_blocks.back();
  block.node = node;
  block.frame = detail::frameOf(node);
  block.variation = variation;
  block.above = above;
  block.level = above->level + 1;
  if (node->kind == detail::NodeKind::filter)
    block.filter = node->formula.function->evaluator();
  block.inputs = std::move(inputs);
  block.objects = objects;
  return &block;
}

Pipeline::Column* Pipeline::columnOf(const detail::ColumnId& id, std::string_view variation) {
  if (id.node && id.node->kind == detail::NodeKind::vary && id.node->of != variation)
    return columnOf(detail::columnNamed(*id.node->above, id.name).id, variation);
  if (!isVaried(id, variation))
    variation = {};
  for (const auto& column : m_columns)
    if (id.node ? column->node && detail::areSame(*column->node, *id.node) &&
                      column->name == id.name && column->variation == variation
                : !column->node && m_sources[column->source] == id)
      return column.get();
  auto added = std::make_unique<Column>();
  Column& column = *added;
  column.node = id.node;
  column.name = id.name;
  column.variation = variation;
  if (!id.node) {
    column.source = m_sources.size();
    column.block = m_blocks.front().get();
    m_sources.push_back(id);
  } else if (const detail::DataframeNode& step = *id.node;
             step.kind == detail::NodeKind::explode || step.kind == detail::NodeKind::implode) {
    reframe(column, variation);
  } else {
    column.type = step.formula.type;
    column.evaluator = step.formula.function->evaluator();
    column.inputs = inputsOf(step.formula.arguments, variation);
  }
  m_columns.push_back(std::move(added));
  return &column;
}

/// Sets up a column of explode() or implode(): its entries are objects of the entries above, or
/// have lists of them.
void Pipeline::reframe(Column& column, std::string_view variation) {
  const detail::DataframeNode& step = *column.node;
  column.block = blockOf(&step, variation);
  column.inputBlock = blockOf(step.above.get(), variation);
  if (step.kind == detail::NodeKind::implode && detail::isCountOf(column.name, step))
    return; // counts the remaining objects
  const detail::NamedColumn from = detail::columnNamed(*step.above, column.name);
  column.arguments = {{from.id, from.type, from.type.scalar, true}};
  if (step.kind == detail::NodeKind::explode) {
    column.arguments.push_back(step.formula.arguments.front());
    column.evaluator = step.formula.function->evaluator();
  }
  column.inputs = inputsOf(column.arguments, variation);
  require(column.inputs, column.inputBlock);
}

Pipeline::Inputs Pipeline::inputsOf(const std::vector<detail::ColumnArgument>& arguments,
                                    std::string_view variation) {
  Inputs inputs;
  for (const detail::ColumnArgument& argument : arguments) {
    Column* const column = columnOf(argument.column, variation);
    column->type = argument.type;
    inputs.list.push_back({column, &argument});
  }
  inputs.values.resize(inputs.list.size());
  return inputs;
}

/// Requires columns for a block's entries. Each column is computed for the entries of a block above
/// all blocks that need it. A column without values of objects is computed in the frame above them.
void Pipeline::require(const Inputs& inputs, Block* block) {
  for (const Input& input : inputs.list) {
    Column& column = *input.column;
    Block* common = column.block ? column.block : block;
    while (common->frame != detail::frameOf(column.node))
      common = common->above;
    for (Block* other = block; common != other;)
      if (common->level >= other->level)
        common = common->above;
      else
        other = other->above;
    if (common == column.block)
      continue;
    column.block = common;
    require(column.inputs, common);
  }
}

void Pipeline::planPacking(Inputs& inputs, Block* block) {
  for (Input& input : inputs.list) {
    const bool isPacked = input.argument->isPacked && input.column->block != block;
    if (isPacked || input.argument->as != input.argument->type.scalar)
      input.packed = packedFor(input.column, block, input.argument->as);
  }
}

Pipeline::Packed* Pipeline::packedFor(Column* column, Block* block, Scalar as) {
  for (const auto& packed : m_packed)
    if (packed->column == column && packed->block == block && packed->as == as)
      return packed.get();
  m_packed.push_back(std::make_unique<Packed>(Packed{column, block, as}));
  return m_packed.back().get();
}

void Pipeline::run(const detail::DatasetPart& part) {
  bind(part);
  for (const EntryRange run : runsOf(part)) {
    m_batches.emplace(*m_source, m_places, run, m_file);
    while (!isFull() && m_batches->next()) {
      runBatch();
      ThreadProgress::update();
    }
  }
}

bool Pipeline::isFull() const {
  return std::ranges::all_of(m_sinks, [](const Sink& sink) { return sink.accumulator->isFull(); });
}

/// Returns the entries of a part without clusters that no filter can pass.
std::vector<EntryRange> Pipeline::runsOf(const detail::DatasetPart& part) const {
  std::vector<EntryRange> runs;
  for (std::size_t i = 0; i < part.clusters.size(); ++i) {
    const EntryRange cluster = part.clusters[i];
    if (cluster.first == cluster.last) // Tags showed that no entry passes.
      continue;
    const auto stored = [&](std::size_t column) -> std::optional<Extremes> {
      const detail::ColumnLocator& place = m_places[column];
      if (!place.isStored())
        return std::nullopt;
      return m_source->extremes(place.table, place.member, part.firstCluster + i);
    };
    if (std::ranges::none_of(
            m_sinks, [&](const Sink& sink) { return canPass(*sink.block, cluster, stored); }))
      continue;
    if (!runs.empty() && runs.back().last == cluster.first)
      runs.back().last = cluster.last;
    else
      runs.push_back(cluster);
  }
  return runs;
}

/// Returns the known extremes of a column in some entries. `stored(source)` returns the extremes of
/// a column that is read.
template <class Stored>
std::optional<expression::ValueBounds>
Pipeline::extremesOf(const Column& column, EntryRange entries, const Stored& stored) const {
  if (column.evaluator)
    return column.evaluator->extremes(boundsOf(column.inputs, entries, stored));
  if (column.node)
    return std::nullopt;
  const std::optional<Extremes> extremes = stored(column.source);
  if (!extremes)
    return std::nullopt;
  return detail::numbersOf(*extremes, m_places[column.source].type.scalar);
}

template <class Stored>
detail::KnownBounds Pipeline::boundsOf(const Inputs& inputs, EntryRange entries,
                                       const Stored& stored) const {
  return {entries, [this, &inputs, entries, &stored](std::size_t argument) {
            return extremesOf(*inputs.list[argument].column, entries, stored);
          }};
}

/// Returns whether any of these entries may be in a block.
template <class Stored>
bool Pipeline::canPass(const Block& block, EntryRange entries, const Stored& stored) const {
  for (const Block* step = &block; step; step = step->above)
    if (step->filter && !step->filter->canHold(boundsOf(step->inputs, entries, stored)))
      return false;
  return true;
}

std::vector<detail::ColumnLocator> Pipeline::places(const Source& source) const {
  std::vector<ReadColumn> read;
  for (const auto& column : m_columns)
    if (!column->node)
      read.push_back({m_sources[column->source], column->type});
  return placesIn(source, read, *m_first);
}

void Pipeline::check(const Source& source) const {
  (void)places(source);
  for (const Sink& sink : m_sinks)
    sink.action->check(source);
}

void Pipeline::bind(const detail::DatasetPart& part) {
  if (m_source != part.source) {
    m_places = places(*part.source);
    m_file = part.file;
    m_source = part.source;
  }
  for (const auto& block : m_blocks)
    if (block->filter)
      block->filter->begin(part);
  for (const auto& column : m_columns)
    if (column->evaluator)
      column->evaluator->begin(part);
  for (Sink& sink : m_sinks)
    sink.accumulator->begin(part);
}

void Pipeline::runBatch() {
  for (const auto& block : m_blocks) {
    block->isCurrent = false;
    for (Block::Map& map : block->maps)
      map.isCurrent = false;
  }
  for (const auto& column : m_columns)
    column->isCurrent = false;
  for (const auto& packed : m_packed)
    packed->isCurrent = false;
  for (Sink& sink : m_sinks) {
    select(*sink.block);
    if (sink.block->size == 0)
      continue;
    const std::span<const detail::ArgumentValues> values = arguments(sink.inputs, *sink.block);
    sayWhere(
        entriesOf(*sink.block), [] { return std::string("result"); },
        [&] { sink.accumulator->add(sink.block->size, values); });
  }
}

/// Determines the entries of a block.
void Pipeline::select(Block& block) {
  if (std::exchange(block.isCurrent, true))
    return;
  if (!block.above) {
    block.size = m_batches->entries();
    return;
  }
  select(*block.above);
  block.size = 0;
  block.isAll = true; // also without entries
  if (block.above->size == 0)
    return;
  if (block.filter)
    filter(block);
  else if (block.objects)
    block.size = block.above->size;
  else
    explode(block);
}

void Pipeline::filter(Block& block) {
  const EntryRange entries = {m_batches->firstEntry(),
                              m_batches->firstEntry() + m_batches->entries()};
  const auto stored = [this](std::size_t column) { return m_batches->extremes(column); };
  const detail::KnownBounds known = boundsOf(block.inputs, entries, stored);
  if (!block.filter->canHold(known))
    return;
  const std::size_t size = block.above->size;
  if (block.filter->mustHold(known)) {
    block.size = size;
    return;
  }
  const detail::ColumnValues is = evaluate(*block.filter, block.inputs, *block.above, *block.node);
  block.passed.resize(size);
  std::uint32_t* const passed = block.passed.data();
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < size; ++i) { // no branch, and the count stays in a register
    passed[count] = i;
    count += static_cast<std::size_t>(is.values[i]);
  }
  block.size = count;
  block.isAll = count == size;
}

void Pipeline::explode(Block& block) {
  const std::span<const std::uint32_t> offsets =
      arguments(block.inputs, *block.above)[0].column.offsets[0];
  block.size = offsets.back();
  block.isAll = block.size == 0;
  block.passed.resize(block.size);
  for (std::uint32_t entry = 0; entry + 1 < offsets.size(); ++entry)
    std::fill(block.passed.begin() + offsets[entry], block.passed.begin() + offsets[entry + 1],
              entry);
}

const detail::ColumnValues& Pipeline::valuesOf(Column& column) {
  if (!column.node)
    return m_batches->values(column.source);
  if (!std::exchange(column.isCurrent, true))
    column.values =
        column.evaluator
            ? evaluate(*column.evaluator, column.inputs,
                       column.inputBlock ? *column.inputBlock : *column.block, *column.node)
        : column.arguments.empty() ? countObjects(column)
                                   : implode(column);
  return column.values;
}

/// Counts the remaining objects of each entry.
detail::ColumnValues Pipeline::countObjects(Column& column) {
  Block& objects = *column.block->objects;
  select(objects);
  std::vector<std::uint32_t>& counts = column.offsets;
  counts.assign(column.block->size, 0);
  if (objects.size > 0) {
    const std::uint32_t* const owners = entriesIn(objects, column.block->above);
    for (std::size_t object = 0; object < objects.size; ++object)
      ++counts[owners[object]];
  }
  detail::ColumnValues values;
  values.values = detail::bytesAt(counts.data());
  values.size = counts.size();
  return values;
}

/// Returns the values of a block's objects as lists, one for each entry.
detail::ColumnValues Pipeline::implode(Column& column) {
  static constexpr std::uint32_t zero = 0;
  Block& objects = *column.block->objects;
  select(objects);
  std::vector<std::uint32_t>& offsets = column.offsets;
  offsets.assign(column.block->size + 1, 0);
  detail::ColumnValues lists;
  lists.offsets.fill(std::span(&zero, 1));
  if (objects.size > 0) {
    const detail::ColumnValues values = arguments(column.inputs, objects)[0].column;
    lists.values = values.values;
    lists.size = values.size;
    std::ranges::copy(std::span(values.offsets).first(detail::mostListLevels - 1),
                      lists.offsets.begin() + 1);
    const std::uint32_t* const owners = entriesIn(objects, column.block->above);
    for (std::size_t object = 0; object < objects.size; ++object)
      ++offsets[owners[object] + 1];
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  }
  lists.offsets[0] = offsets;
  return lists;
}

const detail::ColumnValues& Pipeline::pack(Packed& packed) {
  if (std::exchange(packed.isCurrent, true))
    return *packed.values;
  const detail::ColumnValues& values = valuesOf(*packed.column);
  const auto [type, depth] = std::pair(packed.column->type.scalar, packed.column->type.depth);
  if (const std::uint32_t* const entries = entriesIn(*packed.block, packed.column->block))
    packed.values =
        depth == 0 ? &packed.buffer.take(values, type, {entries, packed.block->size}, packed.as)
                   : &packed.buffer.take(values, type, listsTaken(packed, values), packed.as);
  else if (packed.as != type)
    packed.values = &packed.buffer.convert(values, type, packed.as);
  else
    packed.values = &values;
  return *packed.values;
}

/// Returns the lists of a block's entries, selected from a column of a block above.
const detail::SelectedLists& Pipeline::listsTaken(const Packed& packed,
                                                  const detail::ColumnValues& column) {
  Block::Map& map = *std::ranges::find(packed.block->maps, packed.column->block, &Block::Map::to);
  const unsigned depth = packed.column->type.depth;
  for (std::size_t i = 0; i < map.listsTaken; ++i)
    if (map.lists[i].areOf(column, depth))
      return map.lists[i];
  if (map.listsTaken == map.lists.size())
    map.lists.emplace_back();
  detail::SelectedLists& lists = map.lists[map.listsTaken++];
  lists.take(column, depth, {map.entries.data(), packed.block->size});
  return lists;
}

std::span<const detail::ArgumentValues> Pipeline::arguments(Inputs& inputs, Block& block) {
  for (std::size_t i = 0; i < inputs.list.size(); ++i) {
    const Input& input = inputs.list[i];
    if (input.packed)
      inputs.values[i] = {pack(*input.packed), nullptr};
    else
      inputs.values[i] = {valuesOf(*input.column), entriesIn(block, input.column->block)};
  }
  return inputs.values;
}

/// Returns, for each entry of `from`, its entry in the block `to` above; null if each entry maps to
/// the same number.
const std::uint32_t* Pipeline::entriesIn(Block& from, const Block* to) {
  if (&from == to)
    return nullptr;
  auto known = std::ranges::find(from.maps, to, &Block::Map::to);
  if (known == from.maps.end())
    known = from.maps.insert(known, Block::Map{to});
  Block::Map& map = *known;
  if (!std::exchange(map.isCurrent, true)) {
    map.isSame = true;
    map.listsTaken = 0;
    for (const Block* block = &from; block != to; block = block->above) {
      if (block->isAll)
        continue;
      if (std::exchange(map.isSame, false))
        map.entries.assign(block->passed.begin(),
                           block->passed.begin() + static_cast<std::ptrdiff_t>(block->size));
      else
        for (std::uint32_t& entry : map.entries)
          entry = block->passed[entry];
    }
  }
  return map.isSame ? nullptr : map.entries.data();
}

/// Returns the entries of a block with their numbers in the file, for messages.
expression::Entries Pipeline::entriesOf(Block& block) {
  expression::Entries entries = {block.size, m_batches->firstEntry()};
  if (const std::uint32_t* const numbers = entriesIn(block, m_blocks.front().get()))
    entries.numbers = {numbers, block.size};
  return entries;
}

/// Computes a step for a block's entries.
detail::ColumnValues Pipeline::evaluate(detail::Evaluator& evaluator, Inputs& inputs, Block& block,
                                        const detail::DataframeNode& step) {
  const std::span<const detail::ArgumentValues> values = arguments(inputs, block);
  const expression::Entries entries = entriesOf(block);
  detail::ColumnValues column;
  const auto what = [&] {
    return (step.kind == detail::NodeKind::filter    ? "filter '"
            : step.kind == detail::NodeKind::explode ? "objects of '"
                                                     : "column '") +
           step.name + "'";
  };
  sayWhere(entries, what, [&] { column = evaluator.evaluate(entries, values); });
  ThreadProgress::update();
  return column;
}

/// Does work that may call users' functions. Errors name the file and the entry.
template <class What, class Work>
void Pipeline::sayWhere(const expression::Entries& entries, What what, Work work) {
  try {
    work();
  } catch (const detail::EntryFailure& failure) {
    const std::string where = m_source->name() + ", entry " +
                              std::to_string(entries.numberOf(failure.entry)) + ", " + what() +
                              ": ";
    try {
      std::rethrow_exception(failure.cause);
    } catch (const Error& error) {
      fail(error.kind(), where, error.what());
    } catch (const std::exception& error) {
      fail(ErrorKind::usage, where, indented(error.what()));
    } catch (const PassEnded&) { // The function was reading another result.
      throw;
    } catch (...) {
      fail(ErrorKind::usage, where, "an exception that is not derived from std::exception");
    }
  } catch (const UnreadableColumns&) { // says where, and whose columns can be left out
    throw;
  } catch (const Error& error) {
    fail(error.kind(), m_source->name(), ": ", error.what());
  }
}

std::vector<std::unique_ptr<detail::Accumulator>> Pipeline::takeResults() {
  std::vector<std::unique_ptr<detail::Accumulator>> results;
  for (Sink& sink : m_sinks)
    results.push_back(std::exchange(sink.accumulator, sink.action->accumulator()));
  return results;
}

} // namespace kaon
