#pragma once

#include <kaon/base/Bytes.h>
#include <kaon/batch/Batch.h>
#include <kaon/formats/sio/ParameterValues.h>
#include <kaon/formats/sio/RecordWriter.h>
#include <kaon/formats/sio/lcio/EventPlan.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::sio::lcio {

/// Reads from a batch what LCIO's headers and maps of parameters have, and writes it.
class HeaderEncoder {
public:
  /// Both outlive it.
  HeaderEncoder(const EventPlan& plan, const Batch& batch)
      : m_plan(plan), m_batch(batch), m_values(batch) {}

  /// Of an entry; `missing` where the batch has no such value.
  template <class T>
  [[nodiscard]] T value(std::string_view name, std::size_t entry, T missing) const {
    const auto table = m_plan.header.find(name);
    if (table == m_plan.header.end())
      return missing;
    const auto [first, last] = m_values.rows(table->second, entry);
    return first < last ? loadAs<T>(m_batch.table(table->second).members[0].at(first)) : missing;
  }
  /// All texts of a parameter that headers have; none if it is absent.
  [[nodiscard]] std::vector<std::string> texts(std::string_view name, std::size_t entry) const;
  [[nodiscard]] std::string text(std::string_view name, std::size_t entry) const;

  /// A parameter that is written beside those of the batch, in the place of one of the same key.
  struct Further {
    std::string_view key;
    ParameterType type = ParameterType::string;
    std::vector<std::string> texts = {};
    float number = 0;
  };
  /// Writes the four maps.
  void putParameters(const std::vector<ParameterPlan>& parameters, std::size_t entry,
                     const Further* further, BlockWriter& out) const;
  [[nodiscard]] bool has(const ParameterPlan& parameter, std::size_t entry) const {
    return m_values.has(parameter, entry);
  }

private:
  const EventPlan& m_plan;
  const Batch& m_batch;
  ParameterValues m_values;
};

} // namespace kaon::sio::lcio
