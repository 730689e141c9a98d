#include <kaon/formats/arrow/StreamColumn.h>

#include <kaon/formats/arrow/StreamField.h>

#include <utility>

namespace kaon::arrow {

StreamColumn runsOf(StreamColumn values, const ArrowSchema& field) {
  StreamColumn runs{.kind = ColumnKind::runs, .name = values.name};
  runs.index = indexOf(*field.children[0], values.name);
  runs.children.push_back(asField(std::move(values), 1));
  return runs;
}

void takeDictionary(StreamColumn& column, const ArrowSchema& field) {
  column.isDictionary = field.dictionary != nullptr;
  if (column.isDictionary)
    column.index = indexOf(field, column.name);
}

} // namespace kaon::arrow
