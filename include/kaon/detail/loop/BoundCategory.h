#pragma once

#include <kaon/detail/loop/Schedule.h>
#include <kaon/detail/reading/ColumnLocator.h>
#include <kaon/event/Reader.h>

#include <cstddef>
#include <vector>

namespace kaon::loop {

/// Where an input of an algorithm comes from.
enum class InputOrigin {
  algorithm,  ///< another algorithm makes it
  collection, ///< of the file
  column,     ///< of the file
  parameter,  ///< of the file's frames
  nothing     ///< the file lacks it
};

/// A category of a file, and where its data for the algorithms of a loop are. Names are looked up
/// and types checked here, once per file.
struct BoundCategory {
  /// Throws Error(name), with a suggestion, for an input that neither the file nor an algorithm
  /// has. Throws Error(type) if the file has it with another type, and Error(usage) if the file
  /// already has an algorithm's output.
  BoundCategory(const Schedule& schedule, Category opened);

  [[nodiscard]] const Source& source() const noexcept { return category.source(); }

  struct Input {
    InputOrigin origin = InputOrigin::nothing;
    std::size_t number = 0; ///< of the output, or in `columns`
  };
  Category category;
  std::vector<Input> inputs; ///< in the order of the schedule's
  std::vector<detail::ColumnLocator> columns;

private:
  void checkOutputs(const Schedule& schedule) const;
  [[nodiscard]] Input bind(const Schedule& schedule, const Schedule::Input& input);
  [[nodiscard]] InputOrigin bindCollection(const Schedule& schedule, const InputInfo& info) const;
  [[nodiscard]] InputOrigin bindColumn(const Schedule& schedule, const InputInfo& info);
  [[nodiscard]] InputOrigin bindParameter(const Schedule& schedule, const InputInfo& info) const;
};

} // namespace kaon::loop
