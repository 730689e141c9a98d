#include <kaon/formats/hdf5/DatasetWriter.h>

#include <kaon/formats/hdf5/Attributes.h>
#include <kaon/formats/hdf5/ValueType.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace kaon::hdf5 {
namespace {

constexpr std::size_t mostChunkBytes = std::size_t{64} << 20; // kaon does not read larger ones

} // namespace

DatasetWriter::DatasetWriter(DatasetPlan plan, std::size_t chunkBytes, int level)
    : m_plan(std::move(plan)), m_rowBytes(std::size_t{sizeOf(m_plan.type)} * m_plan.extent),
      m_chunkRows(std::max<std::size_t>(1, std::min(chunkBytes, mostChunkBytes) / m_rowBytes)),
      m_level(level) {}

void DatasetWriter::appendRepeated(std::uint64_t value, std::size_t rows) {
  const std::size_t size = sizeOf(m_plan.type);
  std::byte* to = m_rows.grow(rows * m_rowBytes);
  for (std::size_t i = 0; i < rows * m_plan.extent; ++i, to += size)
    std::memcpy(to, &value, size);
}

EncodedChunk DatasetWriter::encoded(std::span<const std::byte> chunk) const {
  if (m_level > 0)
    return encodeChunk(chunk, sizeOf(m_plan.type), m_level);
  EncodedChunk plain;
  plain.bytes.append(chunk);
  return plain;
}

void DatasetWriter::encode() {
  const std::size_t chunkBytes = m_chunkRows * m_rowBytes;
  std::size_t begin = 0;
  for (; m_rows.size() - begin >= chunkBytes; begin += chunkBytes)
    m_encoded.push_back(encoded(m_rows.bytes().subspan(begin, chunkBytes)));
  if (begin > 0) {
    const std::size_t rest = m_rows.size() - begin;
    std::memmove(m_rows.data(), m_rows.data() + begin, rest);
    m_rows.shrink(rest);
  }
}

/// Creates the dataset. A whole dataset gets a fixed number of rows.
void DatasetWriter::create(hid_t file, std::uint64_t rows, bool isWhole, const std::string& where) {
  const std::array<hsize_t, 2> shape{rows, m_plan.extent};
  const std::array<hsize_t, 2> most{isWhole ? hsize_t{rows} : H5S_UNLIMITED, m_plan.extent};
  const std::array<hsize_t, 2> chunk{isWhole ? hsize_t{rows} : hsize_t{m_chunkRows}, m_plan.extent};
  const int rank = m_plan.extent > 1 ? 2 : 1;
  const Hdf5Handle space(H5Screate_simple(rank, shape.data(), most.data()));
  const Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE)), names(H5Pcreate(H5P_LINK_CREATE));
  bool isWell = space.isOpen() && H5Pset_obj_track_times(properties.get(), false) >= 0 &&
                H5Pset_char_encoding(names.get(), H5T_CSET_UTF8) >= 0 &&
                H5Pset_create_intermediate_group(names.get(), 1) >= 0 &&
                H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER) >= 0;
  if (rows > 0)
    isWell = isWell && H5Pset_chunk(properties.get(), rank, chunk.data()) >= 0;
  if (rows > 0 && m_level > 0)
    isWell = isWell && H5Pset_shuffle(properties.get()) >= 0 &&
             H5Pset_deflate(properties.get(), static_cast<unsigned>(std::min(m_level, 9))) >= 0;
  if (isWell)
    m_dataset = Hdf5Handle(H5Dcreate2(file, m_plan.path.c_str(), typeOf(m_plan.type).get(),
                                      space.get(), names.get(), properties.get(), H5P_DEFAULT));
  if (!m_dataset.isOpen())
    failWriting(where, "cannot create the dataset '" + m_plan.path + "'");
  if (!m_plan.units.empty())
    putAttribute(m_dataset.get(), "units", m_plan.units, where);
  if (!m_plan.description.empty())
    putAttribute(m_dataset.get(), "description", m_plan.description, where);
}

void DatasetWriter::writeChunk(const EncodedChunk& chunk, std::uint64_t rows,
                               const std::string& where) {
  const std::array<hsize_t, 2> begin{m_written, 0};
  if (H5Dwrite_chunk(m_dataset.get(), H5P_DEFAULT, chunk.skipped, begin.data(), chunk.bytes.size(),
                     chunk.bytes.data()) < 0)
    failWriting(where, "cannot write a chunk of '" + m_plan.path + "'");
  m_written += rows;
}

void DatasetWriter::write(hid_t file, const std::string& where) {
  if (m_encoded.empty())
    return;
  const std::array<hsize_t, 2> shape{m_written + m_encoded.size() * m_chunkRows, m_plan.extent};
  if (!m_dataset.isOpen())
    create(file, shape[0], false, where);
  else if (H5Dset_extent(m_dataset.get(), shape.data()) < 0)
    failWriting(where, "cannot extend '" + m_plan.path + "'");
  for (const EncodedChunk& chunk : m_encoded)
    writeChunk(chunk, m_chunkRows, where);
  m_encoded.clear();
}

void DatasetWriter::finish(hid_t file, const std::string& where) {
  write(file, where);
  const std::uint64_t rest = m_rows.size() / m_rowBytes;
  if (!m_dataset.isOpen()) {
    create(file, rest, true, where);
  } else if (rest > 0) {
    const std::array<hsize_t, 2> shape{m_written + rest, m_plan.extent};
    if (H5Dset_extent(m_dataset.get(), shape.data()) < 0)
      failWriting(where, "cannot extend '" + m_plan.path + "'");
    std::memset(m_rows.grow((m_chunkRows - rest) * m_rowBytes), 0,
                (m_chunkRows - rest) * m_rowBytes);
  }
  if (rest > 0)
    writeChunk(encoded(m_rows.bytes()), rest, where);
  m_rows = {};
  m_dataset.close();
}

} // namespace kaon::hdf5
