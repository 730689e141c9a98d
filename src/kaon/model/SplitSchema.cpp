#include <kaon/model/SplitSchema.h>

namespace kaon {

Schema splitSchema(const Schema& schema) {
  Schema split;
  for (const Table& table : schema.tables()) {
    TableDefinition definition = table.definition();
    definition.layout = Layout::split;
    split.add(definition);
  }
  return split;
}

} // namespace kaon
