#pragma once

#include <kaon/batch/Batch.h>
#include <kaon/batch/Sink.h>
#include <kaon/formats/sio/BlockWriter.h>
#include <kaon/formats/sio/SioParameters.h>
#include <kaon/model/Schema.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::sio {

/// The stored form of a parameter or a value.
struct ParameterPlan {
  std::string key;
  ParameterType type = ParameterType::int32;
  TableNumber table = 0;
};

/// Adds a loss. Its arguments are set one by one, because GCC 12 warns about moving a short text.
void addLoss(std::vector<detail::Loss>& losses, TableNumber table, std::string_view reason);

/// Sorts parameters in the order of maps. Parameters beyond the limit for reading become losses.
void sortByKey(std::vector<ParameterPlan>& parameters, std::vector<detail::Loss>& losses);

/// The parameters and values of a batch.
class SioParameterValues {
public:
  /// The batch must outlive this.
  explicit SioParameterValues(const Batch& batch) : m_batch(batch) {}

  [[nodiscard]] bool has(const ParameterPlan& parameter, std::size_t entry) const;
  /// Returns the first row of an entry and the end of its rows.
  [[nodiscard]] std::pair<std::size_t, std::size_t> rows(TableNumber table,
                                                         std::size_t entry) const;
  /// Returns a text of a parameter or value of texts.
  [[nodiscard]] std::string_view textAt(TableNumber table, std::size_t row) const;
  /// Writes the values of an entry, after their number.
  void put(const ParameterPlan& parameter, std::size_t entry, BlockWriter& out) const;

private:
  const Batch& m_batch;
};

} // namespace kaon::sio
