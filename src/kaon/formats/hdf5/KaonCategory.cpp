#include <kaon/formats/hdf5/KaonCategory.h>

#include <kaon/base/Error.h>
#include <kaon/base/Wording.h>
#include <kaon/formats/hdf5/Attributes.h>
#include <kaon/formats/hdf5/DatasetReader.h>
#include <kaon/formats/hdf5/TablePaths.h>
#include <kaon/model/SchemaDocument.h>

#include <algorithm>
#include <utility>

namespace kaon::hdf5 {
namespace {

constexpr std::uint64_t mostWithoutData = std::uint64_t{1} << 32; // entries

class CategoryOpening {
public:
  CategoryOpening(hid_t file, SourceBytes& bytes, std::string_view name, std::string_view schema)
      : m_file(file), m_group('/' + std::string(name)) {
    m_contents.file = &bytes;
    m_contents.name = bytes.source().name() + ':' + std::string(name);
    SchemaDocument document =
        schemaDocumentFrom(schema, m_contents.name + ": kaon's description of it");
    m_contents.schema = std::move(document.schema);
    m_absent = std::move(document.absent);
    m_paths = tablePaths(m_contents.schema);
  }

  CategoryDatasets contents() {
    const Hdf5Handle group(H5Gopen2(m_file, m_group.c_str(), H5P_DEFAULT));
    const auto entries = group.isOpen() ? numberAttribute(group.get(), "entries") : std::nullopt;
    if (!entries)
      fail(ErrorKind::type, m_group, " is not a group that states its number of entries");
    m_contents.entries = *entries;
    for (TableNumber table = 0; table < m_contents.schema.size(); ++table)
      m_contents.tables.push_back(originOf(table));
    if (m_contents.datasets.empty() && m_contents.entries > mostWithoutData)
      fail(ErrorKind::type, m_group, " has ", m_contents.entries, " entries, but no data");
    return std::move(m_contents);
  }

private:
  DatasetOrigin originOf(std::uint32_t number) {
    const Table info = m_contents.schema.table(number);
    const std::uint64_t above =
        info.isRoot() ? m_contents.entries : m_contents.tables[info.parent].rows;
    const std::string group = m_group + m_paths[number].group + '/';
    DatasetOrigin origin;
    origin.rows = above;
    if (info.isCounted()) {
      origin.offsets = add(group + std::string(offsetsName), Scalar::UInt64, 1);
      expectRows(origin.offsets, above + 1);
      if (info.members.empty())
        origin.rows =
            lastOf(m_contents.datasets[origin.offsets], *m_contents.file, m_contents.name);
    }
    if (std::ranges::binary_search(m_absent, number)) {
      origin.presence = add(group + std::string(presentName), Scalar::Bool, 1);
      expectRows(origin.presence, above);
    }
    for (MemberNumber i = 0; i < info.members.size(); ++i) {
      const Member member = info.members[i];
      const std::uint32_t dataset =
          add(group + m_paths[number].members[i], member.type, member.extent);
      if (i == 0 && info.isCounted())
        origin.rows = m_contents.datasets[dataset].rows();
      expectRows(dataset, origin.rows);
      origin.members.push_back({dataset, {0, member.size()}});
    }
    return origin;
  }

  std::uint32_t add(const std::string& path, Scalar type, std::uint32_t extent) {
    const Hdf5Handle handle(H5Lexists(m_file, path.c_str(), H5P_DEFAULT) > 0
                                ? H5Dopen2(m_file, path.c_str(), H5P_DEFAULT)
                                : -1);
    if (!handle.isOpen())
      fail(ErrorKind::type, "there is no dataset ", path);
    StoredDataset dataset = describeDataset(handle, path, m_contents.file->source());
    if (dataset.type.members.size() != 1 || dataset.type.members[0].type != type ||
        dataset.extent() * dataset.type.members[0].extent != extent)
      fail(ErrorKind::type, path, " is of another type");
    m_contents.datasets.push_back(std::move(dataset));
    return static_cast<std::uint32_t>(m_contents.datasets.size() - 1);
  }

  void expectRows(std::uint32_t number, std::uint64_t rows) const {
    const StoredDataset& dataset = m_contents.datasets[number];
    if (dataset.rows() != rows)
      fail(ErrorKind::type, dataset.path, " has ", counted(dataset.rows(), "row"), ", not ", rows);
  }

  hid_t m_file;
  std::string m_group;
  CategoryDatasets m_contents;
  std::vector<std::uint32_t> m_absent;
  std::vector<TablePath> m_paths;
};

} // namespace

CategoryDatasets storedCategory(hid_t file, SourceBytes& bytes, std::string_view name,
                                std::string_view schema) {
  return CategoryOpening(file, bytes, name, schema).contents();
}

} // namespace kaon::hdf5
