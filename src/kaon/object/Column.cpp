#include <kaon/object/Column.h>

#include <cstring>

namespace kaon::detail {

std::uint32_t leafAt(const Datatype& type, std::size_t offset) {
  for (std::uint32_t i = 0; i < type.leaves.size(); ++i)
    if (type.leaves[i].offset == offset)
      return i;
  fail(ErrorKind::usage, "no value of ", type.name, " begins at byte ", offset);
}

AccessorProbe::AccessorProbe(const Datatype& type) : m_data(CollectionData::make(type)) {
  m_data->create();
  // Values that no accessor is likely to give unless it gives them as they are.
  for (const Leaf& leaf : type.leaves)
    std::memset(m_data->row(0) + leaf.offset, leaf.type == Scalar::Bool ? 0x01 : 0x91,
                std::size_t{sizeOf(leaf.type)} * leaf.extent);
  m_data->forgetColumns();
}

std::vector<std::uint32_t> AccessorProbe::touched() const {
  std::vector<std::uint32_t> columns;
  for (std::uint32_t i = 0; i < m_data->layout().columns.size(); ++i)
    if (m_data->isLoaded(i))
      columns.push_back(i);
  return columns;
}

std::uint32_t AccessorProbe::leaf(std::span<const LeafSpan> leaves, const std::byte* value) const {
  const std::vector<std::uint32_t> columns = touched();
  const std::span<const Leaf> known = m_data->type().leaves;
  bool isMember = columns.size() == leaves.size() && columns.back() < known.size() &&
                  columns.back() - columns.front() + 1 == columns.size();
  for (std::size_t i = 0; isMember && i < leaves.size(); ++i) {
    const Leaf& leaf = known[columns[i]];
    isMember =
        std::size_t{sizeOf(leaf.type)} * leaf.extent == leaves[i].size &&
        std::memcmp(value + leaves[i].offset, m_data->row(0) + leaf.offset, leaves[i].size) == 0;
  }
  if (!isMember)
    fail(ErrorKind::usage, "what was given for a column of ", m_data->type().name,
         " is not the accessor of one of its members");
  return columns.front();
}

std::uint32_t AccessorProbe::relation() const {
  const std::vector<std::uint32_t> columns = touched();
  const ObjectLayout& layout = m_data->layout();
  const std::span<const Relation> relations = m_data->type().relations;
  for (std::uint32_t r = 0; r < relations.size() && !columns.empty(); ++r)
    if (columns.front() ==
        (relations[r].many ? layout.manyRelation(r).slices : layout.ones[r].first))
      return r;
  fail(ErrorKind::usage, "what was given for a relation of ", m_data->type().name,
       " is not the accessor of one");
}

} // namespace kaon::detail
