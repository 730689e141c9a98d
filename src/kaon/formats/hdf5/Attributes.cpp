#include <kaon/formats/hdf5/Attributes.h>

#include <kaon/base/Utf8.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/formats/hdf5/GlobalHeap.h>

#include <array>
#include <utility>
#include <vector>

namespace kaon::hdf5 {
namespace {

constexpr std::size_t mostTextBytes = 64 * 1024;

Hdf5Handle variableText() {
  Hdf5Handle type(H5Tcopy(H5T_C_S1));
  (void)H5Tset_size(type.get(), H5T_VARIABLE);
  (void)H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

/// A conversion that leaves texts of variable length in their stored form: places in heaps.
herr_t keepPlaces(hid_t from, hid_t to, H5T_cdata_t* conversion, std::size_t /*count*/,
                  std::size_t /*stride*/, std::size_t /*otherStride*/, void* /*places*/,
                  void* /*others*/, hid_t /*properties*/) {
  if (conversion->command != H5T_CONV_INIT)
    return 0;
  conversion->need_bkg = H5T_BKG_NO;
  return H5Tget_size(from) == heapPlaceBytes && H5Tget_size(to) == heapPlaceBytes ? 0 : -1;
}

/// The type for reading texts of variable length, which makes libhdf5 call keepPlaces().
hid_t placeType() {
  static const hid_t type = [] { // libhdf5 closes it when the program ends
    const hid_t bytes = H5Tcreate(H5T_OPAQUE, heapPlaceBytes);
    (void)H5Tregister(H5T_PERS_SOFT, "kaon's places", variableText().get(), bytes, keepPlaces);
    return bytes;
  }();
  return type;
}

/// Finds the text without libhdf5. Versions up to 1.10 allocate as many bytes as the attribute
/// claims, and write as many as the heap has.
std::string variableTextIn(hid_t attribute, SourceBytes& file) {
  std::array<std::byte, heapPlaceBytes> value{};
  if (H5Aread(attribute, placeType(), value.data()) < 0)
    return "";
  const auto place = heapPlaceAt(value.data());
  std::array<std::byte, heapHeaderBytes> header{};
  if (place.elements > mostTextBytes || place.heap > file.size() ||
      file.size() - place.heap < header.size())
    return "";
  file.read(place.heap, header, false);
  const auto length = lengthOfHeap(header);
  if (!length || *length > file.size() - place.heap)
    return "";
  std::vector<std::byte> heap(static_cast<std::size_t>(*length));
  file.read(place.heap, heap, false);
  const auto objects = objectsOf(heap);
  const auto text = objects ? objects->find(place.object) : HeapObjects::const_iterator();
  if (!objects || text == objects->end() || text->second.size() < place.elements)
    return "";
  const std::string_view all(detail::valuesAt<char>(text->second.data()), place.elements);
  return std::string(all.substr(0, all.find('\0')));
}

std::string fixedTextIn(hid_t attribute, hid_t stored) {
  const std::size_t size = H5Tget_size(stored);
  if (size > mostTextBytes)
    return "";
  std::string text(size, '\0');
  if (H5Aread(attribute, stored, text.data()) < 0)
    return "";
  const std::size_t end = text.find('\0');
  return end == std::string::npos ? text : text.substr(0, end);
}

Hdf5Handle attributeNamed(hid_t object, const char* name) {
  return H5Aexists(object, name) > 0 ? Hdf5Handle(H5Aopen(object, name, H5P_DEFAULT))
                                     : Hdf5Handle();
}

bool isSingle(hid_t attribute) {
  const Hdf5Handle space(H5Aget_space(attribute));
  return H5Sget_simple_extent_npoints(space.get()) == 1;
}

void put(hid_t object, const char* name, hid_t type, hid_t space, const void* value,
         std::string_view where) {
  const Hdf5Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
  if (!attribute.isOpen() || H5Awrite(attribute.get(), type, value) < 0)
    failWriting(where, std::string("cannot write the attribute '") + name + "'");
}

} // namespace

std::optional<std::string> textAttribute(hid_t object, const char* name, SourceBytes& file) {
  const Hdf5Handle attribute = attributeNamed(object, name);
  if (!attribute.isOpen() || !isSingle(attribute.get()))
    return std::nullopt;
  const Hdf5Handle stored(H5Aget_type(attribute.get()));
  if (H5Tget_class(stored.get()) != H5T_STRING)
    return std::nullopt;
  std::string text = H5Tis_variable_str(stored.get()) > 0
                         ? variableTextIn(attribute.get(), file)
                         : fixedTextIn(attribute.get(), stored.get());
  return text.size() <= mostTextBytes && isUtf8(text) ? std::optional(std::move(text))
                                                      : std::nullopt;
}

std::optional<std::uint64_t> numberAttribute(hid_t object, const char* name) {
  const Hdf5Handle attribute = attributeNamed(object, name);
  if (!attribute.isOpen() || !isSingle(attribute.get()))
    return std::nullopt;
  const Hdf5Handle stored(H5Aget_type(attribute.get()));
  std::uint64_t number = 0;
  if (H5Tget_class(stored.get()) != H5T_INTEGER ||
      H5Aread(attribute.get(), H5T_NATIVE_UINT64, &number) < 0)
    return std::nullopt;
  return number;
}

void putAttribute(hid_t object, const char* name, std::string_view text, std::string_view where) {
  const std::string terminated(text);
  const char* const value = terminated.c_str();
  put(object, name, variableText().get(), Hdf5Handle(H5Screate(H5S_SCALAR)).get(), &value, where);
}

void putFixedAttribute(hid_t object, const char* name, std::string_view text,
                       std::string_view where) {
  const std::string terminated(text);
  const Hdf5Handle type(H5Tcopy(H5T_C_S1));
  (void)H5Tset_size(type.get(), terminated.size() + 1);
  (void)H5Tset_cset(type.get(), H5T_CSET_UTF8);
  put(object, name, type.get(), Hdf5Handle(H5Screate(H5S_SCALAR)).get(), terminated.c_str(), where);
}

void putAttribute(hid_t object, const char* name, std::uint64_t number, std::string_view where) {
  put(object, name, H5T_STD_U64LE, Hdf5Handle(H5Screate(H5S_SCALAR)).get(), &number, where);
}

void putAttribute(hid_t object, const char* name, std::span<const std::string> texts,
                  std::string_view where) {
  std::vector<const char*> values;
  for (const std::string& text : texts)
    values.push_back(text.c_str());
  const hsize_t count = values.size();
  if (count > 0)
    put(object, name, variableText().get(), Hdf5Handle(H5Screate_simple(1, &count, nullptr)).get(),
        values.data(), where);
}

} // namespace kaon::hdf5
