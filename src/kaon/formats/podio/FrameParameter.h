#pragma once

#include <kaon/batch/Batch.h>
#include <kaon/detail/batch/BatchRows.h>
#include <kaon/formats/podio/ParameterType.h>
#include <kaon/model/Schema.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kaon {

/// A parameter or a value as files of podio and LCIO store it: a list of numbers or strings, which
/// an entry may lack. Entries without the value of an optional lack it.
struct FrameParameter {
  ParameterType type = ParameterType::int32;
  TableNumber root = 0;
  /// The table whose rows are the list. If it is not counted, each entry has one row.
  TableNumber values = 0;
  TableNumber characters = Table::none;      ///< of strings
  std::optional<MemberNumber> presence = {}; ///< of the root, if it is optional
};

/// Returns a root table as a parameter; nothing if these files cannot hold it.
[[nodiscard]] std::optional<FrameParameter> frameParameter(const Schema& schema, TableNumber root);
/// Returns the reason why these files cannot hold a root table. `format` is "podio" or "LCIO".
[[nodiscard]] std::string reasonAgainst(const Table& root, std::string_view format);

/// The parameters of a batch. A view; the batch must outlive it.
class FrameParameterValues {
public:
  explicit FrameParameterValues(const Batch& batch) noexcept : m_batch(batch) {}

  [[nodiscard]] bool has(const FrameParameter& parameter, std::size_t entry) const;
  /// Returns the rows of an entry in the table of values; none if it lacks the parameter.
  [[nodiscard]] detail::RowRange rows(const FrameParameter& parameter, std::size_t entry) const;
  /// Returns the address of a number.
  [[nodiscard]] const std::byte* number(const FrameParameter& parameter, std::size_t row) const {
    return m_batch.table(parameter.values).members[0].at(row);
  }
  [[nodiscard]] std::string_view text(const FrameParameter& parameter, std::size_t row) const;

private:
  const Batch& m_batch;
};

} // namespace kaon
