#include <kaon/formats/podio/FrameParameter.h>

#include <kaon/base/Joined.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/model/OptionalRows.h>
#include <kaon/model/Structure.h>
#include <kaon/model/Texts.h>

#include <array>
#include <utility>
#include <vector>

namespace kaon {
namespace {

std::optional<ParameterType> typeOf(const Member& number) {
  if (number.extent == 1)
    for (const ParameterType type :
         {ParameterType::int32, ParameterType::float32, ParameterType::float64})
      if (scalarOf(type) == number.type)
        return type;
  return std::nullopt;
}

/// Whether a member is this part of an optional row.
bool isStep(const Member& member, std::string_view part) {
  return member.name.starts_with('.') && member.name.substr(1) == part;
}

/// Finds the values of a parameter below its root.
class ParameterFinder {
public:
  ParameterFinder(const Schema& schema, TableNumber root)
      : m_schema(schema), m_found{.root = root, .values = root} {
    for (const TableNumber table : schema.tablesUnder(root))
      if (table != root)
        m_below.push_back(table);
  }

  std::optional<FrameParameter> find() {
    const Table root = m_schema.table(m_found.root);
    std::size_t members = root.members.size();
    if (isOptionalRow(root.members)) {
      m_found.presence = MemberNumber(static_cast<std::uint32_t>(--members));
      if (root.kind != TableKind::value || !isStep(root.members[members], optionalPresence))
        return std::nullopt;
      useListInOptional(root);
    }
    if (m_found.values != m_found.root)
      members = m_schema.table(m_found.values).members.size();
    if (members == 0 && m_below.size() == 1 && isText(m_schema.table(m_below.front())))
      return ofStrings();
    return members == 1 && m_below.empty() ? ofNumbers() : std::nullopt;
  }

private:
  /// Makes the list in an optional the table of values.
  void useListInOptional(const Table& root) {
    if (root.members.size() > 1 || m_below.empty())
      return;
    const Table list = m_schema.table(m_below.front());
    if (isText(list) || list.name != joined(root.name, "..", optionalValue))
      return;
    m_found.values = m_below.front();
    m_below.erase(m_below.begin());
  }

  std::optional<FrameParameter> ofStrings() {
    m_found.type = ParameterType::string;
    m_found.characters = m_below.front();
    return m_found;
  }

  std::optional<FrameParameter> ofNumbers() {
    const Member member = m_schema.table(m_found.values).members[0];
    const std::optional<ParameterType> type = typeOf(member);
    const bool isInOptional = m_found.presence && m_found.values == m_found.root;
    if (!type || !(isInOptional ? isStep(member, optionalValue) : member.name.empty()))
      return std::nullopt;
    m_found.type = *type;
    return m_found;
  }

  const Schema& m_schema;
  FrameParameter m_found;
  std::vector<TableNumber> m_below; // without the table of values
};

} // namespace

std::optional<FrameParameter> frameParameter(const Schema& schema, TableNumber root) {
  return ParameterFinder(schema, root).find();
}

std::string reasonAgainst(const Table& root, std::string_view format) {
  if (root.kind != TableKind::value && isOptionalRow(root.members))
    return joined(format, "'s parameters cannot lack single values");
  const bool isOptionalNumber = root.members.size() == 2 && isStep(root.members[0], optionalValue);
  return joined(format, "'s parameters are of int32, float32, float64 or string, not of ",
                isOptionalNumber    ? nameOf(root.members[0].type)
                : root.type.empty() ? "lists or records"
                                    : root.type);
}

bool FrameParameterValues::has(const FrameParameter& parameter, std::size_t entry) const {
  const TableView& root = m_batch.table(parameter.root);
  if (parameter.presence)
    return *root.members[*parameter.presence].at(entry) != std::byte{0};
  return root.present.empty() || root.present[entry] != std::byte{0};
}

detail::RowRange FrameParameterValues::rows(const FrameParameter& parameter,
                                            std::size_t entry) const {
  if (!has(parameter, entry))
    return {};
  if (!m_batch.schema().table(parameter.values).isCounted())
    return {entry, entry + 1};
  const auto offsets = m_batch.table(parameter.values).offsets;
  return {offsets[entry], offsets[entry + 1]};
}

std::string_view FrameParameterValues::text(const FrameParameter& parameter,
                                            std::size_t row) const {
  const TableView& characters = m_batch.table(parameter.characters);
  const std::uint32_t begin = characters.offsets[row], end = characters.offsets[row + 1];
  if (begin == end)
    return {};
  return {detail::valuesAt<char>(characters.members[0].at(begin)), end - begin};
}

} // namespace kaon
