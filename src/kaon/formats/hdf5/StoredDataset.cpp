#include <kaon/formats/hdf5/StoredDataset.h>

#include <kaon/formats/hdf5/CompoundType.h>
#include <kaon/formats/hdf5/ForeignFilters.h>
#include <kaon/model/SchemaDocument.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

namespace kaon::hdf5 {
namespace {

constexpr std::uint64_t mostStoredChunkBytes = std::uint64_t{256} << 20;
// Bytes that may be missing in the file, because they were never written.
constexpr std::uint64_t mostMissing = std::uint64_t{1} << 20;

std::uint64_t product(std::span<const hsize_t> numbers, std::uint64_t factor) {
  for (const hsize_t number : numbers) {
    if (number != 0 && factor > std::numeric_limits<std::uint64_t>::max() / number)
      return std::numeric_limits<std::uint64_t>::max();
    factor *= number;
  }
  return factor;
}

void takeShape(StoredDataset& dataset) {
  const Hdf5Handle space(H5Dget_space(dataset.handle.get()));
  if (H5Sget_simple_extent_type(space.get()) != H5S_SIMPLE)
    refuse("has a single value instead of rows");
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank < 1 || rank > H5S_MAX_RANK)
    refuse("has a single value instead of rows");
  dataset.shape.resize(static_cast<std::size_t>(rank));
  if (H5Sget_simple_extent_dims(space.get(), dataset.shape.data(), nullptr) < 0)
    refuse("has a shape that libhdf5 cannot read");
  const auto inRow = std::span(dataset.shape).subspan(1);
  if (std::ranges::find(inRow, hsize_t{0}) != inRow.end())
    refuse("has rows without a value");
  if (product(inRow, std::max(dataset.type.size, dataset.type.storedSize)) > mostRowBytes)
    refuse("has rows of more than 64 MiB");
}

/// The highest ratio of the sizes before and after filters other than deflate.
constexpr std::uint64_t otherRatio = 1 << 16;

/// Returns the highest ratio of the sizes before and after a filter.
std::uint64_t highestRatio(const ChunkFilter& filter) {
  constexpr std::uint64_t deflate = 1032;
  if (!compresses(filter))
    return 1;
  return filter.kind == ChunkFilter::Kind::deflate ? deflate : otherRatio;
}

/// Refuses sizes that no file of this size can hold.
void checkSize(const StoredDataset& dataset, std::uint64_t fileBytes) {
  std::uint64_t ratio = dataset.isUnfilteredByLibrary ? otherRatio : 1;
  for (const ChunkFilter& filter : dataset.filters)
    ratio = std::max(ratio, highestRatio(filter));
  const std::uint64_t most = fileBytes * ratio + mostMissing;
  if (product(dataset.shape, dataset.type.storedSize) > most)
    refuse("claims more values than the file can hold");
  if (dataset.form != StoredDataset::Form::chunked)
    return;
  const std::uint64_t chunkBytes = product(dataset.chunk, dataset.type.storedSize);
  if (chunkBytes == 0 || chunkBytes > std::min(most, mostStoredChunkBytes))
    refuse("has chunks that are too large");
}

/// A filter that kaon undoes.
struct KnownFilter {
  H5Z_filter_t number; // in HDF5
  ChunkFilter::Kind kind;
};
constexpr KnownFilter knownFilters[] = {{H5Z_FILTER_SHUFFLE, ChunkFilter::Kind::shuffle},
                                        {H5Z_FILTER_DEFLATE, ChunkFilter::Kind::deflate},
                                        {H5Z_FILTER_FLETCHER32, ChunkFilter::Kind::fletcher32},
                                        {32000, ChunkFilter::Kind::lzf},
                                        {32001, ChunkFilter::Kind::blosc},
                                        {32004, ChunkFilter::Kind::lz4},
                                        {32008, ChunkFilter::Kind::bitshuffle},
                                        {32015, ChunkFilter::Kind::zstd}};

/// Bitshuffle's values: two of its version, bytes of an element, elements of a block, codec.
ChunkFilter bitshuffleOf(std::span<const unsigned> values) {
  constexpr Codec codecs[] = {Codec::none, Codec::none, Codec::lz4, Codec::zstd};
  constexpr std::size_t ofElement = 2, ofBlock = 3, ofCodec = 4;
  const auto value = [&](std::size_t i) { return i < values.size() ? values[i] : 0; };
  // Strings and lists have another size than the stored one, or none; then each chunk records that
  // the filter was skipped.
  const std::uint32_t size = value(ofElement);
  if (value(ofCodec) >= std::size(codecs) || value(ofCodec) == 1 ||
      value(ofBlock) > mostStoredChunkBytes / std::max(size, 1U))
    refuse("is stored by bitshuffle in a way that kaon does not know");
  return {ChunkFilter::Kind::bitshuffle, size, value(ofBlock) * size, codecs[value(ofCodec)]};
}

/// Returns a filter that kaon undoes; nothing for others.
std::optional<ChunkFilter> filterOf(H5Z_filter_t number, std::span<const unsigned> values,
                                    const StoredDataset& dataset) {
  const auto known = std::ranges::find(knownFilters, number, &KnownFilter::number);
  if (known == std::end(knownFilters) || (known->kind == ChunkFilter::Kind::blosc && !hasBlosc()))
    return std::nullopt;
  if (known->kind == ChunkFilter::Kind::bitshuffle)
    return bitshuffleOf(values);
  if (known->kind != ChunkFilter::Kind::shuffle)
    return ChunkFilter{.kind = known->kind};
  if (values.empty() && dataset.variable)
    return ChunkFilter{.kind = known->kind}; // each chunk records that the filter was skipped
  if (values.empty() || values[0] == 0)
    refuse("is shuffled, but its file does not state the size of elements");
  return ChunkFilter{.kind = known->kind, .elementSize = values[0]};
}

/// Checks that libhdf5 can undo a filter, and reads the values as they are stored: places in heaps
/// and references would become values in memory.
void checkLibraryReads(H5Z_filter_t number, std::string_view name, const StoredDataset& dataset) {
  std::string filter = "is stored by HDF5's filter " + std::to_string(number);
  if (!name.empty())
    filter.append(" (").append(name).append(")");
  if (H5Zfilter_avail(number) <= 0)
    refuse(filter + "; kaon reads shuffle, deflate, fletcher32, lzf, lz4, zstd" +
           (hasBlosc() ? ", bitshuffle and blosc, " : " and bitshuffle, ") +
           "and the filters that libhdf5 finds here; HDF5_PLUGIN_PATH names a folder of others");
  const Hdf5Handle type(H5Dget_type(dataset.handle.get()));
  if (dataset.variable || H5Tdetect_class(type.get(), H5T_VLEN) > 0 ||
      H5Tdetect_class(type.get(), H5T_REFERENCE) > 0)
    refuse(filter + ", through which kaon reads only numbers and records of numbers");
}

void takeFilters(hid_t properties, StoredDataset& dataset) {
  const int count = H5Pget_nfilters(properties);
  for (int i = 0; i < count; ++i) {
    unsigned flags = 0, config = 0;
    std::array<unsigned, 32> values{};
    std::size_t size = values.size();
    std::array<char, 32> name{};
    const H5Z_filter_t number =
        H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &size, values.data(),
                       name.size() - 1, name.data(), &config);
    const auto filter =
        filterOf(number, std::span(values).first(std::min(size, values.size())), dataset);
    if (filter)
      dataset.filters.push_back(*filter);
    else
      checkLibraryReads(number, name.data(), dataset);
    dataset.isUnfilteredByLibrary |= !filter;
  }
  if (!dataset.isUnfilteredByLibrary && std::ranges::count_if(dataset.filters, compresses) > 1)
    refuse("is compressed by several filters; kaon undoes one");
}

