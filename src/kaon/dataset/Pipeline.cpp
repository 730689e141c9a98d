#include <kaon/dataset/Pipeline.h>

#include <kaon/base/Error.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace kaon {

struct Pipeline::Block {
  /// To which entries of a block above these belong.
  struct Map {
    const Block* to;
    bool isCurrent = false;
    bool isSame = false; // each entry is the one of the same number
    std::vector<std::uint32_t> entries = {};
  };
  const Node* node = nullptr; // the filter; null: all entries
  std::string variation = {};
  Block* above = nullptr;
  std::size_t level = 0; // blocks above
  std::unique_ptr<Evaluator> filter = nullptr;
  Inputs inputs = {};

  // Of a batch.
  bool isCurrent = false;
  std::size_t size = 0;                   // entries
  bool isAll = true;                      // all of the block above
  std::vector<std::uint32_t> passed = {}; // else which
  std::vector<Map> maps = {};
};

struct Pipeline::Column {
  const Node* node = nullptr; // that defines it; null: it is read
  std::string variation = {};
  ColumnType type = {};
  std::size_t source = 0;
  Block* block = nullptr; // for whose entries it is computed
  std::unique_ptr<Evaluator> evaluator = nullptr;
  Inputs inputs = {};

  bool isCurrent = false;
  ColumnValues values = {};
};

struct Pipeline::Packed {
  Column* column;
  Block* block;
  Scalar as;
  bool isCurrent = false;
  ColumnBuffer buffer = {};
  const ColumnValues* values = nullptr;
};

namespace {

bool isVaried(const ColumnId& id, std::string_view variation);

bool isVaried(const Formula& formula, std::string_view variation) {
  return std::ranges::any_of(formula.arguments, [&](const Argument& argument) {
    return isVaried(argument.column, variation);
  });
}

/// Whether a column is another one in a variation.
bool isVaried(const ColumnId& id, std::string_view variation) {
  if (!id.node || variation.empty())
    return false;
  if (id.node->kind != NodeKind::vary)
    return isVaried(id.node->formula, variation);
  return id.node->of == variation || isVaried(columnNamed(*id.node->above, id.name).id, variation);
}

/// Whether another choice of entries passes in a variation.
bool isVaried(const Node* node, std::string_view variation) {
  if (variation.empty())
    return false;
  for (; node; node = node->above.get())
    if (node->kind == NodeKind::filter && isVaried(node->formula, variation))
      return true;
  return false;
}

/// Whether a column says which collections references lead to: by their tables' numbers.
bool isCollectionOfRelation(const Schema& schema, const ColumnPlace& place) {
  const TableKind kind = schema.table(place.table).kind;
  return place.member == relationCollection &&
         (kind == TableKind::oneRelation || kind == TableKind::manyRelation);
}

/// Expressions that follow relations know the numbers that tables have in the first file.
void checkSameCollections(const Source& source, const Schema& first) {
  for (std::uint32_t table = 0; table < first.size(); ++table)
    if (first.table(table).kind == TableKind::collection &&
        source.schema().findCollection(first.table(table).name) != table)
      fail(ErrorKind::type, source.name(), ": '", first.table(table).name,
           "' is not where it is in the first file of the dataset, so that relations cannot be "
           "followed in both; convert the files into one first");
}

} // namespace

Pipeline::Pipeline(std::span<const std::shared_ptr<Action>> actions)
    : m_schema(&beginningOf(*actions.front()->node).dataset->schema()) {
  m_blocks.push_back(std::make_unique<Block>());
  for (const std::shared_ptr<Action>& action : actions) {
    Sink sink = {action.get(), blockOf(action->node.get(), action->variation),
                 inputsOf(action->arguments, action->variation), action->accumulator()};
    require(sink.inputs, sink.block);
    m_sinks.push_back(std::move(sink));
  }
  for (const auto& column : m_columns)
    planPacking(column->inputs, column->block);
  for (const auto& block : m_blocks)
    planPacking(block->inputs, block->above);
  for (Sink& sink : m_sinks)
    planPacking(sink.inputs, sink.block);
}

