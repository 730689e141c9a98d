#include <kaon/formats/hdf5/FileDriver.h>

#include <kaon/base/Error.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/formats/hdf5/GlobalHeap.h>

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include <algorithm>
#include <array>
#include <new>

namespace kaon::hdf5 {
namespace {

/// libhdf5 may read behind the end of a file while it does not know the length of a header. Up to
/// this size, missing bytes are zeros.
constexpr std::uint64_t mostReadAhead = 64 * 1024;

/// Metadata are written in blocks of this size. From distant files they are read in these blocks,
/// too.
constexpr std::uint64_t metadataBlock = 32 * 1024;

struct DriverFile {
  H5FD_t base{}; // libhdf5's part must come first
  std::shared_ptr<FileBytes> bytes;
  haddr_t end = 0; // the end of the addresses that libhdf5 has allocated
};

DriverFile& fileOf(H5FD_t* file) { return *detail::valuesAt<DriverFile>(file); }
const DriverFile& fileOf(const H5FD_t* file) { return *detail::valuesAt<DriverFile>(file); }

/// Calls `action`, and keeps its exception, because C code cannot pass it on.
herr_t attempt(FileBytes& bytes, const auto& action) noexcept {
  try {
    action();
    return 0;
  } catch (...) {
    if (!bytes.failure)
      bytes.failure = std::current_exception();
    return -1;
  }
}

H5FD_t* openFile(const char* /*name*/, unsigned /*flags*/, hid_t access, haddr_t /*most*/) {
  const void* const info = H5Pget_driver_info(access);
  if (!info)
    return nullptr;
  auto* const file = new (std::nothrow) DriverFile;
  if (file)
    file->bytes = (*static_cast<FileBytes* const*>(info))->shared_from_this();
  return detail::valuesAt<H5FD_t>(file);
}

herr_t closeFile(H5FD_t* file) {
  delete &fileOf(file);
  return 0;
}

herr_t queryFeatures(const H5FD_t* /*file*/, unsigned long* flags) {
  // libhdf5 gathers metadata. Other blocks are written directly, and never read for rewriting.
  *flags = H5FD_FEAT_AGGREGATE_METADATA;
  return 0;
}

haddr_t endOfAddresses(const H5FD_t* file, H5FD_mem_t /*type*/) { return fileOf(file).end; }

herr_t setEndOfAddresses(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t end) {
  fileOf(file).end = end;
  return 0;
}

haddr_t endOfFile(const H5FD_t* file, H5FD_mem_t /*type*/) { return fileOf(file).bytes->size(); }

herr_t readBytes(H5FD_t* file, H5FD_mem_t type, hid_t /*transfer*/, haddr_t position,
                 std::size_t size, void* out) {
  FileBytes& bytes = *fileOf(file).bytes;
  return attempt(bytes, [&] {
    bytes.read(position, {static_cast<std::byte*>(out), size}, type == H5FD_MEM_DRAW);
  });
}

herr_t writeBytes(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t position,
                  std::size_t size, const void* data) {
  FileBytes& bytes = *fileOf(file).bytes;
  return attempt(bytes, [&] {
    bytes.write(position, {static_cast<const std::byte*>(data), size});
  });
}

herr_t extendFile(H5FD_t* file, hid_t /*transfer*/, hbool_t /*isClosing*/) {
  FileBytes& bytes = *fileOf(file).bytes;
  return attempt(bytes, [&] { bytes.extend(fileOf(file).end); });
}

const H5FD_class_t& driverClass() {
  static const H5FD_class_t driver = [] {
    H5FD_class_t all{};
#if H5_VERSION_GE(1, 13, 2)
    all.version = H5FD_CLASS_VERSION;
    all.value = static_cast<H5FD_class_value_t>(511); // for drivers that are not registered
#endif
    all.name = "kaon";
    all.maxaddr = HADDR_MAX / 2;
    all.fc_degree = H5F_CLOSE_STRONG;
    all.fapl_size = sizeof(FileBytes*);
    all.open = openFile;
    all.close = closeFile;
    all.query = queryFeatures;
    all.get_eoa = endOfAddresses;
    all.set_eoa = setEndOfAddresses;
    all.get_eof = endOfFile;
    all.read = readBytes;
    all.write = writeBytes;
    all.truncate = extendFile;
    return all;
  }();
  return driver;
}

/// Registers the driver once, and again if a program has closed the library since.
hid_t driverNumber() {
  static hid_t number = -1;
  if (number < 0 || H5Iget_type(number) != H5I_VFL)
    number = H5FDregister(&driverClass());
  return number;
}

/// Sets a metadata cache that evicts nothing before the file is closed.
bool keepMetadata(hid_t access) {
  H5AC_cache_config_t cache{};
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  if (H5Pget_mdc_config(access, &cache) < 0)
    return false;
  cache.evictions_enabled = false;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  return H5Pset_mdc_config(access, &cache) >= 0;
}

} // namespace

void SourceBytes::read(std::uint64_t position, std::span<std::byte> out, bool isData) {
  const std::uint64_t size = m_source->size();
  const std::uint64_t there =
      position < size ? std::min<std::uint64_t>(out.size(), size - position) : 0;
  if (out.size() - there > mostReadAhead)
    fail(ErrorKind::corrupt, m_source->name(), ": ", out.size(), " bytes are expected at position ",
         position, ", but the file has only ", size, " bytes; it is damaged or was cut");
  if (there > 0 && !isData && m_source->isDistant())
    readBlocks(position, out.first(static_cast<std::size_t>(there)));
  else if (there > 0)
    std::ranges::copy(m_source->view(position, there, m_scratch), out.begin());
  std::ranges::fill(out.subspan(static_cast<std::size_t>(there)), std::byte{0});
  if (isHeap(out) && !isSoundHeap(out, lengthBytes()))
    fail(ErrorKind::corrupt, m_source->name(), ": the texts at position ", position,
         " do not follow each other; the file is damaged");
}

/// Reads blocks of distant files and keeps them. Requests to distant files are slow. libhdf5 reads
/// few bytes, close together, and repeatedly.
void SourceBytes::readBlocks(std::uint64_t position, std::span<std::byte> out) {
  for (std::size_t done = 0; done < out.size();) {
    const std::uint64_t at = position + done;
    const io::ByteRange range = blockAt(at);
    auto block = m_blocks.find(range.offset);
    if (block == m_blocks.end()) {
      Buffer read;
      read.append(m_source->view(range.offset, range.count, m_scratch));
      block = m_blocks.emplace(range.offset, std::move(read)).first;
    }
    const auto bytes = block->second.bytes().subspan(static_cast<std::size_t>(at - range.offset));
    const std::size_t part = std::min(bytes.size(), out.size() - done);
    std::ranges::copy(bytes.first(part), out.subspan(done).begin());
    done += part;
  }
}

/// Returns the block with a position of the file.
io::ByteRange SourceBytes::blockAt(std::uint64_t position) const {
  const std::uint64_t first = position / metadataBlock * metadataBlock;
  return {first, std::min(metadataBlock, m_source->size() - first)};
}

void SourceBytes::expect(std::span<const std::uint64_t> places) {
  constexpr std::size_t most = 256; // 8 MiB
  std::vector<io::ByteRange> missing;
  for (const std::uint64_t place : places)
    if (m_source->isDistant() && place < m_source->size())
      if (const io::ByteRange block = blockAt(place);
          missing.size() < most && !m_blocks.contains(block.offset) &&
          std::ranges::find(missing, block) == missing.end())
        missing.push_back(block);
  const auto views = m_source->views(missing, m_scratch);
  for (std::size_t i = 0; i < views.size(); ++i)
    m_blocks[missing[i].offset].append(views[i]);
}

/// Returns the size of lengths from the superblock, which libhdf5 has verified.
std::size_t SourceBytes::lengthBytes() {
  constexpr std::uint64_t versionPlace = 8, oldPlace = 14, newPlace = 10;
  const auto byteAt = [&](std::uint64_t place) {
    return std::to_integer<std::size_t>(m_source->view(place, 1, m_scratch)[0]);
  };
  return byteAt(byteAt(versionPlace) < 2 ? oldPlace : newPlace);
}

void SourceBytes::write(std::uint64_t /*position*/, std::span<const std::byte> /*bytes*/) {
  fail(ErrorKind::usage, m_source->name(), ": is open for reading only");
}

void SourceBytes::extend(std::uint64_t /*size*/) {} // libhdf5 calls this for truncated files, too

void SinkBytes::read(std::uint64_t position, std::span<std::byte> out, bool /*isData*/) {
  const auto kept = m_kept.find(position);
  if (kept != m_kept.end() && kept->second.size() >= out.size()) {
    std::ranges::copy(kept->second.bytes().first(out.size()), out.begin());
    return;
  }
  fail(ErrorKind::io, m_sink.name(), ": libhdf5 wants ", out.size(), " bytes back at position ",
       position, ", which kaon does not keep");
}

void SinkBytes::write(std::uint64_t position, std::span<const std::byte> bytes) {
  if (m_isDropped)
    return;
  fillTo(position);
  const auto known =
      static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), m_size - position));
  if (known > 0)
    m_sink.rewrite(position, bytes.first(known));
  m_sink.write(bytes.subspan(known));
  m_size += bytes.size() - known;
  if (m_isKeeping)
    std::ranges::copy(bytes, m_kept[position].assign(bytes.size()).begin());
}

void SinkBytes::extend(std::uint64_t size) { m_end = size; }

/// Fills with zeros. libhdf5 may write these bytes after bytes behind them.
void SinkBytes::fillTo(std::uint64_t size) {
  static constexpr std::array<std::byte, 4096> zeros{};
  while (m_size < size && !m_isDropped) {
    const auto part = std::span(zeros).first(
        static_cast<std::size_t>(std::min<std::uint64_t>(zeros.size(), size - m_size)));
    m_sink.write(part);
    m_size += part.size();
  }
}

Hdf5Handle accessTo(FileBytes& bytes) {
  Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS));
  FileBytes* const info = &bytes;
  if (!access.isOpen() || H5Pset_driver(access.get(), driverNumber(), &info) < 0)
    failReading("libhdf5", "cannot be used");
  return access;
}

Hdf5Handle accessToNew(FileBytes& bytes) {
  Hdf5Handle access = accessTo(bytes);
  if (H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110) < 0 ||
      H5Pset_meta_block_size(access.get(), metadataBlock) < 0 || !keepMetadata(access.get()))
    failWriting("libhdf5", "cannot be used");
  return access;
}

} // namespace kaon::hdf5
