#include <kaon/formats/sio/SioParameterValues.h>

#include <kaon/base/Bytes.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/formats/sio/SioRecord.h>
#include <kaon/model/Texts.h>

#include <algorithm>
#include <tuple>

namespace kaon::sio {

void addLoss(std::vector<detail::Loss>& losses, TableNumber table, std::string_view reason) {
  detail::Loss& loss = losses.emplace_back();
  loss.table = table;
  loss.reason = reason;
}

void sortByKey(std::vector<ParameterPlan>& parameters, std::vector<detail::Loss>& losses) {
  constexpr std::size_t most = mostParameters - 1; // LCIO's events may get one more, the weight
  std::ranges::sort(parameters, {}, [](const ParameterPlan& parameter) {
    return std::tie(parameter.type, parameter.key);
  });
  for (; parameters.size() > most; parameters.pop_back())
    addLoss(losses, parameters.back().table, reasonForSurplus(most, "parameters"));
}

bool SioParameterValues::has(const ParameterPlan& parameter, std::size_t entry) const {
  const auto present = m_batch.table(parameter.table).present;
  return present.empty() || present[entry] != std::byte{0};
}

std::pair<std::size_t, std::size_t> SioParameterValues::rows(TableNumber table,
                                                             std::size_t entry) const {
  if (!m_batch.schema().table(table).isCounted())
    return {entry, entry + 1};
  const auto offsets = m_batch.table(table).offsets;
  return {offsets[entry], offsets[entry + 1]};
}

std::string_view SioParameterValues::textAt(TableNumber table, std::size_t row) const {
  const TableView& characters = m_batch.table(charactersOf(m_batch.schema(), table));
  const std::uint32_t begin = characters.offsets[row], end = characters.offsets[row + 1];
  if (begin == end)
    return {};
  return {detail::valuesAt<char>(characters.members[0].at(begin)), end - begin};
}

void SioParameterValues::put(const ParameterPlan& parameter, std::size_t entry,
                             BlockWriter& out) const {
  const auto [first, last] = rows(parameter.table, entry);
  out.putCount(last - first);
  for (std::size_t row = first; row < last; ++row) {
    if (parameter.type == ParameterType::string) {
      out.put(textAt(parameter.table, row));
      continue;
    }
    const std::byte* const value = m_batch.table(parameter.table).members[0].at(row);
    if (parameter.type == ParameterType::float64)
      out.put(detail::loadAs<std::uint64_t>(value));
    else
      out.put(detail::loadAs<std::uint32_t>(value));
  }
}

} // namespace kaon::sio
