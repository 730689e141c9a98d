#include <kaon/formats/kaonfile/KeySorter.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace kaon::kaonfile {
namespace {

/// The least number of rows to write or read at once.
constexpr std::size_t leastBuffer = 1024;

} // namespace

/// Reads the rows of a run.
class KeySorter::RunReader {
public:
  RunReader(const io::SpillFile& file, const Run& run, std::size_t width, std::size_t rows)
      : m_file(&file), m_rest(run), m_width(width), m_buffer(rows * width) {
    fill();
  }
  /// Returns the current row; null at the end.
  [[nodiscard]] const std::uint64_t* row() const noexcept { return m_row; }
  void next() {
    m_row += m_width;
    if (m_row == m_end)
      fill();
  }

private:
  void fill() {
    const std::size_t size =
        std::min<std::uint64_t>(m_buffer.size(), (m_rest.end - m_rest.position) / sizeof *m_row);
    const auto values = std::span(m_buffer).first(size);
    m_file->read(m_rest.position, std::as_writable_bytes(values));
    m_rest.position += values.size_bytes();
    m_row = size > 0 ? values.data() : nullptr;
    m_end = values.data() + size;
  }

  const io::SpillFile* m_file;
  Run m_rest;
  std::size_t m_width;
  std::vector<std::uint64_t> m_buffer;
  const std::uint64_t* m_row = nullptr;
  const std::uint64_t* m_end = nullptr;
};

KeySorter::KeySorter(std::size_t keys, std::size_t memoryBytes, std::string directory)
    : m_memoryBytes(memoryBytes), m_rows(keys + 1), m_file(std::move(directory)) {}

void KeySorter::add(const KeyColumns& rows) {
  const std::size_t count = rows.front().size();
  std::size_t row = 0;
  if (m_last.empty() && count > 0) {
    for (const auto& column : rows)
      m_last.push_back(column.front());
    row = 1;
  }
  for (; m_isInOrder && row < count; ++row) {
    std::size_t key = 0;
    while (key < keys() && rows[key][row] == m_last[key])
      ++key;
    m_isInOrder = key == keys() || rows[key][row] > m_last[key];
    for (; key < keys(); ++key)
      m_last[key] = rows[key][row];
  }
  for (std::size_t column = 0; column < m_rows.size(); ++column)
    m_rows[column].insert(m_rows[column].end(), rows[column].begin(), rows[column].end());
  if (m_rows.front().size() * rowBytes() >= m_memoryBytes)
    spill();
}

void KeySorter::takeFirst(std::size_t count, KeyColumns& rows) {
  rows.resize(m_rows.size());
  for (std::size_t column = 0; column < m_rows.size(); ++column) {
    auto& from = m_rows[column];
    const auto end = from.begin() + static_cast<std::ptrdiff_t>(count);
    rows[column].assign(from.begin(), end);
    from.erase(from.begin(), end);
  }
}

/// Returns the order of the rows in memory. Sorts by bytes, from the lowest byte of the last key
/// upwards; each pass is stable. Bytes that are equal in all rows are skipped.
std::vector<std::uint32_t> KeySorter::order() const {
  const std::size_t count = m_rows.front().size();
  std::vector<std::uint32_t> order(count), next(count);
  std::iota(order.begin(), order.end(), 0U);
  if (m_isInOrder)
    return order;
  for (std::size_t key = keys(); key-- > 0;) {
    const auto& ranks = m_rows[key];
    std::uint64_t differing = 0;
    for (const std::uint64_t rank : ranks)
      differing |= rank ^ ranks.front();
    for (unsigned shift = 0; shift < 64; shift += 8) {
      if ((differing >> shift & 0xff) == 0)
        continue;
      std::array<std::uint32_t, 257> begins{};
      for (const std::uint64_t rank : ranks)
        ++begins[(rank >> shift & 0xff) + 1];
      std::partial_sum(begins.begin(), begins.end(), begins.begin());
      for (const std::uint32_t row : order)
        next[begins[ranks[row] >> shift & 0xff]++] = row;
      order.swap(next);
    }
  }
  return order;
}

/// Passes on the rows in memory, in order, and removes them.
void KeySorter::sortInto(std::size_t count,
                         const std::function<void(const KeyColumns& rows)>& use) {
  const std::vector<std::uint32_t> sorted = order();
  KeyColumns piece(m_rows.size());
  for (std::size_t first = 0; first < sorted.size(); first += count) {
    const auto rows = std::span(sorted).subspan(first, std::min(count, sorted.size() - first));
    for (std::size_t column = 0; column < m_rows.size(); ++column) {
      piece[column].clear();
      for (const std::uint32_t row : rows)
        piece[column].push_back(m_rows[column][row]);
    }
    use(piece);
  }
  for (auto& column : m_rows)
    column.clear();
}

void KeySorter::spill() {
  const std::size_t width = m_rows.size();
  Run run{m_file.size(), 0};
  m_spilled += m_rows.front().size();
  std::vector<std::uint64_t> buffer;
  sortInto(leastBuffer, [&](const KeyColumns& rows) {
    const std::size_t count = rows.front().size();
    buffer.resize(count * width);
    for (std::size_t column = 0; column < width; ++column)
      for (std::size_t row = 0; row < count; ++row)
        buffer[row * width + column] = rows[column][row];
    m_file.append(std::as_bytes(std::span(buffer)));
  });
  run.end = m_file.size();
  m_runs.push_back(run);
}

void KeySorter::takeAll(std::size_t count, const std::function<void(const KeyColumns& rows)>& use) {
  if (m_runs.empty()) {
    sortInto(count, use);
  } else {
    if (!m_rows.front().empty())
      spill();
    merge(count, use);
  }
  m_rows.assign(m_rows.size(), {}); // also frees their memory
  m_last.clear();
  m_isInOrder = true;
  m_file.clear();
  m_runs.clear();
  m_spilled = 0;
}

/// Merges the runs. Runs are in the order of their rows, so that equal keys keep their order.
void KeySorter::merge(std::size_t count, const std::function<void(const KeyColumns& rows)>& use) {
  const std::size_t width = m_rows.size();
  const std::size_t buffer = std::max(m_memoryBytes / m_runs.size() / rowBytes(), leastBuffer);
  std::vector<RunReader> runs;
  runs.reserve(m_runs.size());
  for (const Run& run : m_runs)
    runs.emplace_back(m_file, run, width, buffer);
  std::vector<std::size_t> heap(runs.size()); // heap of runs; the least row is on top
  std::iota(heap.begin(), heap.end(), std::size_t{0});
  const auto isBehind = [&](std::size_t a, std::size_t b) {
    const std::uint64_t* const left = runs[a].row();
    const std::uint64_t* const right = runs[b].row();
    for (std::size_t key = 0; key < keys(); ++key)
      if (left[key] != right[key])
        return left[key] > right[key];
    return a > b;
  };
  std::ranges::make_heap(heap, isBehind);
  KeyColumns piece(width);
  while (!heap.empty()) {
    std::ranges::pop_heap(heap, isBehind);
    RunReader& least = runs[heap.back()];
    for (std::size_t column = 0; column < width; ++column)
      piece[column].push_back(least.row()[column]);
    least.next();
    if (least.row())
      std::ranges::push_heap(heap, isBehind);
    else
      heap.pop_back();
    if (piece.front().size() == count || heap.empty()) {
      use(piece);
      for (auto& column : piece)
        column.clear();
    }
  }
}

} // namespace kaon::kaonfile
