#include <kaon/formats/hdf5/Hdf5Documents.h>

#include <kaon/base/Error.h>
#include <kaon/base/Utf8.h>
#include <kaon/formats/hdf5/Attributes.h>
#include <kaon/formats/hdf5/Groups.h>

#include <algorithm>
#include <cstdint>

namespace kaon::hdf5 {
namespace {

Hdf5Handle textOf(std::size_t size) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1));
  (void)H5Tset_size(type.get(), std::max<std::size_t>(size, 1));
  (void)H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  (void)H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

std::string textIn(hid_t dataset, std::uint64_t fileBytes, const std::string& where) {
  const Hdf5Handle type(H5Dget_type(dataset)), space(H5Dget_space(dataset)),
      properties(H5Dget_create_plist(dataset));
  if (H5Sget_simple_extent_type(space.get()) == H5S_NULL)
    return "";
  const std::size_t size = H5Tget_size(type.get());
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) > 0 ||
      H5Sget_simple_extent_type(space.get()) != H5S_SCALAR || size > fileBytes ||
      H5Pget_layout(properties.get()) == H5D_VIRTUAL ||
      // External storage could be any file of this machine.
      H5Pget_external_count(properties.get()) != 0)
    fail(ErrorKind::corrupt, where, ": is not a text as kaon writes it; the file is damaged");
  std::string text(size, '\0');
  if (H5Dread(dataset, type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0)
    failReading(where, "cannot be read");
  return text;
}

} // namespace

Documents readDocuments(hid_t file, SourceBytes& bytes, const std::string& where) {
  Documents documents;
  const std::string path = '/' + std::string(documentsGroup);
  if (H5Lexists(file, path.c_str(), H5P_DEFAULT) <= 0)
    return documents;
  const Hdf5Handle group(H5Gopen2(file, path.c_str(), H5P_DEFAULT));
  if (!group.isOpen())
    return documents; // a group of another program
  for (const GroupLink& link : linksIn(group.get(), where + ": " + path)) {
    const Hdf5Handle dataset(link.isHard ? H5Dopen2(group.get(), link.name.c_str(), H5P_DEFAULT)
                                         : -1);
    if (!dataset.isOpen())
      continue;
    const auto name = textAttribute(dataset.get(), "name", bytes);
    if (name)
      documents.insert_or_assign(
          *name, textIn(dataset.get(), bytes.size(), where + ": '" + path + '/' + link.name + "'"));
  }
  return documents;
}

void writeDocuments(hid_t file, const Documents& documents, const std::string& where) {
  const Hdf5Handle group(
      H5Gcreate2(file, std::string(documentsGroup).c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const Hdf5Handle names(H5Pcreate(H5P_LINK_CREATE)), properties(H5Pcreate(H5P_DATASET_CREATE));
  (void)H5Pset_char_encoding(names.get(), H5T_CSET_UTF8);
  (void)H5Pset_obj_track_times(properties.get(), false);
  for (const auto& [name, text] : documents) {
    std::string link = name.empty() ? "_" : name;
    std::ranges::replace(link, '/', '_');
    while (link == "." || H5Lexists(group.get(), link.c_str(), H5P_DEFAULT) > 0)
      link += '_';
    const Hdf5Handle type = textOf(text.size());
    const Hdf5Handle space(H5Screate(text.empty() ? H5S_NULL : H5S_SCALAR));
    const Hdf5Handle dataset(H5Dcreate2(group.get(), link.c_str(), type.get(), space.get(),
                                        names.get(), properties.get(), H5P_DEFAULT));
    if (!dataset.isOpen() || (!text.empty() && H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL,
                                                        H5P_DEFAULT, text.data()) < 0))
      failWriting(where, "cannot write the document '" + name + "'");
    putFixedAttribute(dataset.get(), "name", name, where);
  }
}

} // namespace kaon::hdf5
