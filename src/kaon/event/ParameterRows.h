#pragma once

#include <kaon/event/CategoryTables.h>
#include <kaon/event/FrameContents.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace kaon {

/// Appends the parameters of frames to a builder. Parameters that are tags or keys become values,
/// one per frame. For one thread at a time.
class ParameterRows {
public:
  /// Both arguments must outlive this object.
  ParameterRows(detail::BatchBuilder& builder, CategoryTables& tables);

  /// Appends the parameters that a program has put into the frame. Throws Error(usage) for a tag or
  /// key that is not one number.
  void append(const detail::FrameContents& frame);
  /// Appends one parameter.
  void append(const std::string& name, const detail::ParameterValues& values);

private:
  [[nodiscard]] TableNumber tableOf(const std::string& name, const detail::ParameterValues& values);
  [[nodiscard]] std::uint32_t define(const std::string& name,
                                     const detail::ParameterValues& values);
  void append(const std::string& name, const detail::ParameterValues& values, TableNumber table);
  void checkUse(const std::string& name, const detail::ParameterValues& values, std::size_t count,
                TableNumber table) const;

  detail::BatchBuilder& m_builder;
  CategoryTables& m_categoryTables;
  const std::uint32_t m_number; // unique among all objects that note tables in parameters
  /// By name and type; the type is its index in ParameterValues.
  std::map<std::pair<std::string, std::size_t>, std::uint32_t> m_tables;
};

} // namespace kaon