Pipeline::~Pipeline() = default;

Pipeline::Block* Pipeline::blockOf(const Node* node, std::string_view variation) {
  while (node && node->kind != NodeKind::filter)
    node = node->above.get();
  if (!node)
    return m_blocks.front().get();
  if (!isVaried(node, variation))
    variation = {};
  for (const auto& block : m_blocks)
    if (block->node == node && block->variation == variation)
      return block.get();
  Block* const above = blockOf(node->above.get(), variation);
  Inputs inputs = inputsOf(node->formula.arguments, variation);
  require(inputs, above);
  m_blocks.push_back(std::make_unique<Block>());
  Block& block = *m_blocks.back();
  block.node = node;
  block.variation = variation;
  block.above = above;
  block.level = above->level + 1;
  block.filter = node->formula.function->evaluator();
  block.inputs = std::move(inputs);
  return &block;
}

Pipeline::Column* Pipeline::columnOf(const ColumnId& id, std::string_view variation) {
  if (id.node && id.node->kind == NodeKind::vary && id.node->of != variation)
    return columnOf(columnNamed(*id.node->above, id.name).id, variation);
  if (!isVaried(id, variation))
    variation = {};
  for (const auto& column : m_columns)
    if (id.node ? column->node == id.node && column->variation == variation
                : !column->node && m_sources[column->source] == id)
      return column.get();
  auto column = std::make_unique<Column>();
  column->node = id.node;
  column->variation = variation;
  if (id.node) {
    const Formula& formula = id.node->formula;
    column->type = formula.type;
    column->evaluator = formula.function->evaluator();
    column->inputs = inputsOf(formula.arguments, variation);
  } else {
    column->source = m_sources.size();
    column->block = m_blocks.front().get();
    m_sources.push_back(id);
  }
  m_columns.push_back(std::move(column));
  return m_columns.back().get();
}

Pipeline::Inputs Pipeline::inputsOf(const std::vector<Argument>& arguments,
                                    std::string_view variation) {
  Inputs inputs;
  for (const Argument& argument : arguments) {
    Column* const column = columnOf(argument.column, variation);
    column->type = argument.type;
    inputs.list.push_back({column, &argument});
  }
  inputs.values.resize(inputs.list.size());
  return inputs;
}

