#include <kaon/dataset/DatasetBatches.h>

#include <kaon/base/Error.h>
#include <kaon/detail/reading/ColumnValues.h>
#include <kaon/reading/NamedMembers.h>

#include <utility>

namespace kaon {

DatasetBatches::DatasetBatches(detail::NextSource next, const std::vector<std::string>& names)
    : m_next(std::move(next)), m_names(names) {
  detail::SourceEntries first = *m_next();
  m_first = first.source->name();
  const Schema& schema = first.source->schema();
  for (const std::string& name : m_names)
    for (const auto& [table, member] : detail::valuesBelow(*first.source, name))
      m_members.push_back(typeOf(schema, table, member));
  open(std::move(first));
}

DatasetBatches::MemberType DatasetBatches::typeOf(const Schema& schema, TableNumber table,
                                                  MemberNumber member) {
  const Member info = schema.table(table).members[member];
  unsigned lists = 0;
  for (std::uint32_t above = table; above != Table::none; above = schema.table(above).parent)
    lists += schema.table(above).isCounted() ? 1 : 0;
  return {schema.nameOfMember(table, member), info.type, info.extent, lists};
}

bool DatasetBatches::next() {
  while (!m_batches->next()) {
    std::optional<detail::SourceEntries> further = m_next();
    if (!further)
      return false;
    check(*further->source);
    open(*std::move(further));
  }
  return true;
}

void DatasetBatches::open(detail::SourceEntries entries) {
  m_firstOfFile = entries.firstEntry;
  m_batches.emplace(*entries.source, m_names, entries.entries, std::move(entries.file));
}

/// Throws if a further source lacks a member of the first source, or has it with another type.
void DatasetBatches::check(const Source& source) const {
  const auto describe = [](const MemberType& member) {
    const std::string type = "a " + nameOf(detail::ColumnType{member.scalar, member.lists});
    return member.extent == 1 ? type : type + ", " + std::to_string(member.extent) + " in each row";
  };
  for (const MemberType& wanted : m_members) {
    TableMember place;
    try {
      place = detail::memberNamed(source, wanted.name);
    } catch (const Error& error) {
      fail(error.kind(), error.what(), ", unlike in ", m_first);
    }
    const MemberType here = typeOf(source.schema(), place.table, place.member);
    if (here.scalar != wanted.scalar || here.extent != wanted.extent || here.lists != wanted.lists)
      fail(ErrorKind::type, source.name(), ": '", wanted.name, "' is ", describe(here), ", but ",
           describe(wanted), " in ", m_first);
  }
}

} // namespace kaon