bool isInHeap(const StoredDataset& dataset) {
  return dataset.variable && dataset.variable->form == VariableRows::Form::heap;
}

/// Rows in heaps can only be read if addresses and lengths have eight bytes.
void checkAddresses(hid_t dataset) {
  const Hdf5Handle file(H5Iget_file_id(dataset));
  const Hdf5Handle properties(H5Fget_create_plist(file.get()));
  std::size_t addressBytes = 0, lengthBytes = 0;
  constexpr std::size_t known = 8;
  if (H5Pget_sizes(properties.get(), &addressBytes, &lengthBytes) < 0 || addressBytes != known ||
      lengthBytes != known)
    refuse("has strings or lists in a file whose addresses are not of eight bytes");
}

/// Sets the value of rows that were never written. In heaps, these rows have no elements.
void takeFill(hid_t properties, StoredDataset& dataset) {
  const auto fill = dataset.fill.assign(dataset.type.storedSize);
  std::ranges::fill(fill, std::byte{0});
  if (isInHeap(dataset))
    return;
  H5D_fill_value_t status = H5D_FILL_VALUE_UNDEFINED;
  if (H5Pfill_value_defined(properties, &status) >= 0 && status == H5D_FILL_VALUE_USER_DEFINED &&
      H5Pget_fill_value(properties, dataset.type.stored.get(), fill.data()) < 0)
    refuse("has a fill value that libhdf5 cannot read");
}

void takeChunks(hid_t properties, StoredDataset& dataset) {
  dataset.form = StoredDataset::Form::chunked;
  dataset.chunk.resize(dataset.shape.size());
  if (H5Pget_chunk(properties, static_cast<int>(dataset.chunk.size()), dataset.chunk.data()) !=
      static_cast<int>(dataset.chunk.size()))
    refuse("has chunks of another shape than its own");
  takeFilters(properties, dataset);
}

