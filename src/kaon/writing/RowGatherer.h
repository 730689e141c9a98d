#pragma once

#include <kaon/writing/BatchBuilder.h>

namespace kaon::detail {

/// Code that gathers entries as rows for a writer, such as frames.
class RowGatherer {
public:
  virtual ~RowGatherer() = default;
  RowGatherer() = default;
  RowGatherer(const RowGatherer&) = delete;
  RowGatherer& operator=(const RowGatherer&) = delete;

  /// Returns the entries that were gathered. They have the tables of BatchWriter::tables(), laid
  /// out by the options of the writer.
  [[nodiscard]] virtual BatchBuilder& builder() noexcept = 0;
};

} // namespace kaon::detail
