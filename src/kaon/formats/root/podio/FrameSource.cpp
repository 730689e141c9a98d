#include <kaon/formats/root/podio/FrameSource.h>

#include <kaon/formats/root/podio/FrameCursor.h>

#include <algorithm>
#include <functional>

namespace kaon::root::podio {
namespace {

void addForms(const std::vector<StoredForm>& forms, std::vector<StoredForm>& sum) {
  for (const StoredForm& form : forms) {
    const auto isSame = [&](const StoredForm& other) {
      return other.encoding == form.encoding && other.codec == form.codec;
    };
    const auto known = std::ranges::find_if(sum, isSame);
    if (known == sum.end())
      sum.push_back(form);
    else
      known->bytes += form.bytes;
  }
  std::ranges::stable_sort(sum, std::ranges::greater(), &StoredForm::bytes);
}

} // namespace

std::unique_ptr<detail::Cursor> FrameSource::cursor() const {
  return std::make_unique<FrameCursor>(m_stored, m_tables);
}

/// Returns the stored columns whose bytes count as those of a column. Each stored column counts
/// once. Columns that all parameters of a type share count for the first parameter.
std::vector<std::uint32_t> FrameSource::ownColumns(const PodioOrigin& origin) const {
  const Schema& stored = m_stored.schema();
  const auto counts = [&](TableNumber table) { return stored.countsColumn(table); };
  const auto values = [&](TableNumber table) { return stored.place(table, 0).column; };
  switch (origin.kind) {
  case PodioOrigin::Kind::presence:
  case PodioOrigin::Kind::parameterPresence:
    return {};
  case PodioOrigin::Kind::stored:
  case PodioOrigin::Kind::rows:
    return {origin.column};
  case PodioOrigin::Kind::element:
    return std::ranges::all_of(origin.elements, [](std::uint32_t number) { return number == 0; })
               ? std::vector{origin.column}
               : std::vector<std::uint32_t>();
  case PodioOrigin::Kind::rowCounts: {
    const SideTable& side = m_tables.sides[origin.number];
    return {side.begins, side.ends, counts(side.rows)};
  }
  case PodioOrigin::Kind::index:
    return {m_tables.sides[origin.number].index};
  case PodioOrigin::Kind::collection:
    return {m_tables.sides[origin.number].collection};
  default:
    break;
  }
  if (origin.key > 0)
    return {};
  const ParameterTable& table = m_tables.parameters[origin.number];
  switch (origin.kind) {
  case PodioOrigin::Kind::parameterCounts:
    return {counts(table.keys), counts(table.text), values(table.text), counts(table.lists),
            counts(table.values)};
  case PodioOrigin::Kind::parameterValues:
    return {values(table.values)};
  case PodioOrigin::Kind::textCounts:
    return {counts(table.characters)};
  default:
    return {values(table.characters)};
  }
}

std::optional<ColumnUsage> FrameSource::usage(ColumnNumber column) const {
  std::optional<ColumnUsage> sum;
  for (const std::uint32_t own : ownColumns(m_tables.origins[column])) {
    const std::optional<ColumnUsage> usage = m_stored.usage(own);
    if (usage && !sum) {
      sum = usage;
    } else if (usage) {
      sum->values += usage->values;
      sum->storedBytes += usage->storedBytes;
      sum->decodedBytes += usage->decodedBytes;
      addForms(usage->forms, sum->forms);
    }
  }
  return sum;
}

} // namespace kaon::root::podio
