#include <kaon/formats/hdf5/VariableReader.h>

#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

namespace kaon::hdf5 {

void VariableReader::read(std::uint64_t first, std::uint64_t last, Buffer& offsets,
                          Buffer& values) {
  const auto rows = static_cast<std::size_t>(last - first);
  const std::size_t rowBytes = m_dataset.variable->size;
  const std::size_t element = sizeOf(m_dataset.variable->element);
  m_places.read(first, last, {m_dataset.variable->offset, rowBytes},
                m_rows.assign(rows * rowBytes));
  const auto begins = offsets.assign((rows + 1) * sizeof(std::uint32_t));
  values.clear();
  for (std::size_t row = 0; row <= rows; ++row) {
    const auto begin = static_cast<std::uint32_t>(values.size() / element);
    std::memcpy(&begins[row * sizeof(begin)], &begin, sizeof(begin));
    if (row == rows)
      break;
    const auto stored = m_rows.bytes().subspan(row * rowBytes, rowBytes);
    const VariableRows::Form form = m_dataset.variable->form;
    values.append(form == VariableRows::Form::heap     ? objectOf(stored, first + row)
                  : form == VariableRows::Form::object ? pathOf(stored, first + row)
                                                       : textIn(stored));
    // Rows in heaps do not share elements, so all of them together are not larger than the file.
    if ((form == VariableRows::Form::heap && values.size() > m_file.size()) ||
        values.size() / element > std::numeric_limits<std::uint32_t>::max())
      failRow(first + row, "has elements of another row");
  }
}

std::span<const std::byte> VariableReader::textIn(std::span<const std::byte> row) const {
  const VariableRows::Form form = m_dataset.variable->form;
  if (form == VariableRows::Form::terminated)
    return row.first(static_cast<std::size_t>(std::ranges::find(row, std::byte{0}) - row.begin()));
  const auto filler = static_cast<std::byte>(form == VariableRows::Form::blanks ? ' ' : '\0');
  while (!row.empty() && row.back() == filler)
    row = row.first(row.size() - 1);
  return row;
}

std::span<const std::byte> VariableReader::objectOf(std::span<const std::byte> row,
                                                    std::uint64_t number) {
  const HeapReference place = heapPlaceAt(row.data());
  if (place.elements == 0)
    return {};
  const HeapObjects& objects = heapAt(place.heap, number);
  const auto elements = objects.find(place.object);
  const std::uint64_t bytes = std::uint64_t{place.elements} * sizeOf(m_dataset.variable->element);
  if (elements == objects.end() || elements->second.size() < bytes)
    failRow(number, "refers to elements that do not exist");
  return elements->second.first(static_cast<std::size_t>(bytes));
}

/// Returns the path of the object that a row refers to, "" for none.
std::span<const std::byte> VariableReader::pathOf(std::span<const std::byte> row,
                                                  std::uint64_t number) {
  constexpr std::size_t most = 4096; // bytes of a path, and paths that are kept
  const auto address = detail::loadAs<hobj_ref_t>(row.data());
  if (address == 0)
    return {};
  if (m_paths.size() > most)
    m_paths.clear();
  const auto [known, isNew] = m_paths.try_emplace(address);
  if (isNew) {
    const LibraryLock lock;
    const Hdf5Handle object(
        H5Rdereference2(m_dataset.handle.get(), H5P_DEFAULT, H5R_OBJECT, &address));
    std::array<char, most> name{};
    if (!object.isOpen() || H5Iget_name(object.get(), name.data(), name.size()) < 0) {
      m_paths.erase(known);
      failRow(number, "refers to an object that libhdf5 cannot open: " + lastReason());
    }
    known->second = name.data();
  }
  return std::as_bytes(std::span(known->second));
}

const HeapObjects& VariableReader::heapAt(std::uint64_t position, std::uint64_t row) {
  constexpr std::uint64_t mostBytes = std::uint64_t{1} << 20; // for heaps besides the newest one
  if (const auto known = m_heaps.find(position); known != m_heaps.end())
    return known->second.objects;
  const io::ByteSource& file = m_file.source();
  if (position > file.size() || file.size() - position < heapHeaderBytes)
    failRow(row, "has its elements behind the end of the file");
  const auto length = lengthOfHeap(file.view(position, heapHeaderBytes, m_scratch));
  if (!length || *length < heapHeaderBytes || *length > file.size() - position)
    failRow(row, "has its elements outside of a heap");
  Heap heap;
  auto objects = objectsOf(file.view(position, *length, heap.bytes));
  if (!objects)
    failRow(row, "has its elements in a heap whose objects do not follow each other");
  heap.objects = std::move(*objects);
  if (m_heapBytes > mostBytes) {
    m_heaps.clear();
    m_heapBytes = 0;
  }
  m_heapBytes += *length;
  return m_heaps.emplace(position, std::move(heap)).first->second.objects;
}

void VariableReader::failRow(std::uint64_t row, std::string_view what) const {
  fail(ErrorKind::corrupt, m_name, ": '", m_dataset.path, "': row ", row, " ", what,
       "; the file is damaged");
}

} // namespace kaon::hdf5
