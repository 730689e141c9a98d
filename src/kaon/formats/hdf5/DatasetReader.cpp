#include <kaon/formats/hdf5/DatasetReader.h>

#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/detail/batch/StridedCopy.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

namespace kaon::hdf5 {
namespace {

/// libhdf5's reason for chunks that were never written, in all versions up to 2.0.
constexpr std::string_view notWritten = "chunk storage is not allocated";

/// Copies the part of a chunk that is within the rows of its block, dimension by dimension.
struct ChunkCopy {
  std::span<const hsize_t> shape, chunk, begin; // of rows and chunk, without the first dimension
  std::size_t valueBytes;

  void copy(const std::byte* from, std::byte* to, std::size_t level = 0) const {
    if (level == shape.size()) {
      std::memcpy(to, from, valueBytes);
      return;
    }
    const std::uint64_t length = std::min(chunk[level], shape[level] - begin[level]);
    std::size_t fromStep = valueBytes, toStep = valueBytes;
    for (std::size_t i = level + 1; i < shape.size(); ++i) {
      fromStep *= static_cast<std::size_t>(chunk[i]);
      toStep *= static_cast<std::size_t>(shape[i]);
    }
    to += begin[level] * toStep;
    if (level + 1 == shape.size()) {
      std::memcpy(to, from, static_cast<std::size_t>(length) * valueBytes);
      return;
    }
    for (std::uint64_t i = 0; i < length; ++i)
      copy(from + i * fromStep, to + i * toStep, level + 1);
  }
};

/// Moves to the next chunk of a block. Returns false behind the last.
bool advance(std::span<hsize_t> begin, std::span<const hsize_t> shape,
             std::span<const hsize_t> chunk) {
  for (std::size_t i = begin.size(); i-- > 0;) {
    begin[i] += chunk[i];
    if (begin[i] < shape[i])
      return true;
    begin[i] = 0;
  }
  return false;
}

void fillWith(std::span<const std::byte> value, std::span<std::byte> out) {
  for (std::size_t at = 0; at + value.size() <= out.size(); at += value.size())
    std::memcpy(out.data() + at, value.data(), value.size());
}

} // namespace

const std::byte* DatasetReader::find(std::uint64_t first, std::uint64_t last) const {
  const std::size_t rowBytes = m_dataset.rowBytes();
  if (m_dataset.form == StoredDataset::Form::resident)
    return m_dataset.values.data() + first * rowBytes;
  if (m_dataset.form != StoredDataset::Form::contiguous || !m_dataset.type.isPlain ||
      !m_file.source().isInMemory())
    return nullptr;
  Buffer unused;
  const std::byte* const rows =
      m_file.source()
          .view(m_dataset.position + first * rowBytes, (last - first) * rowBytes, unused)
          .data();
  return detail::addressOf(rows) % alignof(double) == 0 ? rows : nullptr;
}

void DatasetReader::addRanges(std::uint64_t first, std::uint64_t last,
                              std::vector<io::ByteRange>& ranges) const {
  if (first == last || m_dataset.form == StoredDataset::Form::resident)
    return;
  if (m_dataset.form == StoredDataset::Form::contiguous) {
    const std::size_t stored = m_dataset.storedRowBytes();
    ranges.push_back({m_dataset.position + first * stored, (last - first) * stored});
    return;
  }
  const std::uint64_t blockRows = m_dataset.chunk.front();
  const LibraryLock lock;
  for (std::uint64_t block = first / blockRows; block * blockRows < last; ++block)
    addChunks(block, ranges);
}

/// Chunks that cannot be found are skipped here; reading them reports the error.
void DatasetReader::addChunks(std::uint64_t block, std::vector<io::ByteRange>& ranges) const {
  const std::span<const hsize_t> shape = m_dataset.shape, chunk = m_dataset.chunk;
  std::vector<hsize_t> begin(shape.size());
  begin[0] = block * chunk[0];
  do {
    unsigned skipped = 0;
    haddr_t position = HADDR_UNDEF;
    hsize_t size = 0;
    if (H5Dget_chunk_info_by_coord(m_dataset.handle.get(), begin.data(), &skipped, &position,
                                   &size) >= 0 &&
        position != HADDR_UNDEF)
      ranges.push_back({position, size});
  } while (advance(std::span(begin).subspan(1), shape.subspan(1), chunk.subspan(1)));
  m_file.failure = nullptr;
}

void DatasetReader::read(std::uint64_t first, std::uint64_t last, RowPart part,
                         std::span<std::byte> out) {
  if (first == last)
    return;
  if (m_dataset.form == StoredDataset::Form::chunked)
    return readBlocks(first, last, part, out);
  if (m_dataset.form == StoredDataset::Form::contiguous)
    return readContiguous(first, last, part, out);
  const std::size_t rowBytes = m_dataset.rowBytes();
  detail::copyStrided(out.data(), part.size,
                      m_dataset.values.data() + first * rowBytes + part.offset, rowBytes,
                      static_cast<std::size_t>(last - first), part.size);
}

void DatasetReader::readContiguous(std::uint64_t first, std::uint64_t last, RowPart part,
                                   std::span<std::byte> out) {
  const std::size_t stored = m_dataset.storedRowBytes();
  const auto rows = static_cast<std::size_t>(last - first);
  const std::size_t values = rows * m_dataset.extent();
  const auto room =
      m_dataset.type.isPlain
          ? std::span<std::byte>()
          : m_chunk.assign(values * std::max(m_dataset.type.size, m_dataset.type.storedSize));
  m_file.source().useInPlace({m_dataset.position + first * stored, rows * stored}, m_stored,
                             [&](std::span<const std::byte> bytes) {
                               if (m_dataset.type.isPlain)
                                 detail::copyStrided(out.data(), part.size,
                                                     bytes.data() + part.offset, stored, rows,
                                                     part.size);
                               else
                                 std::ranges::copy(bytes, room.begin());
                             });
  if (m_dataset.type.isPlain)
    return;
  convert(room, values);
  detail::copyStrided(out.data(), part.size, room.data() + part.offset, m_dataset.rowBytes(), rows,
                      part.size);
}

/// Whole blocks are decoded directly into `out`. Parts of blocks are copied from a kept block.
void DatasetReader::readBlocks(std::uint64_t first, std::uint64_t last, RowPart part,
                               std::span<std::byte> out) {
  const std::size_t rowBytes = m_dataset.rowBytes();
  const std::uint64_t blockRows = m_dataset.chunk.front();
  const bool isWhole = part.size == rowBytes && m_dataset.type.size == m_dataset.type.storedSize;
  while (first < last) {
    const std::uint64_t block = first / blockRows;
    const std::uint64_t begin = block * blockRows;
    const auto rows = static_cast<std::size_t>(std::min(last, begin + blockRows) - first);
    const auto to = out.first(rows * part.size);
    if (isWhole && rows == blockRows && m_block.number != block)
      loadBlock(block, to);
    else
      detail::copyStrided(to.data(), part.size,
                          rowsOf(block).data() + (first - begin) * rowBytes + part.offset, rowBytes,
                          rows, part.size);
    out = out.subspan(to.size());
    first += rows;
  }
}

/// Returns the rows of a block, and keeps them.
const Buffer& DatasetReader::rowsOf(std::uint64_t block) {
  if (m_keepsTwo && m_block.number != block)
    std::swap(m_block, m_other);
  if (m_block.number == block)
    return m_block.rows;
  m_block.number = ~std::uint64_t{0}; // stays invalid if this fails
  const std::uint64_t blockRows = m_dataset.chunk.front();
  const std::uint64_t rows = std::min(blockRows, m_dataset.rows() - block * blockRows);
  const std::size_t bytes = static_cast<std::size_t>(rows) * m_dataset.extent() *
                            std::max(m_dataset.type.size, m_dataset.type.storedSize);
  loadBlock(block, m_block.rows.assign(bytes));
  m_block.number = block;
  return m_block.rows;
}

/// Reads the rows of a block in their form in memory. `out` has room for the stored form, too.
void DatasetReader::loadBlock(std::uint64_t block, std::span<std::byte> out) {
  const std::span<const hsize_t> shape = m_dataset.shape, chunk = m_dataset.chunk;
  std::vector<hsize_t> begin(shape.size());
  begin[0] = block * chunk[0];
  const std::uint64_t rows = std::min(chunk[0], shape[0] - begin[0]);
  const std::size_t stored = m_dataset.storedRowBytes();
  std::size_t chunkBytes = m_dataset.type.storedSize;
  for (const hsize_t length : chunk)
    chunkBytes *= static_cast<std::size_t>(length);
  if (chunkBytes == rows * stored && std::ranges::equal(chunk.subspan(1), shape.subspan(1))) {
    loadChunk(begin, out.first(chunkBytes));
  } else {
    const std::size_t chunkRowBytes = chunkBytes / static_cast<std::size_t>(chunk[0]);
    do {
      loadChunk(begin, m_chunk.assign(chunkBytes));
      const ChunkCopy rowCopy{shape.subspan(1), chunk.subspan(1),
                              std::span<const hsize_t>(begin).subspan(1),
                              m_dataset.type.storedSize};
      for (std::uint64_t row = 0; row < rows; ++row)
        rowCopy.copy(m_chunk.data() + row * chunkRowBytes, out.data() + row * stored);
    } while (advance(std::span(begin).subspan(1), shape.subspan(1), chunk.subspan(1)));
  }
  if (!m_dataset.type.isPlain)
    convert(out, static_cast<std::size_t>(rows) * m_dataset.extent());
}

/// Reads a chunk through libhdf5, which undoes the filters. Values keep their stored form. The part
/// of the chunk beyond the dataset is not set.
void DatasetReader::loadThroughLibrary(std::span<const hsize_t> begin, std::span<std::byte> out) {
  const std::span<const hsize_t> shape = m_dataset.shape, chunk = m_dataset.chunk;
  std::vector<hsize_t> length(shape.size());
  for (std::size_t i = 0; i < length.size(); ++i)
    length[i] = std::min(chunk[i], shape[i] - begin[i]);
  const std::vector<hsize_t> origin(shape.size());
  const LibraryLock lock;
  const Hdf5Handle type(H5Dget_type(m_dataset.handle.get()));
  const Hdf5Handle inFile(H5Dget_space(m_dataset.handle.get()));
  const Hdf5Handle inMemory(
      H5Screate_simple(static_cast<int>(chunk.size()), chunk.data(), nullptr));
  if (H5Sselect_hyperslab(inFile.get(), H5S_SELECT_SET, begin.data(), nullptr, length.data(),
                          nullptr) < 0 ||
      H5Sselect_hyperslab(inMemory.get(), H5S_SELECT_SET, origin.data(), nullptr, length.data(),
                          nullptr) < 0 ||
      H5Dread(m_dataset.handle.get(), type.get(), inMemory.get(), inFile.get(), H5P_DEFAULT,
              out.data()) < 0)
    failCall(begin[0], "cannot be read: " + lastReason());
}

/// Reads a chunk and undoes its filters.
void DatasetReader::loadChunk(std::span<const hsize_t> begin, std::span<std::byte> out) {
  if (m_dataset.isUnfilteredByLibrary)
    return loadThroughLibrary(begin, out);
  std::uint32_t skipped = 0;
  {
    const LibraryLock lock;
    hsize_t size = 0;
    if (H5Dget_chunk_storage_size(m_dataset.handle.get(), begin.data(), &size) < 0)
      if (const std::string reason = lastReason(); reason != notWritten)
        failCall(begin[0], "cannot be found: " + reason);
    if (size == 0)
      return fillWith(m_dataset.fill.bytes(), out);
    if (size > m_file.size())
      failChunk(begin[0], "is larger than the file");
    if (H5Dread_chunk(m_dataset.handle.get(), H5P_DEFAULT, begin.data(), &skipped,
                      m_stored.assign(static_cast<std::size_t>(size)).data()) < 0)
      failCall(begin[0], "cannot be read: " + lastReason());
  }
  if (!m_decoder.decode(m_dataset.filters, skipped, m_stored.bytes(), out))
    failChunk(begin[0], "does not decode to the expected bytes");
}

/// Converts values from their stored form to the form in memory, in place.
void DatasetReader::convert(std::span<std::byte> bytes, std::size_t values) {
  const LibraryLock lock;
  const auto background = m_background.assign(bytes.size());
  std::ranges::fill(background, std::byte{0});
  if (H5Tconvert(m_dataset.type.stored.get(), m_dataset.type.memory.get(), values, bytes.data(),
                 background.data(), H5P_DEFAULT) < 0)
    failReading(m_name, "'" + m_dataset.path + "' cannot be converted");
}

/// Prefers an exception of the source, if it threw while libhdf5 was reading.
void DatasetReader::failCall(std::uint64_t firstRow, const std::string& what) const {
  m_file.rethrowFailure();
  failChunk(firstRow, what);
}

void DatasetReader::failChunk(std::uint64_t firstRow, std::string_view what) const {
  fail(ErrorKind::corrupt, m_name, ": '", m_dataset.path, "': the chunk with row ", firstRow, " ",
       what, "; the file is damaged");
}

std::uint64_t lastOf(const StoredDataset& offsets, SourceBytes& file, const std::string& name) {
  std::array<std::byte, sizeof(std::uint64_t)> last{};
  DatasetReader(offsets, file, name)
      .read(offsets.rows() - 1, offsets.rows(), {0, last.size()}, last);
  return detail::loadAs<std::uint64_t>(last.data());
}

} // namespace kaon::hdf5
