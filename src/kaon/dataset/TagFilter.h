#pragma once

#include <kaon/dataset/Dataset.h>
#include <kaon/dataset/DatasetParts.h>
#include <kaon/dataset/Pipeline.h>
#include <kaon/detail/dataset/Action.h>
#include <kaon/detail/dataset/Formula.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace kaon {

/// Returns whether a formula depends only on tags, directly or through other formulas.
[[nodiscard]] bool isOfTags(const detail::Formula& formula, const Schema& schema);

/// The leading filters of some actions that read only tags. They tell which entries can be skipped
/// before other columns are read. For one thread.
class TagFilter {
public:
  /// The actions must outlive it.
  explicit TagFilter(std::span<const std::shared_ptr<detail::Action>> actions);

  /// Returns a part whose clusters are narrowed to the entries between the first and the last that
  /// pass for any action. Throws the errors of Pipeline::run().
  [[nodiscard]] detail::DatasetPart narrow(detail::DatasetPart part);

private:
  std::vector<std::shared_ptr<detail::Action>> m_passed; // by tags; empty: all may pass
  std::optional<Pipeline> m_pipeline;
};

} // namespace kaon
