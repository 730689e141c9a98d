#include <kaon/formats/arrow/ArrayParts.h>

#include <kaon/base/Error.h>

namespace kaon::arrow {

void failToFit(const StreamColumn& column) {
  fail(ErrorKind::usage, "the parts of the array of '", column.name, "' do not fit each other");
}

const std::byte* bufferOf(const StreamColumn& column, const ArrowArray& array,
                          std::int64_t number) {
  if (array.length < 0 || array.offset < 0 || number >= array.n_buffers ||
      (!array.buffers[number] && array.length > 0))
    failToFit(column);
  return static_cast<const std::byte*>(array.buffers[number]);
}

void append(RowRuns& runs, RowRun run) {
  if (run.size() == 0)
    return;
  if (!runs.empty() && runs.back().missing == run.missing &&
      (run.isMissing() || runs.back().last == run.first))
    runs.back().last += run.size();
  else
    runs.push_back(run);
}

const ArrowArray& childOf(const StreamColumn& column, const ArrowArray& array, std::size_t number) {
  if (static_cast<std::int64_t>(number) >= array.n_children)
    failToFit(column);
  return *array.children[number];
}

RowRun runBelow(const StreamColumn& column, const ArrowArray& array, const ArrowArray& child,
                const RowRun& run, std::size_t size) {
  const RowRun below{placeOf(array, run.first) * size, placeOf(array, run.last) * size};
  if (run.size() > 0 && (array.offset < 0 || below.last > static_cast<std::size_t>(child.length)))
    failToFit(column);
  return below;
}

RowRun elementsOf(const StreamColumn& column, const ArrowArray& array, std::size_t row) {
  const std::size_t place = placeOf(array, row);
  if (column.size > 0)
    return {place * column.size, (place + 1) * column.size};
  const std::byte* const offsets = bufferOf(column, array, 1);
  const bool isLarge = column.format == 'L' || column.format == 'U' || column.format == 'Z';
  const auto at = [&](std::size_t i) -> std::int64_t {
    return isLarge ? storedAt<std::int64_t>(offsets, i) : storedAt<std::int32_t>(offsets, i);
  };
  const std::int64_t first = at(place);
  const std::int64_t last = at(place + 1);
  if (first < 0 || last < first)
    failToFit(column);
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(last)};
}

} // namespace kaon::arrow
