#pragma once

#include <kaon/base/Bytes.h>
#include <kaon/batch/Batch.h>
#include <kaon/formats/sio/BlockWriter.h>
#include <kaon/formats/sio/ParameterPlan.h>
#include <kaon/formats/sio/lcio/LcioEventPlan.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::sio::lcio {

/// Reads values for LCIO's headers and maps of parameters from a batch, and writes them.
class HeaderEncoder {
public:
  /// The arguments must outlive this. `file` is for messages.
  HeaderEncoder(const LcioEventPlan& plan, const Batch& batch, const std::string& file)
      : m_plan(plan), m_batch(batch), m_file(file), m_values(batch) {}

  // These throw Error(usage) if an entry has several values where a header has one.

  /// Returns the value of an entry, or `missing` if the batch has no value of this name.
  template <class T>
  [[nodiscard]] T value(std::string_view name, std::size_t entry, T missing) const {
    const auto field = m_plan.header.find(name);
    if (field == m_plan.header.end())
      return missing;
    const detail::RowRange rows = m_values.rows(field->second, entry);
    checkSingle(name, rows.size(), entry);
    if (rows.size() == 0)
      return missing;
    const std::byte* const stored = m_values.number(field->second, rows.first);
    return withScalar(m_batch.schema().table(field->second.values).members[0].type,
                      [&]<class U>(U) { return static_cast<T>(detail::loadAs<U>(stored)); });
  }
  [[nodiscard]] std::string text(std::string_view name, std::size_t entry) const;

  /// Returns all texts of a parameter that headers have. Empty if it is absent.
  [[nodiscard]] std::vector<std::string> texts(std::string_view name, std::size_t entry) const;

  /// An additional parameter. It replaces a parameter of the batch with the same key.
  struct Further {
    std::string_view key;
    ParameterType type = ParameterType::string;
    std::vector<std::string> texts = {};
    float number = 0;
  };
  /// Writes the four maps.
  void putParameters(const std::vector<ParameterPlan>& parameters, std::size_t entry,
                     const Further* further, BlockWriter& out) const;
  /// Returns the first value of a parameter of float32, or nothing if the entry has none.
  [[nodiscard]] std::optional<float> firstNumber(const FrameParameter& parameter,
                                                 std::size_t entry) const;

private:
  void checkSingle(std::string_view name, std::size_t values, std::size_t entry) const;

  const LcioEventPlan& m_plan;
  const Batch& m_batch;
  const std::string& m_file;
  FrameParameterValues m_values;
};

} // namespace kaon::sio::lcio
