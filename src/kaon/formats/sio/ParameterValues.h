#pragma once

#include <kaon/batch/Batch.h>
#include <kaon/batch/Sink.h>
#include <kaon/formats/sio/Parameters.h>
#include <kaon/formats/sio/RecordWriter.h>
#include <kaon/model/Schema.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::sio {

/// A parameter as it is stored; a value is one, too.
struct ParameterPlan {
  std::string key;
  ParameterType type = ParameterType::int32;
  std::uint32_t table = 0;
};

/// Of a parameter or value, by its table; nothing if SIO's maps have no such ones.
[[nodiscard]] std::optional<ParameterType> parameterTypeOf(const Schema& schema,
                                                           std::uint32_t table);

/// Sorts them as maps have them. Those that are too many to be read again become losses.
void sortByKey(std::vector<ParameterPlan>& parameters, std::vector<Loss>& losses);

/// The parameters and values of a batch.
class ParameterValues {
public:
  /// The batch outlives it.
  explicit ParameterValues(const Batch& batch) : m_batch(batch) {}

  [[nodiscard]] bool has(const ParameterPlan& parameter, std::size_t entry) const;
  /// The rows of an entry: the first one, and the end.
  [[nodiscard]] std::pair<std::size_t, std::size_t> rows(std::uint32_t table,
                                                         std::size_t entry) const;
  /// A text of a parameter or value that is texts.
  [[nodiscard]] std::string_view textAt(std::uint32_t table, std::size_t row) const;
  /// Writes those of an entry, and before them how many they are.
  void put(const ParameterPlan& parameter, std::size_t entry, BlockWriter& out) const;

private:
  const Batch& m_batch;
};

} // namespace kaon::sio