/// Reads small datasets in the object header, and datasets that were never written, through
/// libhdf5.
void takeValues(StoredDataset& dataset) {
  const auto bytes =
      dataset.values.assign(static_cast<std::size_t>(dataset.rows()) * dataset.rowBytes());
  std::ranges::fill(bytes, std::byte{0});
  if (!bytes.empty() && !isInHeap(dataset) &&
      H5Dread(dataset.handle.get(), dataset.type.memory.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
              bytes.data()) < 0)
    refuse("cannot be read: " + lastReason());
}

void takePosition(StoredDataset& dataset, const io::ByteSource& file) {
  const haddr_t position = H5Dget_offset(dataset.handle.get());
  if (position == HADDR_UNDEF)
    return;
  const std::uint64_t bytes = product(dataset.shape, dataset.type.storedSize);
  if (position > file.size() || bytes > file.size() - position)
    refuse("ends behind the end of the file");
  dataset.form = StoredDataset::Form::contiguous;
  dataset.position = position;
}

/// Completes the description of a dataset whose type of values is known.
StoredDataset describe(const Hdf5Handle& handle, const std::string& path, StoredDataset dataset,
                       const io::ByteSource& file) {
  dataset.path = path;
  dataset.handle = Hdf5Handle(H5Iinc_ref(handle.get()) > 0 ? handle.get() : H5I_INVALID_HID);
  const Hdf5Handle properties(H5Dget_create_plist(handle.get()));
  const H5D_layout_t layout = H5Pget_layout(properties.get());
  if (layout == H5D_VIRTUAL)
    refuse("is a virtual dataset, whose values lie in other files");
  if (layout == H5D_CONTIGUOUS && H5Pget_external_count(properties.get()) != 0)
    refuse("has its values in other files");
  takeShape(dataset);
  if (layout == H5D_COMPACT && isInHeap(dataset))
    refuse("has strings or lists in its header");
  if (layout == H5D_CHUNKED)
    takeChunks(properties.get(), dataset);
  else if (layout != H5D_CONTIGUOUS && layout != H5D_COMPACT)
    refuse("is laid out in a way that libhdf5 does not know");
  checkSize(dataset, file.size());
  takeFill(properties.get(), dataset);
  if (layout == H5D_CONTIGUOUS)
    takePosition(dataset, file);
  if (dataset.form == StoredDataset::Form::resident) {
    if (product(dataset.shape, dataset.type.size) > mostMissing)
      refuse("has values that were never written");
    takeValues(dataset);
  }
  return dataset;
}

StoredParts describeRecords(const Hdf5Handle& handle, const std::string& path, hid_t type,
                            const io::ByteSource& file) {
  CompoundType record = recordTypeOf(type);
  if (record.hasPlaces)
    checkAddresses(handle.get());
  StoredParts described{{}, std::move(record.unreadable)};
  if (!record.numbers.members.empty()) {
    StoredDataset numbers;
    numbers.type = std::move(record.numbers);
    described.parts.push_back(describe(handle, path, std::move(numbers), file));
  }
  for (VariableMember& member : record.variable)
    try {
      StoredDataset part;
      part.type = std::move(member.type);
      part.variable = member.rows;
      part.member = member.name;
      described.parts.push_back(describe(handle, path, std::move(part), file));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::type)
        throw;
      described.unreadable.push_back(
          {member.name, member.rows.isText ? "string" : "variable length", error.what()});
    }
  return described;
}

} // namespace

std::size_t StoredDataset::extent() const noexcept {
  std::size_t count = 1;
  for (std::size_t i = 1; i < shape.size(); ++i)
    count *= static_cast<std::size_t>(shape[i]);
  return count;
}

StoredParts describeParts(const Hdf5Handle& handle, const std::string& path,
                          const io::ByteSource& file) {
  Hdf5Handle type(H5Dget_type(handle.get()));
  if (H5Tget_class(type.get()) == H5T_COMPOUND)
    return describeRecords(handle, path, type.get(), file);
  StoredParts whole;
  whole.parts.push_back(describeDataset(handle, path, file));
  return whole;
}

StoredDataset describeDataset(const Hdf5Handle& handle, const std::string& path,
                              const io::ByteSource& file) {
  Hdf5Handle type(H5Dget_type(handle.get()));
  StoredDataset dataset;
  dataset.variable = variableRowsOf(type.get());
  if (isInHeap(dataset))
    checkAddresses(handle.get());
  dataset.type = dataset.variable ? storedBytesOf(*dataset.variable, std::move(type))
                                  : valueTypeOf(std::move(type));
  return describe(handle, path, std::move(dataset), file);
}

} // namespace kaon::hdf5
