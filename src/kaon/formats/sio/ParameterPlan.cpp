#include <kaon/formats/sio/ParameterPlan.h>

#include <kaon/base/Bytes.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/formats/sio/SioParameters.h>
#include <kaon/formats/sio/SioRecord.h>

#include <algorithm>
#include <cstdint>
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
    return std::tie(parameter.from.type, parameter.key);
  });
  for (; parameters.size() > most; parameters.pop_back())
    addLoss(losses, parameters.back().from.root, reasonForSurplus(most, "parameters"));
}

void putValues(const FrameParameterValues& values, const FrameParameter& parameter,
               std::size_t entry, BlockWriter& out) {
  const detail::RowRange rows = values.rows(parameter, entry);
  out.putCount(rows.size());
  for (std::size_t row = rows.first; row < rows.last; ++row)
    if (parameter.type == ParameterType::string)
      out.put(values.text(parameter, row));
    else if (parameter.type == ParameterType::float64)
      out.put(detail::loadAs<std::uint64_t>(values.number(parameter, row)));
    else
      out.put(detail::loadAs<std::uint32_t>(values.number(parameter, row)));
}

} // namespace kaon::sio