/// A block's entries need these columns: they are computed for the entries of a block that has all
/// who need them below it.
void Pipeline::require(const Inputs& inputs, Block* block) {
  for (const Input& input : inputs.list) {
    Column& column = *input.column;
    Block* common = column.block ? column.block : block;
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

void Pipeline::process(const DatasetPart& part, const std::atomic<bool>& stop) {
  bind(part);
  while (!stop && m_batches->next())
    processBatch();
}

void Pipeline::bind(const DatasetPart& part) {
  if (m_source != part.source) {
    m_places.clear();
    for (const auto& column : m_columns) {
      if (column->node)
        continue;
      const auto& [node, name, isListsOnly] = m_sources[column->source];
      const Schema& schema = part.source->schema();
      m_places.push_back(isListsOnly ? listsPlace(schema, name) : columnPlace(schema, name));
      if (const ColumnType type = m_places.back().type; !(type == column->type))
        fail(ErrorKind::type, part.source->name(), ": '", name, "' is a ", nameOf(type), ", and a ",
             nameOf(column->type), " in the first file of the dataset");
      if (isCollectionOfRelation(schema, m_places.back()))
        checkSameCollections(*part.source, *m_schema);
    }
    m_file = part.file;
    m_source = part.source;
  }
  m_batches.emplace(*m_source, m_places, part.entries, m_file);
}

void Pipeline::processBatch() {
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
    if (sink.block->size > 0)
      sink.accumulator->add(sink.block->size, arguments(sink.inputs, *sink.block));
  }
}

/// Finds out which entries a block has.
void Pipeline::select(Block& block) {
  if (std::exchange(block.isCurrent, true))
    return;
  if (!block.above) {
    block.size = m_batches->entries();
    return;
  }
  select(*block.above);
  block.size = 0;
  block.isAll = true; // where there are none
  const std::size_t size = block.above->size;
  if (size == 0)
    return;
  const ColumnValues is = evaluate(*block.filter, block.inputs, *block.above, *block.node);
  block.passed.resize(size);
  for (std::size_t i = 0; i < size; ++i) { // without a branch
    block.passed[block.size] = static_cast<std::uint32_t>(i);
    block.size += static_cast<std::size_t>(is.values[i]);
  }
  block.isAll = block.size == size;
}

const ColumnValues& Pipeline::valuesOf(Column& column) {
  if (!column.node)
    return m_batches->values(column.source);
  if (!std::exchange(column.isCurrent, true))
    column.values = evaluate(*column.evaluator, column.inputs, *column.block, *column.node);
  return column.values;
}

const ColumnValues& Pipeline::pack(Packed& packed) {
  if (std::exchange(packed.isCurrent, true))
    return *packed.values;
  const ColumnValues& values = valuesOf(*packed.column);
  const ColumnType type = packed.column->type;
  if (const std::uint32_t* const entries = entriesIn(*packed.block, packed.column->block))
    packed.values = &packed.buffer.take(values, type, {entries, packed.block->size}, packed.as);
  else if (packed.as != type.scalar)
    packed.values = &packed.buffer.convert(values, type, packed.as);
  else
    packed.values = &values;
  return *packed.values;
}

std::span<const ArgumentValues> Pipeline::arguments(Inputs& inputs, Block& block) {
  for (std::size_t i = 0; i < inputs.list.size(); ++i) {
    const Input& input = inputs.list[i];
    if (input.packed)
      inputs.values[i] = {pack(*input.packed), nullptr};
    else
      inputs.values[i] = {valuesOf(*input.column), entriesIn(block, input.column->block)};
  }
  return inputs.values;
}

/// Which entry of the block `to`, which is above, each of `from` is; null where each is the one of
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

/// What a step computes for a block's entries. What it throws says in which file, and which entry.
ColumnValues Pipeline::evaluate(Evaluator& evaluator, Inputs& inputs, Block& block,
                                const Node& step) {
  const std::span<const ArgumentValues> values = arguments(inputs, block);
  expression::Entries entries = {block.size, m_batches->firstEntry()};
  if (const std::uint32_t* const numbers = entriesIn(block, m_blocks.front().get()))
    entries.numbers = {numbers, block.size};
  try {
    return evaluator.evaluate(entries, values);
  } catch (const EntryFailure& failure) {
    failAt(entries.numberOf(failure.entry), failure.cause, step);
  } catch (const Error& error) {
    fail(error.kind(), m_source->name(), ": ", error.what());
  }
}

/// Says in which entry of which file a user's function threw.
void Pipeline::failAt(std::uint64_t entry, const std::exception_ptr& cause, const Node& step) {
  const std::string what = step.kind == NodeKind::filter ? "filter" : "column";
  const std::string where = m_source->name() + ", entry " + std::to_string(entry) + ", " + what +
                            " '" + step.name + "': ";
  try {
    std::rethrow_exception(cause);
  } catch (const Error& error) {
    fail(error.kind(), where, error.what());
  } catch (const std::exception& error) {
    fail(ErrorKind::usage, where, error.what());
  }
}

std::vector<std::unique_ptr<Accumulator>> Pipeline::takeResults() {
  std::vector<std::unique_ptr<Accumulator>> results;
  for (Sink& sink : m_sinks)
    results.push_back(std::exchange(sink.accumulator, sink.action->accumulator()));
  return results;
}

} // namespace kaon
