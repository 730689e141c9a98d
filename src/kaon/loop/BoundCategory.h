#pragma once

#include <kaon/batch/ColumnPlace.h>
#include <kaon/event/Reader.h>
#include <kaon/loop/Schedule.h>

#include <cstddef>
#include <vector>

namespace kaon::loop {

/// Where an input of an algorithm comes from.
enum class InputOrigin {
  algorithm,  ///< another one makes it
  collection, ///< of the file
  column,     ///< of the file
  parameter,  ///< of the file's frames
  nothing     ///< the file is without it
};

/// A category of a file, and where it has what the algorithms of a loop take: names are looked up
/// and types checked here, once a file.
struct BoundCategory {
  /// Throws Error(name), with a suggestion, for what neither the file nor an algorithm has;
  /// Error(type) where the file has it as something else; Error(usage) where the file has what an
  /// algorithm makes.
  BoundCategory(const Schedule& schedule, Category opened);

  [[nodiscard]] const Source& source() const noexcept { return category.source(); }

  struct Input {
    InputOrigin origin = InputOrigin::nothing;
    std::size_t number = 0; ///< of the output, or of the column in `columns`
  };
  Category category;
  std::vector<Input> inputs; ///< those of the schedule
  std::vector<ColumnPlace> columns;

private:
  void checkOutputs(const Schedule& schedule) const;
  [[nodiscard]] Input bind(const Schedule& schedule, const Schedule::Input& input);
  [[nodiscard]] InputOrigin bindCollection(const Schedule& schedule, const InputInfo& info) const;
  [[nodiscard]] InputOrigin bindColumn(const Schedule& schedule, const InputInfo& info);
  [[nodiscard]] InputOrigin bindParameter(const Schedule& schedule, const InputInfo& info) const;
};

} // namespace kaon::loop
