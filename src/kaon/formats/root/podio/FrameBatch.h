#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Batch.h>
#include <kaon/detail/batch/BatchRows.h>
#include <kaon/formats/root/podio/RootFramePlan.h>

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace kaon::root::podio {

/// A batch of frames in podio's layout. Members with the same layout are not copied, so plan and
/// frames must outlive it. For one thread.
class FrameBatch {
public:
  /// `frames` has the planned tables. podio must be able to store all of them.
  FrameBatch(const RootFramePlan& plan, const Batch& frames);

  [[nodiscard]] const Batch& batch() const noexcept { return m_batch; }

private:
  using Numbers = std::vector<std::uint32_t>;
  [[nodiscard]] std::span<const std::uint32_t> entryOffsets(TableNumber table);
  void addRows(const StoredRows& rows);
  void addMembers(const StoredRows& rows);
  void addReferences(const StoredRows& rows);
  void addSlices(std::uint32_t list, TableView& to);
  [[nodiscard]] ColumnView gathered(const StoredRows& rows, std::size_t member);
  void addParameters(const PodioParameters& parameters);
  void addKeys(const PodioParameters& parameters);
  void addLists(const PodioParameters& parameters);
  void addTexts(const PodioParameters& parameters);
  template <class Use>
  void forEach(const PodioParameters& parameters, Use use) const;
  [[nodiscard]] Numbers& addNumbers() { return m_numbers.emplace_back(); }

  const RootFramePlan& m_plan;
  const Batch& m_frames;
  const Schema& m_schema; // of the frames
  FrameParameterValues m_values;
  Batch m_batch;
  std::deque<Numbers> m_numbers; // a deque, so that pointers stay valid
  std::deque<Buffer> m_buffers;
};

} // namespace kaon::root::podio
